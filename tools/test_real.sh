#!/bin/sh
# make test-real: builds what the tests run, and runs them with the real CLIs. See test/real/run.mjs for its words.
set -eu
cd "$(dirname "$0")/.."
[ -f build-asan/build.ninja ] || tools/quietly meson setup build-asan -Db_sanitize=address,undefined --buildtype=debug
ninja --quiet -C build-asan
exec tools/node test/real/run.mjs "$@"
