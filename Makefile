# SPDX-License-Identifier: MIT
# `make` lists the targets. If packages are missing, the targets in the README (demo, test, test-all, deb, musl, windows,
# web) and `make setup` install them (as root on Debian), and the others print the packages to install. CMake builds: see
# CMakeLists.txt and CMakePresets.json.

PREFIX ?= /usr/local
# The level for `make demo` and `make bench`; empty: the project's samples.
FILE ?=
# Excludes lists of data that switch clang-format off: it takes a minute and a half not to change them.
SOURCES = $(shell find include src cli tests bench examples web/bridge -name '*.[ch]' \
    -not -path '*/sfa/objects/type_list.h' -not -path '*/sfa/objects/parameter_*.h' 2>/dev/null)
CONFIGURE = cmake --preset
BUILD = cmake --build --preset

# Cross builds run the tests under an emulator.
CROSS = i686 s390x wasm

.PHONY: help setup build test test-gate test-all record docs demo install format format-check lint clang plain asan tsan valgrind \
        coverage fuzz fuzz-long fuzz-minimise mutation mutation-tables mutation-engine \
        faults cross $(CROSS) wasm-parts windows windows-build windows-test musl musl-test deb deb-test wheel dist dist-test dist-again blender-table web web-test spec-test data-test site site-test python-test python-asan bench instructions bench-scale bench-peers \
        examples ci clean
.DEFAULT_GOAL = help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

setup: ## install what building and testing need (SETUP=ci: what every target of CI needs)
	@scripts/setup.sh $(or $(SETUP),test)

build: ## build the command build/mapstone and the libraries
	@scripts/setup.sh --check build
	@$(CONFIGURE) release $(if $(shell pkg-config --exists cmocka 2>/dev/null || echo no),-DMAPSTONE_TESTS=OFF,-DMAPSTONE_TESTS=ON) >/dev/null
	@$(BUILD) release

# The command that writes the site's pages and the samples: if everything is built, one that is built anyway.
ifneq (,$(filter dist,$(MAKECMDGOALS)))
COMMAND = out/musl/mapstone
made_by = musl
else
COMMAND = build/mapstone
made_by = command
endif
command: # build/mapstone alone, for what runs no tests
	@scripts/setup.sh --check build
	@$(CONFIGURE) release >/dev/null && $(BUILD) release --target mapstone_command

# Long tests (labels `long` and `longest` in tests/CMakeLists.txt) run only in test-all, as do four fifths of the repetitions
# for each byte or number; tests with the label `gate` in test-gate. Without building, this takes 80 s of processor time.
test: ## build, then run the tests; the last line counts them
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory build
	@MAPSTONE_SLOW=$${MAPSTONE_SLOW-5} tests/run.sh build -LE 'long|gate'

test-gate: ## build, then run the tests that the gate runs besides these
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory build
	@tests/run.sh build -L gate

test-all: ## build, then run all tests, also the long ones (ONLY=pattern: those)
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory build
	@tests/run.sh build $(if $(ONLY),-R '$(ONLY)')

record: build ## compare what edits, patches and merges do with the record of it (WRITE=1: write it again)
	@build/tests/record $(if $(WRITE),--write) tests/record/record.txt

docs: build ## write docs/formats, the formats' references; review the changes before committing them
	@for id in $$(build/mapstone spec --json | cut -d '"' -f 4); do \
	    build/mapstone spec "$$id" >"docs/formats/$$id.md" || exit 1; done
	@scripts/lists.sh build/mapstone --write
	@git --no-pager diff --stat -- docs/formats docs/lists.md

demo: ## convert, check and draw the sample levels (or FILE=some.level) into build/demo
	@scripts/setup.sh build
	@$(CONFIGURE) release >/dev/null && $(BUILD) release --target mapstone_command
	@scripts/demo.sh $(FILE)

install: build ## install below PREFIX (/usr/local), staged in DESTDIR if set
	@cmake --install build --prefix "$(PREFIX)"

format: ## format the sources with clang-format
	@scripts/setup.sh --check lint
	@clang-format -i $(SOURCES)

format-check: ## fail if `make format` would change a file
	@scripts/setup.sh --check lint
	@printf '%s\n' $(SOURCES) | xargs -P 2 -n 20 clang-format --dry-run --Werror

