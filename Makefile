# Quern: `make help` says what can be made; `make V=1` shows the commands.

# --- settings ----------------------------------------------------------------

LUA ?= lua5.4
ifeq ($(origin CC),default)
CC = gcc
endif
ifeq ($(origin CXX),default)
CXX = g++
endif
NVCC ?= $(or $(shell command -v nvcc 2>/dev/null),/usr/local/cuda/bin/nvcc)
ARCH ?= sm_90
JOBS ?= 2
PREFIX ?= /usr/local
DESTDIR ?=

CFLAGS ?= -O2 -g -fopenmp
WARNINGS = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
OUT = out

# Linked statically where it can be: quern-run then runs on machines without it.
JANSSON = $(firstword $(wildcard /usr/lib/*/libjansson.a /usr/lib/libjansson.a) \
  -ljansson)

# The Debian packages that Quern needs, and those that only its tests need.
PACKAGES = gcc g++ lua5.4 lua-lpeg lua-argparse lua-filesystem lua-cjson \
  libjansson-dev libcairo2-dev pkg-config
TEST_PACKAGES = lua-busted lua-check perl cppcheck git

Q = $(if $(V),,@)
export LUA CC CXX NVCC

# --- lists -------------------------------------------------------------------

BUILT = $(OUT)/runtime
RUN = $(BUILT)/quern-run
DEVICES = $(BUILT)/quern_device_simt.so \
  $(if $(shell command -v $(NVCC)),$(BUILT)/quern_device_cuda.so)
ELEMENT = runtime/element.h templates/quern_types.h
LIBRARY = $(BUILT)/libquern.a
SHARED = $(BUILT)/libquern.so
RUN_SOURCES = $(wildcard runtime/run*.c)
LIBRARY_SOURCES = $(filter-out $(RUN_SOURCES),$(wildcard runtime/*.c))
RUN_OBJECTS = $(RUN_SOURCES:runtime/%.c=$(BUILT)/%.o)
LIBRARY_OBJECTS = $(LIBRARY_SOURCES:runtime/%.c=$(BUILT)/%.o)
# The slowest first, so that they run beside the others; specs_c.t when the other
# sweep has compiled the references that both need.
SLOW_TESTS = $(patsubst %,tests/%,runtime/specs_simt.t runtime/mesh_spec.lua \
  runtime/physics_acoustic.t runtime/queue.t runtime/specs_c.t runtime/physics_media.t \
  runtime/simt_emitted.t unit/emit_spec.lua runtime/examples_spec.lua runtime/physics.t \
  runtime/published_case.t runtime/places.t runtime/vector_spec.lua property/names_spec.lua \
  runtime/check_spec.lua runtime/simt_vocabulary.t)
TIMED_TESTS = tests/bench/by_hand.t
# Specifications on meshes, and the mesh that they are timed on.
ON_MESHES = specs/icon.lua specs/ocean_mesh.lua
BENCH_MESH = --mesh torus:480x160 --repeats 3
# What takes long by itself is timed on fewer points; requests by bench/queue.
BENCH_LONG = specs/gauss_seidel.lua specs/lbm_d3q19.lua specs/tti.lua
BENCH_SPECS = $(filter-out $(ON_MESHES) $(BENCH_LONG) specs/md2d.lua specs/nbody.lua specs/ewald.lua,$(wildcard specs/*.lua))
TESTS = $(SLOW_TESTS) $(filter-out $(SLOW_TESTS) $(TIMED_TESTS),$(sort $(wildcard tests/unit/*_spec.lua tests/errors/*_spec.lua \
  tests/golden/*_spec.lua tests/property/*_spec.lua tests/runtime/*_spec.lua \
  tests/*/*.t)))

.DELETE_ON_ERROR:
.PHONY: all demo check check-long check-device device-kit bench bench-device pictures \
  golden lint install clean help need need-test ready

# --- rules -------------------------------------------------------------------
# Results are moved into place: makes that run at once do not see half of one.

all: $(RUN) $(SHARED) $(DEVICES) ## the runtime: libquern, quern-run, its device modules
	@touch $(BUILT)/made

