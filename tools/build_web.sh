#!/bin/sh
# Builds the web board: build_web.sh <web directory> <output directory> <stamp> <depfile>
# The depfile names every source and every directory of them, so that ninja builds again when one changes or comes.
set -eu
web=$(cd "$1" && pwd)
out=$2 stamp=$3 depfile=$4
root=$(dirname "$web")
mkdir -p "$out"
out=$(cd "$out" && pwd)
if [ ! -d "$web/node_modules" ]; then
    echo "web/node_modules is missing: run tools/deps.sh, or configure with -Dweb=false" >&2
    exit 1
fi
{
    printf '%s:' "$stamp"
    find "$web" \( -name node_modules -o -name dist -o -name '*.tsbuildinfo' -o -name '.*' ! -path "$web" \) -prune -o \( -type f -o -type d \) -print |
        sed 's/[ #$\\]/\\&/g' | sort | tr '\n' ' ' | sed 's/^/ /'
    echo
} >"$depfile"

(cd "$web" && "$root/tools/npm" run --silent build -- --outDir "$out" --emptyOutDir)
: >"$stamp"
