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

CFLAGS ?= -O2 -g
WARNINGS = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
OUT = out

# The Debian packages that Quern needs, and those that only its tests need.
PACKAGES = gcc g++ lua5.4 lua-lpeg lua-argparse lua-cjson libjansson-dev \
  libcairo2-dev pkg-config
TEST_PACKAGES = lua-busted lua-check perl cppcheck git

Q = $(if $(V),,@)
export LUA CC CXX NVCC

# --- lists -------------------------------------------------------------------

RUN = $(OUT)/runtime/quern-run
LIBRARY = $(OUT)/runtime/libquern.a
LIBRARY_OBJECTS = $(patsubst runtime/%.c,$(OUT)/runtime/%.o, \
  $(filter-out runtime/run%.c,$(wildcard runtime/*.c)))
RUN_OBJECTS = $(patsubst runtime/%.c,$(OUT)/runtime/%.o,$(wildcard runtime/run*.c))
TESTS = $(sort $(wildcard tests/unit/*_spec.lua tests/errors/*_spec.lua \
  tests/golden/*_spec.lua tests/property/*_spec.lua tests/runtime/*_spec.lua \
  tests/*/*.t))

.DELETE_ON_ERROR:
.PHONY: all demo check check-long check-device device-kit bench golden lint \
  install clean help need need-test

# --- rules -------------------------------------------------------------------

all: $(RUN) ## the runtime: libquern.a and quern-run

$(RUN): $(RUN_OBJECTS) $(LIBRARY)
	@echo "  link $@"
	$(Q)$(CC) $(LDFLAGS) -rdynamic -o $@.tmp $^ -ljansson -ldl -lpthread -lm
	$(Q)mv $@.tmp $@

$(LIBRARY): $(LIBRARY_OBJECTS)
	@echo "  ar   $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(OUT)/runtime/%.o: runtime/%.c
	@echo "  cc   $<"
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c11 $(CFLAGS) $(WARNINGS) -fPIC -MMD -MP -Iruntime -c $< -o $@

-include $(wildcard $(OUT)/runtime/*.d)

# --- what people call --------------------------------------------------------

demo: need all ## generates, compiles, validates, propagates a wave, shows a picture
	$(Q)tests/consumer/shot/demo.sh

check: need need-test all ## every test; needs no GPU
	$(Q)prove -j $(JOBS) --exec tests/run $(TESTS)

check-long: ## the same, and the long sweeps
	$(Q)QUERN_LONG=1 $(MAKE) --no-print-directory check

device-kit: need all ## all shipped kernels for a GPU, with a script that tries them
	$(Q)tests/device/kit.sh $(OUT)/device $(ARCH)

check-device: device-kit ## runs the kit on the CUDA device here
	$(Q)$(OUT)/device/run

bench: need all ## times the shipped kernels on this CPU
	$(Q)for spec in specs/*.lua; do gen/quern bench $$spec || exit $$?; done

golden: need need-test ## rewrites the expected texts and shows what changed
	$(Q)QUERN_GOLDEN=write prove --exec tests/run $(wildcard tests/golden/*_spec.lua)
	$(Q)git --no-pager diff --stat -- tests/golden

lint: need need-test ## luacheck, cppcheck, line lengths and the house rules
	$(Q).ci/lint

install: all ## into $(PREFIX): bin/quern, lib/quern, include/quern.h
	$(Q)install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include \
	  $(DESTDIR)$(PREFIX)/lib/quern/out/runtime
	$(Q)cp -R gen templates runtime specs quern.mk Makefile $(DESTDIR)$(PREFIX)/lib/quern/
	$(Q)install $(RUN) $(DESTDIR)$(PREFIX)/lib/quern/out/runtime/
	$(Q)install -m 644 $(LIBRARY) $(DESTDIR)$(PREFIX)/lib/
	$(Q)install -m 644 runtime/quern.h runtime/abi.h $(DESTDIR)$(PREFIX)/include/
	$(Q)ln -sf ../lib/quern/gen/quern $(DESTDIR)$(PREFIX)/bin/quern

clean: ## removes everything generated
	$(Q)rm -rf $(OUT)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' \
	  $(MAKEFILE_LIST)

need:
	$(Q).ci/need $(PACKAGES)

need-test:
	$(Q).ci/need $(TEST_PACKAGES)
