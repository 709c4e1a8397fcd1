#!/bin/sh
# What is being built: tools/version.sh           "0.1.0 COMMIT DATE" on standard output, "-" for an unknown commit
#                      tools/version.sh FILE.c    the same as the C file that base/version.h declares, if it has changed
#
# A release is a tag vX.Y.Z. Between releases it is X.Y.Z-dev.N+gCOMMIT (N commits, X.Y.Z as meson.build has it), which sorts
# before X.Y.Z. A tarball has it in the file VERSION; without that and without git it is the number of meson.build.
set -eu
case ${1-} in
'' | /*) file=${1-} ;;
*) file=$PWD/$1 ;;
esac
cd "$(dirname "$0")/.."

base=$(sed -n "s/^ *version: '\([0-9.]*\)',/\1/p" meson.build)

from_git() {
    # A copy of the files inside somebody else's repository is not that repository.
    [ "$(git rev-parse --show-cdup 2>/dev/null || echo none)" = '' ] || return 1
    commit=$(git rev-parse HEAD 2>/dev/null) || return 1
    date=$(git log -1 --format=%cs)
    if git describe --exact-match --match "v$base" HEAD >/dev/null 2>&1; then
        version=$base
    else
        version=$base-dev.$(git rev-list --count HEAD)+g$(git rev-parse --short=7 HEAD)
    fi
    [ -z "$(git status --porcelain --untracked-files=no 2>/dev/null)" ] || version=$version.dirty
}

if [ -f VERSION ]; then
    read -r version commit date <VERSION
elif ! from_git; then
    version=$base commit=- date=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(stat -c %Y meson.build)}" +%F)
fi

if [ -z "$file" ]; then
    echo "$version $commit $date"
    exit
fi

text=$(
    cat <<END
#include "base/version.h"

const char version_text[] = "$version";
const char version_commit[] = "${commit#-}";
const char version_date[] = "$date";
END
)
[ "$(cat "$file" 2>/dev/null)" = "$text" ] || printf '%s\n' "$text" >"$file"