$(RUN): $(RUN_OBJECTS) $(LIBRARY)
	@echo "  link $@"
	$(Q)$(CC) $(LDFLAGS) -fopenmp -o $@.$$PPID $^ $(JANSSON) -ldl -lm
	$(Q)mv $@.$$PPID $@

$(SHARED): $(LIBRARY_OBJECTS) runtime/libquern.map
	@echo "  link $@"
	$(Q)$(CC) $(LDFLAGS) -fopenmp -shared -Wl,--version-script=runtime/libquern.map \
	  -o $@.$$PPID $(LIBRARY_OBJECTS) -ldl -lm
	$(Q)mv $@.$$PPID $@

$(LIBRARY): $(LIBRARY_OBJECTS)
	@echo "  ar   $@"
	$(Q)rm -f $@.$$PPID && $(AR) rcs $@.$$PPID $^
	$(Q)mv $@.$$PPID $@

$(BUILT)/%.o: runtime/%.c
	@echo "  cc   $<"
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c11 $(CFLAGS) $(WARNINGS) $(DEFINES) -fPIC -fopenmp \
	  -MMD -MP -MT $@ -MF $(@:.o=.d) -Iruntime -c $< -o $@.$$PPID
	$(Q)mv $@.$$PPID $@

# The runtime's own kernels: in the library for the cpu, else modules of the
# ABI that all generated modules have.
$(BUILT)/device_module.o: DEFINES = -DQUERN_DEVICE_SYMBOL=qn__host_module

$(BUILT)/device_simt.o $(BUILT)/device_cuda.o: $(BUILT)/device_%.o: \
  runtime/device_module.c runtime/device.h runtime/abi.h
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O2 $(WARNINGS) -fPIC -DQUERN_BACKEND='"$*"' \
	  -DQUERN_ARCH='"$(if $(filter cuda,$*),$(ARCH))"' -c $< -o $@