# clang-tidy's analyzer, which follows paths through functions, takes nine tenths of its time: most of it for a few
# functions, in which it reaches the limit of 225,000 nodes.
lint: ## run clang-tidy and cppcheck (TESTS=1: on the tests, too; QUICK=1: without the analyzer of paths; NODES=40000: less deep)
	@tests/raw_loads.sh
	@scripts/setup.sh --check test lint
	@scripts/words.sh
	@scripts/letters.py
	@$(CONFIGURE) release >/dev/null && mkdir -p out
	@run-clang-tidy -quiet -p build $(if $(QUICK),-checks=-clang-analyzer-*) \
	    $(if $(NODES),$(addprefix -extra-arg=,-Xclang -analyzer-config -Xclang max-nodes=$(NODES))) '/(src|cli$(if $(TESTS),|tests))/.*\.c$$' >out/clang-tidy.log 2>&1 || \
	    { sed 's/\x1b\[[0-9;]*m//g' out/clang-tidy.log | grep -A2 -E '(warning|error):'; exit 1; }
	@cppcheck --quiet --project=build/compile_commands.json --file-filter='src/*' --file-filter='cli/*' $(if $(TESTS),--file-filter='tests/*') \
	    --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 -j 2 \
	    --suppress=missingIncludeSystem --suppress='uninitvar:tests/*' # filled through mst_target

# Digests and references; all other tests in C run with clang under its sanitizers.
clang: ## build and test with clang
	@scripts/setup.sh --check memory
	@$(CONFIGURE) clang >/dev/null && $(BUILD) clang && \
	    tests/run.sh out/clang -R '^(test|references)_' -LE long

plain: ## build and test without the optional libraries
	@scripts/setup.sh --check test
	@$(CONFIGURE) plain >/dev/null && $(BUILD) plain && tests/run.sh out/plain -LE long

# Tests of what commands and documents say, and of commands with other programs, run the same code as others: half of the time for
# nothing that a sanitizer finds.
wording = ^(asking|command_completions|command_help|cost|dry_run|floors|headers|links|mistakes|pages|readme|references_output|texts)$$
programs = ^(conflicts|git|git_changes|harm|harm_patch|import|pictures|strangers_names|strangers_writers)$$
asan: ## test under the address and undefined behaviour sanitizers (QUICK=1: without long tests, those of words and with other programs)
	@scripts/setup.sh --check memory
	@$(CONFIGURE) asan >/dev/null && $(BUILD) asan && tests/run.sh out/asan $(if $(QUICK),-LE long -E '$(wording)|$(programs)',-E '^test_bounds$$') # sanitizers change what that measures

# The tests whose commands work on several files at once, or draw in bands; all others use one thread.
threaded = ^(test_threads|command_(archives|checking|comparing|converting|drawing|game_view|outputs|relations|tables))$$
tsan: ## run the tests with several threads under the thread sanitizer
	@scripts/setup.sh --check memory
	@$(CONFIGURE) tsan >/dev/null && $(BUILD) tsan --target mapstone_command test_threads && tests/run.sh out/tsan -R '$(threaded)'

# Without TESTS, skips long tests and tests of tables; the sanitizers run them.
valgrind: ## test under valgrind (TESTS=pattern: only those tests)
	@scripts/setup.sh --check memory
	@$(CONFIGURE) valgrind >/dev/null && $(BUILD) valgrind && \
	    tests/run.sh out/valgrind $(if $(TESTS),-R '$(TESTS)',-LE long -E 'platforms|reference|tables|floors|links')

# Functions that a test leaves by longjmp have inconsistent counts; gcovr must not fail on them.
GCOVR = gcovr --root . --exclude-throw-branches --gcov-ignore-parse-errors

coverage: ## measure which lines and branches the tests take: out/coverage/report.html
	@scripts/setup.sh --check coverage
	@$(CONFIGURE) coverage >/dev/null && $(BUILD) coverage && tests/run.sh out/coverage
	@$(GCOVR) --filter src/ --filter cli/ --print-summary --html-details out/coverage/report.html \
	    --txt out/coverage/report.txt out/coverage
	@$(GCOVR) --filter src/ --branches --txt out/coverage/branches.txt --json out/coverage/branches.json out/coverage
	@grep -rn -B1 'MST_UNREACHABLE(' src --include='*.[ch]' >out/coverage/unreachable.txt || true
	@tail -n 2 out/coverage/branches.txt && echo out/coverage/report.html

