# For the Makefile of another project: keeps generated kernels fresh.
#
#     QUERN_FLAGS = --backend c                 # for all specs
#     QUERN_FLAGS_heat = --set radius=2         # for heat.lua alone
#     include path/to/quern/quern.mk
#     solver.o: solver.c $(QUERN_OUT)/heat.stamp
#
# The stamp of heat.lua is up to date when all that it generates is: after a
# change of the spec, of what it includes, or of Quern. Files that would be the
# same keep their time. Specs in another folder: vpath %.lua FOLDER.
QUERN_OUT ?= quern-out
QUERN_DIR := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
QUERN_OWN := $(shell find $(QUERN_DIR)/gen $(QUERN_DIR)/templates -type f)

$(QUERN_OUT)/%.stamp: %.lua $(QUERN_OWN)
	@mkdir -p $(QUERN_OUT)
	$(QUERN_DIR)/gen/quern gen $< $(QUERN_FLAGS) $(QUERN_FLAGS_$*) \
	  -o $(QUERN_OUT) --depfile $(QUERN_OUT)/$*.d
	@sed -n 's|^\(.*\):$$|$@: \1|p' $(QUERN_OUT)/$*.d >$(QUERN_OUT)/$*.deps
	@touch $@

-include $(wildcard $(QUERN_OUT)/*.d $(QUERN_OUT)/*.deps)
