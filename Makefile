# The front door.  CMake does the work; see CMakePresets.json.
#   JOBS=N         how many things at once (default: all cores)
#   NO_INSTALL=1   never install packages, only say which are missing
#   PREFIX=DIR     where `make install` puts things (default: /usr/local); DESTDIR is put before it, as packagers expect

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
DESTDIR ?=
PROGRAM := build/release/bin/spindrift
DEMO_FOLDER := out/demo

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

# $(call configure,PRESET): only at first and after a change of the presets; ninja sees to the rest.
configure = [[ build/$(1)/build.ninja -nt CMakePresets.json ]] || cmake --preset $(1) --log-level=WARNING >/dev/null

# $(call build,PRESET,TARGET): configure where needed, build the target, and say how long it took.
define build
start=$$SECONDS; \
$(call configure,$(1)); \
cmake --build build/$(1) --parallel $(JOBS) --target $(2); \
echo "$(2) of build/$(1) built in $$((SECONDS - start)) s"
endef

.PHONY: help
help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: build  ## install what is missing, build, and make a film of a breaking dam
	@rm -rf $(DEMO_FOLDER)
	@$(PROGRAM) run dam-break -o $(DEMO_FOLDER)
	@echo
	@echo "film      $(DEMO_FOLDER)/dam-break.mp4"
	@echo "report    $(DEMO_FOLDER)/report.html (film, plots and figures on one page)"
	@echo "pictures  $(DEMO_FOLDER)/images"
	@echo "volumes   $(DEMO_FOLDER)/frames (VDB); surface meshes are in $(DEMO_FOLDER)/mesh (PLY)"
	@echo "log       $(DEMO_FOLDER)/log.jsonl, a line per step; see also: $(PROGRAM) info $(DEMO_FOLDER)"
	@echo "install   make install (PREFIX=$(PREFIX)), then type spindrift anywhere"

.PHONY: deps
deps:  ## install the packages that are missing
	@tools/install_deps.sh

.PHONY: deps-optional
deps-optional:  ## and those that only some developers need
	@tools/install_deps.sh --optional
	@rm -f build/*/build.ninja  # so that the next build looks for them

.PHONY: build
build: deps  ## build the program
	@$(call build,release,spindrift)

.PHONY: install
install: build  ## install program, scenes and documentation under PREFIX (default /usr/local)
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)" >/dev/null
	@echo "installed $(DESTDIR)$(PREFIX)/bin/spindrift, with scenes and documentation in $(DESTDIR)$(PREFIX)/share"

.PHONY: test
test: deps  ## build everything, then run all tests
	@$(call build,release,all)
	@tools/run_tests.py build/release --parallel $(JOBS)

.PHONY: sanitize
sanitize: sanitize-asan sanitize-ubsan sanitize-tsan  ## unit tests under the address, undefined and thread sanitizers

# Tests that count iterations on large grids: nothing in them that smaller ones do not show a sanitizer.
SLOW := PoissonIterations|SavesMostIterations

.PHONY: sanitize-asan sanitize-ubsan sanitize-tsan
sanitize-asan sanitize-ubsan sanitize-tsan: sanitize-%: deps
	@$(call build,$*,unit_tests)
	@LSAN_OPTIONS=suppressions=$(CURDIR)/tools/lsan.supp \
	    tools/run_tests.py build/$* --parallel $(JOBS) -L unit -E '$(SLOW)'

# Scenes FIRST, FIRST + 1, …: SCENES of them.  The same numbers are the same scenes.
SCENES ?= 1000
FIRST ?= 1

.PHONY: fuzz-scenes
fuzz-scenes: deps  ## SCENES=1000 random scenes under the address and undefined sanitizers
	@$(call build,fuzz,random_scenes)
	@build/fuzz/bin/random_scenes --first $(FIRST) --count $(SCENES) --jobs $(JOBS) --tally

.PHONY: format
format: deps  ## format the C++ sources
	@tools/check_format.sh --fix

.PHONY: docs
docs:  ## wrap the documentation, and check that what it names exists
	@tools/check_docs.py --wrap

.PHONY: tidy
tidy: deps  ## look for mistakes with clang-tidy
	@command -v run-clang-tidy >/dev/null || { echo "clang-tidy is missing: make deps-optional" >&2; exit 1; }
	@$(call configure,dev)
	@run-clang-tidy -quiet -p build/dev -j $(JOBS) -extra-arg=-USPINDRIFT_MULTIVERSION \
	    -extra-arg=-Wno-unknown-warning-option '/(src|bench|apps|tests)/'

.PHONY: clean
clean:  ## remove everything that was built
	@rm -rf build