fuzz: ## fuzz for SECONDS=60 in total, one property (TARGET=save) or all; see tests/fuzz/README.md
	@scripts/setup.sh --check memory
	@$(CONFIGURE) asan >/dev/null && $(BUILD) asan --target fuzz
	@tests/fuzz/run.sh out/asan $(or $(SECONDS),60) $(patsubst fuzz_%,%,$(TARGET))

fuzz-long: ## fuzz for HOURS=4 of CPU time, with real levels; can be stopped and resumed (STATE=out/fuzz-long)
	@scripts/setup.sh --check memory
	@$(CONFIGURE) asan >/dev/null && $(BUILD) asan --target fuzz
	@tests/fuzz/long.sh out/asan $(or $(STATE),out/fuzz-long) $(or $(HOURS),4) $(patsubst fuzz_%,%,$(TARGET))

fuzz-minimise: ## rebuild tests/fuzz/corpus from what `make fuzz` found with the project's own seeds
	@scripts/setup.sh --check memory
	@$(CONFIGURE) asan >/dev/null && $(BUILD) asan --target fuzz
	@tests/fuzz/minimise.sh out/asan

faults: build ## regenerate tests/faults and tests/platforms.txt; review the changes before committing them
	@build/tests/mapstone_tests test_faults write && build/tests/mapstone_tests test_platforms write
	@git --no-pager diff --stat -- tests/faults tests/platforms.txt

mutation: mutation-tables mutation-engine ## whether tests find faults injected into the tables and the engine

mutation-tables: build ## ... into the formats' tables (SAMPLE=50: so many); see tests/mutation/run.mjs
	@scripts/setup.sh --check test mutation
	@$(CONFIGURE) release -DMAPSTONE_TESTS=ON -DMAPSTONE_MUTATION=ON >/dev/null
	@$(BUILD) release --target mutation
	@node tests/mutation/run.mjs build/tests/mutation/mutation

mutation-engine: build ## ... into the engine's C code (LIST=tests/mutation/ten.txt: those ten); see tests/mutation/engine.mjs
	@scripts/setup.sh --check test mutation
	@$(CONFIGURE) coverage >/dev/null && $(BUILD) coverage
	@COUNT=$(or $(COUNT),100) LIST=$(LIST) node tests/mutation/engine.mjs build out/coverage

cross: $(CROSS) ## build and test for 32 bit (i686), big-endian (s390x) and WebAssembly (wasm); EXCEPT=pattern: not those tests

wasm: wasm-parts

wasm-parts: # zlib, libspng and expat for WebAssembly: out/wasm-parts
	@scripts/setup.sh wasm
	@scripts/parts.sh wasm

$(CROSS):
	@scripts/setup.sh --check cross
	@$(CONFIGURE) $@ >/dev/null && $(BUILD) $@ && tests/run.sh out/$@ $(if $(EXCEPT),-E '$(EXCEPT)')

windows-build:
	@scripts/setup.sh windows
	@scripts/parts.sh windows
	@$(CONFIGURE) windows >/dev/null && $(BUILD) windows --target mapstone mapstone_command

windows: web site windows-build ## build mapstone.exe and mapstone.dll for 64 bit Windows, and pack them with the page, the manual and samples: out/windows/*.zip
	@scripts/windows-zip.sh out/windows out/windows-parts $(COMMAND)

windows-test: windows-build ## test what `make windows` builds under Wine: unit tests, and the command's
	@scripts/setup.sh --check test
	@$(BUILD) windows && tests/cross/windows/run.sh out/windows

musl: ## build the command as one file that runs on every x86-64 Linux: out/musl/mapstone
	@scripts/setup.sh musl
	@scripts/parts.sh musl
	@$(CONFIGURE) musl >/dev/null && $(BUILD) musl --target mapstone_command
	@strip -o out/musl/mapstone-linux-x64 out/musl/mapstone && ls -l out/musl/mapstone-linux-x64