$(BUILT)/quern_device_simt.so: runtime/device.cu $(ELEMENT) $(BUILT)/device_simt.o \
  $(wildcard runtime/simt.h runtime/simt/*.h)
	@echo "  c++  $@"
	$(Q)$(CXX) -std=c++17 -O2 -fopenmp -fPIC -shared -Iruntime -o $@.$$PPID \
	  -x c++ $< -x none $(BUILT)/device_simt.o
	$(Q)mv $@.$$PPID $@

$(BUILT)/quern_device_cuda.so: runtime/device.cu $(ELEMENT) $(BUILT)/device_cuda.o
	@echo "  nvcc $@"
	$(Q)$(NVCC) -std=c++17 -O3 -arch=$(ARCH) -Iruntime -Xcompiler -fPIC \
	  -shared -o $@.$$PPID $< $(BUILT)/device_cuda.o
	$(Q)mv $@.$$PPID $@

-include $(wildcard $(BUILT)/*.d)

# --- what people call --------------------------------------------------------

demo: ready ## generates, compiles, validates, propagates a wave, shows a picture
	$(Q)gen/quern check specs/acoustic_iso.lua --set dims=2
	$(Q)gen/quern check specs/acoustic_iso.lua
	$(Q)tests/consumer/shot/demo.sh

# Many short parallel loops, beside other programs: waiting threads sleep. (They
# would spin, and take a busy machine from those that they wait for.)
demo check check-long bench: export OMP_WAIT_POLICY = passive
# And many short requests: quern-run keeps the memory of one for the next.
check check-long: export MALLOC_MMAP_THRESHOLD_ = 100000000
check check-long: export MALLOC_TRIM_THRESHOLD_ = 400000000

# Nearly all of its time is the compilers': kernels are compiled as they ship in
# check-long only. The same bits; physics_acoustic.t and vector_spec.lua vectorise all the same.
check: export QUERN_QUICK = $(if $(QUERN_LONG),,1)
check: ready need-test ## every test; needs no GPU
	$(Q)MAKEFLAGS= prove -j $(JOBS) --exec tests/run $(TESTS)

check-long: ## the same, and the long sweeps; then what is timed, alone
	$(Q)QUERN_LONG=1 $(MAKE) --no-print-directory check
	$(Q)QUERN_LONG=1 MAKEFLAGS= prove --exec tests/run $(TIMED_TESTS)

device-kit: ready ## all shipped kernels for a GPU, with a script that tries them
	$(Q)$(LUA) tests/device/kit.lua $(OUT)/device $(ARCH)

check-device: device-kit ## runs the kit on the CUDA device here
	$(Q)$(OUT)/device/run

bench: ready ## times the shipped kernels on this CPU, some beside loops by hand, and on a GPU if there is one
	$(Q)$(LUA) tests/bench/by_hand.lua 2
	$(Q)$(CC) -std=c11 -O2 $(WARNINGS) -Iruntime -o $(OUT)/bench/queue tests/bench/queue.c \
	  $(LIBRARY) -fopenmp -ldl -lm
	$(Q)$(OUT)/bench/queue
	$(Q)for spec in $(BENCH_SPECS); do \
	    gen/quern bench $$spec --repeats 3 || exit $$?; done
	$(Q)for spec in $(BENCH_LONG); do \
	    gen/quern bench $$spec --size 128,128,128 --repeats 3 || exit $$?; done
	$(Q)gen/quern bench specs/icon.lua $(BENCH_MESH)
	$(Q)gen/quern bench specs/icon.lua $(BENCH_MESH) --set contiguous=k
	$(Q)gen/quern bench specs/icon.lua $(BENCH_MESH) --set contiguous=k \
	  --kernel nabla4_interpolate --shape inlined
	$(Q)gen/quern bench specs/ocean_mesh.lua $(BENCH_MESH)
	@echo "On GPUs, as recorded in tests/device/RESULTS.md (there: out/device/run headline, after make device-kit):"
	@sed -n '/^### What is reached/,/^What binds/{/^|/p}' tests/device/RESULTS.md
	$(Q)if nvidia-smi -L >/dev/null 2>&1; then echo "On the GPU here:"; $(MAKE) --no-print-directory bench-device; fi

bench-device: ready ## what RESULTS.md says is reached, on the GPU here
	$(Q)$(LUA) tests/device/kit.lua $(OUT)/headline $(ARCH) headline >/dev/null
	$(Q)$(OUT)/headline/run headline

examples: ready ## the applications: out/examples, see examples/README.md
	$(Q)$(MAKE) --no-print-directory -C examples

pictures: ready ## draws specs/pictures: the shipped specifications at work
	$(Q)$(LUA) tests/pictures/make.lua specs/pictures

golden: need-test ## rewrites the expected texts and shows what changed
	$(Q)QUERN_GOLDEN=write prove --exec tests/run $(wildcard tests/golden/*_spec.lua)
	$(Q)git --no-pager diff --stat -- tests/golden

lint: need-test ## luacheck, cppcheck, line lengths and the house rules
	$(Q).ci/lint

install: all ## into $(PREFIX): bin/quern, lib/quern, include/quern.h
	$(Q)install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include \
	  $(DESTDIR)$(PREFIX)/lib/quern/out/runtime
	$(Q)cp -R gen templates runtime specs quern.mk $(DESTDIR)$(PREFIX)/lib/quern/
	$(Q)install $(RUN) $(DEVICES) $(DESTDIR)$(PREFIX)/lib/quern/out/runtime/
	$(Q)install -m 644 $(LIBRARY) $(SHARED) $(DESTDIR)$(PREFIX)/lib/
	$(Q)install -m 644 runtime/quern.h runtime/quern_queue.h \
	  runtime/quern_data.h runtime/abi.h $(DESTDIR)$(PREFIX)/include/
	$(Q)ln -sf ../lib/quern/gen/quern $(DESTDIR)$(PREFIX)/bin/quern

clean: ## removes everything generated
	$(Q)rm -rf $(OUT)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' \
	  $(MAKEFILE_LIST)

need:
	$(Q).ci/need $(PACKAGES)

need-test: need
	$(Q).ci/need $(TEST_PACKAGES)

# Builds once the packages are there, also under -j.
ready: need
	$(Q)$(MAKE) $(if $(findstring jobserver,$(MAKEFLAGS)),,-j $(JOBS)) $(if $(V),,-s) \
	  --no-print-directory all
