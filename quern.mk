# For the Makefile of another project: keeps generated kernels fresh.
#
#     QUERN_FLAGS = --backend c                 # for all specs
#     QUERN_FLAGS_heat = --set radius=2         # for heat.lua alone
#     include path/to/quern/quern.mk
#     solver.o: solver.c $(QUERN_OUT)/heat.stamp
#
# The stamp of heat.lua is up to date when all that it generates is: it is made
# again after a change of the spec, of what it includes, of the flags, or of
# Quern. Files that would be the same keep their time; those that it generated
# before and does not now are removed: with another param, nothing old is left to
# be compiled. Specs in another folder: vpath %.lua FOLDER. Make knows no blanks
# in names: where the path to Quern has some, include it through a symbolic link.
QUERN_OUT ?= quern-out
QUERN_DIR := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
QUERN_OWN := $(shell find $(QUERN_DIR)/gen $(QUERN_DIR)/templates -type f)
QUERN_GOAL := $(.DEFAULT_GOAL)

quern-flags = $(strip $(QUERN_FLAGS) $(QUERN_FLAGS_$(1)))

$(QUERN_OUT)/%.stamp: %.lua $(QUERN_OWN)
	@mkdir -p $(QUERN_OUT) && rm -f $@
	$(QUERN_DIR)/gen/quern gen $< $(call quern-flags,$*) \
	  -o $(QUERN_OUT) --depfile $(QUERN_OUT)/$*.d
	@sed -n 's|^\(.*\):$$|$@: \1|p' $(QUERN_OUT)/$*.d >$(QUERN_OUT)/$*.deps
	@sed 's/ *\\$$//; s/^ *//; /:/ { s/:.*//; q; }' $(QUERN_OUT)/$*.d >$(QUERN_OUT)/$*.now
	@test ! -f $(QUERN_OUT)/$*.made || grep -vxF -f $(QUERN_OUT)/$*.now $(QUERN_OUT)/$*.made \
	  | grep '/$*[^/]*$$' | xargs rm -f
	@mv $(QUERN_OUT)/$*.now $(QUERN_OUT)/$*.made
	@printf '%s\n' '$(subst ','\'',$(call quern-flags,$*))' >$@

# A stamp holds the flags that it was made with; with others it is made again.
quern-differ = $(subst x$(1),,x$(2))$(subst x$(2),,x$(1))
quern-stamped = $(strip $(shell cat $(QUERN_OUT)/$(1).stamp))
quern-force = $(if $(call quern-differ,$(quern-flags),$(quern-stamped)), \
  $(eval $(QUERN_OUT)/$(1).stamp: quern-other-flags))
.PHONY: quern-other-flags
quern-other-flags:
$(foreach stamp,$(wildcard $(QUERN_OUT)/*.stamp), \
  $(call quern-force,$(basename $(notdir $(stamp)))))

-include $(wildcard $(QUERN_OUT)/*.d $(QUERN_OUT)/*.deps)
.DEFAULT_GOAL := $(QUERN_GOAL)
