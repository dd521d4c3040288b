# The front door.  CMake does the work; see CMakePresets.json.
#   JOBS=N         how many things at once (default: all cores)
#   NO_INSTALL=1   never install packages, only say which are missing

JOBS ?= $(shell nproc)
PROGRAM := build/release/bin/spindrift
DEMO_FOLDER := out/dam-break
DEMO := $(PROGRAM) run dam-break -o $(DEMO_FOLDER)

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

# $(call configure,PRESET): only at first and after a change of the presets; ninja sees to the rest.
configure = [[ build/$(1)/build.ninja -nt CMakePresets.json ]] || cmake --preset $(1) --log-level=WARNING >/dev/null

# $(call build,PRESET): configure where needed, build, and say how long it took.
define build
start=$$SECONDS; \
$(call configure,$(1)); \
cmake --build build/$(1) --parallel $(JOBS); \
echo "build/$(1) built in $$((SECONDS - start)) s"
endef

.PHONY: help
help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: build  ## install what is missing, build, and make a film of a breaking dam
	@rm -rf $(DEMO_FOLDER)
	@$(DEMO)
	@echo
	@echo "film      $(DEMO_FOLDER)/dam-break.mp4"
	@echo "report    $(DEMO_FOLDER)/report.html (film, plots and figures in one page)"
	@echo "pictures  $(DEMO_FOLDER)/images"
	@echo "volumes   $(DEMO_FOLDER)/frames (VDB), surfaces in $(DEMO_FOLDER)/mesh (PLY)"
	@echo "what it did, step by step: $(DEMO_FOLDER)/log.jsonl; look also at: $(PROGRAM) info $(DEMO_FOLDER)"

.PHONY: deps
deps:  ## install the packages that are missing
	@tools/install_deps.sh

.PHONY: deps-optional
deps-optional:  ## and those that only some developers need
	@tools/install_deps.sh --optional
	@rm -f build/*/build.ninja  # so that the next build looks for them

.PHONY: build
build: deps  ## build the release preset
	@$(call build,release)

.PHONY: test
test: build  ## build, then run all tests
	@tools/run_tests.py build/release --parallel $(JOBS)

.PHONY: sanitize
sanitize: sanitize-asan sanitize-ubsan sanitize-tsan  ## unit tests under the address, undefined and thread sanitizers

# Tests that count iterations on large grids: nothing in them that smaller ones do not show a sanitizer.
SLOW := PoissonIterations|SavesMostIterations

.PHONY: sanitize-asan sanitize-ubsan sanitize-tsan
sanitize-asan sanitize-ubsan sanitize-tsan: sanitize-%: deps
	@$(call build,$*)
	@LSAN_OPTIONS=suppressions=$(CURDIR)/tools/lsan.supp \
	    tools/run_tests.py build/$* --parallel $(JOBS) -L unit -E '$(SLOW)'

.PHONY: format
format: deps  ## format the C++ sources
	@tools/check_format.sh --fix

.PHONY: tidy
tidy: deps  ## look for mistakes with clang-tidy
	@command -v run-clang-tidy >/dev/null || { echo "clang-tidy is missing: make deps-optional" >&2; exit 1; }
	@$(call configure,dev)
	@run-clang-tidy -quiet -p build/dev -j $(JOBS) -extra-arg=-USPINDRIFT_MULTIVERSION \
	    -extra-arg=-Wno-unknown-warning-option '/(src|bench|apps|tests)/'

.PHONY: clean
clean:  ## remove everything that was built
	@rm -rf build
