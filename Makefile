# make run builds and starts ostler; everything that is missing is installed first. `make help` lists the rest.
PORT   ?=
ARGS   ?=
PREFIX ?= /usr/local
DESTDIR ?=

.DEFAULT_GOAL := build
.PHONY: help run build demo test test-all test-real chaos lint fmt bench screenshot deps install uninstall deb dist clean

help:                  ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | column -t -s '|'

run: build             ## build and serve the board: make run PORT=4000 ARGS="--no-open"
	@exec build/ostler serve $(if $(PORT),--port $(PORT)) $(ARGS)

build:                 ## build/ostler, its hook and its keeper, optimised, with the board inside
	@tools/deps.sh build
	@test -f build/build.ninja || tools/quietly meson setup build -Dtests=false --buildtype=release
	@ninja -C build

demo: build            ## serve the board with make-believe agents
	@exec tools/demo.sh $(if $(PORT),--port $(PORT)) $(ARGS)

test:                  ## lint, then every test with ASan and UBSan
	@tools/deps.sh test
	@exec tools/test.py

test-all:              ## the same, and clang, TSan, valgrind, a minute of fuzzing for each target, the packages
	@tools/deps.sh full
	@exec tools/test.py --all

test-real: build       ## the real CLIs of five agents, from npm, against a scripted model: ARGS="claude"
	@tools/deps.sh real
	@exec tools/node test/real/run.mjs $(ARGS)

chaos: build           ## ten minutes of many faults at once, nothing lost: ARGS="--seed 7 --minutes 2", ARGS="--kills 1000"
	@tools/deps.sh test
	@exec tools/node test/chaos/run.mjs $(ARGS)

lint:                  ## layers, sizes, headers, formatting, clang-tidy, types of the web code
	@tools/deps.sh test
	@exec tools/lint.py

fmt:                   ## format the C code
	@tools/deps.sh test
	@git ls-files -z 'src/*.[ch]' 'test/*.[ch]' | xargs -0 clang-format-14 -i

bench: build           ## measure against the targets
	@tools/deps.sh bench
	@exec tools/node test/bench/run.mjs

screenshot: build      ## docs/screenshots from the demo
	@tools/deps.sh test
	@exec tools/node tools/screenshot.mjs

deps:                  ## install everything that any target needs
	@tools/deps.sh full
	@tools/deps.sh bench

install: build         ## programs, manual, completions, unit: PREFIX=/usr/local DESTDIR=
	@exec tools/install.py install "$(PREFIX)" "$(DESTDIR)"

uninstall:             ## takes them away again
	@exec tools/install.py uninstall "$(PREFIX)" "$(DESTDIR)"

deb:                   ## a package for Debian, in build/
	@tools/deps.sh deb
	@exec tools/deb.sh

dist:                  ## a tarball of the sources, in build/
	@exec tools/dist.sh

clean:                 ## remove everything built
	rm -rf build build-* web/dist
