#!/bin/sh
# A tarball of what is committed, with its version in it: build/ostler-VERSION.tar.gz. The same commit gives the same bytes.
set -eu
cd "$(dirname "$0")/.."

git rev-parse --git-dir >/dev/null 2>&1 || { echo "dist: this is no git repository" >&2; exit 1; }
[ -z "$(git status --porcelain --untracked-files=no)" ] || echo "dist: what is not committed is left out" >&2

about=$(tools/version.sh | sed 's/\.dirty / /')
name=ostler-${about%% *}
mkdir -p build
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
echo "$about" >"$stage/VERSION"
# git gives every file the commit's time, those it adds, too; gzip is told to note none.
git archive --format=tar --prefix="$name/" --add-file="$stage/VERSION" HEAD | gzip -9n >"build/$name.tar.gz.new"
mv "build/$name.tar.gz.new" "build/$name.tar.gz"
echo "build/$name.tar.gz"