musl-test: musl ## test what `make musl` builds: unit tests, and the command's
	@scripts/setup.sh --check test
	@$(BUILD) musl && tests/cross/musl.sh out/musl out/musl/mapstone-linux-x64

deb: web ## make Debian packages of what git has, with the page: out/deb/*.deb
	@scripts/setup.sh deb
	@scripts/deb.sh

deb-test: deb ## install, use and remove the packages in a Debian that has nothing else (as root)
	@scripts/deb-test.sh

wheel: # the library of the Python wheels for Linux
	@scripts/parts.sh linux
	@$(CONFIGURE) wheel >/dev/null && $(BUILD) wheel --target mapstone

dist: windows musl deb wheel site ## make all that is released, with checksums, in out/dist
	@scripts/dist.sh

dist-test: dist ## make all that is released, and use each file where nothing else is (as root)
	@scripts/dist-test.sh && scripts/deb-test.sh out/dist

dist-again: ## make it again in another directory, by a user with another umask, time zone and language: the same bytes (as root)
	@scripts/setup.sh deb && scripts/dist-again.sh

blender-table: build ## take the corpus's levels of Natural Selection 2 through Blender and back, by every edit of tests/blender
	@scripts/setup.sh blender
	@tests/blender/through.sh build/mapstone $(wildcard $(or $(MAPSTONE_CORPUS),../shared/corpus)/ns2/*.level)

web: wasm-parts ## build web/dist, the page and the npm package, for browsers and Node, and pack it into out/web
	@scripts/setup.sh web
	@$(CONFIGURE) web >/dev/null && $(BUILD) web
	@cd web && npm ci --loglevel=error --no-audit --no-fund && \
	    node build.mjs ../out/web/web/mapstone.wasm ../out/web/web/look.wasm ../out/web/mapstone.wasm ../out/wasm-parts/licences \
	    $$(../scripts/version.sh)

web-test: web build site ## test the npm package (the same bytes, findings and digests as the command's), the page and the site in Chromium
	@MAPSTONE_COMMAND=$(CURDIR)/build/mapstone web/tests/run.sh

spec-test: build ## validate levels by the descriptions that other programs read: JSON Schema, magic(5)
	@scripts/setup.sh --check specs
	@cd tests/specs && npm ci --loglevel=error --no-audit --no-fund
	@tests/specs/run.sh build/mapstone

data-test: build ## read rows in SQLite, Parquet, JSON and CSV with the engines of data miners: DuckDB, Arrow, hyparquet, Dask
	@scripts/setup.sh --check data
	@cd tests/data && npm ci --loglevel=error --no-audit --no-fund
	@tests/data/run.sh build/mapstone
	@cd python && PYTHONPATH=. PYTHONDONTWRITEBYTECODE=1 MAPSTONE_LIBRARY=$(CURDIR)/build/libmapstone.so \
	    $(PYTHON) -m pytest --quiet -p no:cacheprovider tests/test_tables.py

site: $(made_by) ## make the site of the documents, tables and headers: out/site (with the page at view/ after `make web`)
	@scripts/setup.sh --check site
	@cd site && npm ci --loglevel=error --no-audit --no-fund
	@node site/build.mjs $(COMMAND) out/site

site-test: site ## follow the site's links, look for a page of every command, format and header, and validate the HTML
	@site/node_modules/.bin/html-validate --config site/.htmlvalidate.json web/page/index.html $$(find out/site -name '*.html' -not -path '*/view/*' -not -path '*/files/*')
	@node site/check.mjs build/mapstone out/site

# The Python for which Debian's packages are installed.
PYTHON ?= /usr/bin/python3
python-test: build ## test the Python package
	@scripts/setup.sh --check python
	@cd python && PYTHONPATH=. PYTHONDONTWRITEBYTECODE=1 MAPSTONE_LIBRARY=$(CURDIR)/build/libmapstone.so \
	    $(PYTHON) -m pytest --quiet -p no:cacheprovider

# Python's own memory is from malloc, so that the sanitizer also sees the buffers of ctypes and numpy.
python-asan: ## test it with the library under the address and undefined behaviour sanitizers
	@scripts/setup.sh --check memory && scripts/setup.sh --check python
	@$(CONFIGURE) asan >/dev/null && $(BUILD) asan --target libmapstone.so
	@cd python && PYTHONPATH=. PYTHONDONTWRITEBYTECODE=1 PYTHONMALLOC=malloc MAPSTONE_LIBRARY=$(CURDIR)/out/asan/libmapstone.so \
	    LD_PRELOAD=$$(clang -print-file-name=libclang_rt.asan-$$(uname -m).so) ASAN_OPTIONS=detect_leaks=0 \
	    $(PYTHON) -m pytest --quiet -p no:cacheprovider --ignore tests/test_package.py

bench: ## build and run the benchmarks (FILE=some.level: on that)
	@scripts/setup.sh --check build
	@$(CONFIGURE) release >/dev/null && $(BUILD) release --target bench
	@build/mapstone convert samples/outpost.json -o build/bench/outpost.level
	@build/mapstone convert samples/bunker.json -o build/bench/L900LEV.MAP
	@build/mapstone convert samples/valley.json -o build/bench/valley.map
	@build/bench/bench_large_level 60 build/bench/large.map
	@mkdir -p build/bench/sfa && build/bench/bench_large_bank 1000 1300 build/bench/sfa
	@build/bench/bench_levels --command build/mapstone \
	    $(or $(FILE),build/bench/outpost.level build/bench/L900LEV.MAP build/bench/valley.map build/bench/large.map build/bench/sfa/mod6.tab build/bench/sfa/animtest.romlist.zlb $(wildcard $(or $(MAPSTONE_CORPUS),../shared/corpus)/ns2/*2fort*.level))
	@build/bench/bench_blocks
	@build/bench/bench_sectors build/mapstone build/bench/sectors
	@build/bench/bench_codecs
	@for size in 0.06 3 60; do build/bench/bench_large_ns2 $$size build/bench/ns2-$$size.level || exit 1; done
	@build/bench/bench_edits build/bench/ns2-0.06.level build/bench/ns2-3.level build/bench/ns2-60.level
	@build/bench/bench_edit_lists build/bench/ns2-3.level build/bench/L900LEV.MAP build/bench/valley.map build/bench/sfa/animtest.romlist.zlb
	@rm -f build/bench/ns2-3.level build/bench/ns2-60.level

instructions: ## count the instructions of operations and of the start: one that takes over 5 % more than bench/instructions.txt fails (WRITE=1: replace it)
	@scripts/setup.sh --check memory
	@$(CONFIGURE) release >/dev/null && $(BUILD) release && $(BUILD) release --target bench
	@bench/instructions.sh build $(if $(WRITE),write)

bench-scale: ## time per byte for levels of 1, 10 and 100 MB (SCALE=1000: and of so many)
	@scripts/setup.sh --check build
	@$(CONFIGURE) release >/dev/null && $(BUILD) release --target bench
	@for size in 1 10 100 $(SCALE); do \
	    build/bench/bench_large_level $$size build/bench/turok-$$size.map && \
	    build/bench/bench_large_ns2 $$size build/bench/ns2-$$size.level || exit 1; done
	@build/bench/bench_levels --brief $(foreach size,1 10 100 $(SCALE),build/bench/turok-$(size).map) \
	    $(foreach size,1 10 100 $(SCALE),build/bench/ns2-$(size).level)
	@rm -f build/bench/turok-*.map build/bench/ns2-*.level

bench-peers: ## compare with Kaitai Struct, assimp and jq, installed from Debian and npm
	@scripts/setup.sh --check build peers
	@$(CONFIGURE) release >/dev/null && $(BUILD) release && $(BUILD) release --target bench
	@mkdir -p build/bench/peers && cp bench/peers/package.json build/bench/peers
	@npm install --loglevel=error --no-audit --no-fund --prefix build/bench/peers
	@build/bench/bench_large_level 10 build/bench/peers/turok.map
	@node bench/peers/peers.mjs build/mapstone build/bench/peers/turok.map build/bench/peers build/bench/peers

examples: build ## build examples/ against an installed copy with CMake and pkg-config, and run them
	@scripts/examples.sh

ci: ## everything that has to pass before a change lands (.ci/run full: longer steps, too)
	@.ci/run

clean: ## remove build/ and out/
	rm -rf build out
