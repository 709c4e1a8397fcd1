#!/bin/sh
# A package for the Debian that this runs on: build/ostler_VERSION_ARCHITECTURE.deb
#
# tools/deb.sh [MESON OPTION]…
set -eu
cd "$(dirname "$0")/.."

version=$(tools/version.sh | cut -d ' ' -f 1 | tr - '~') # 0.1.0~dev.42+g… comes before 0.1.0
date=$(tools/version.sh | cut -d ' ' -f 3)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -u -d "$date" +%s)}
export SOURCE_DATE_EPOCH
maintainer="${DEBFULLNAME:-ostler developers} <${DEBEMAIL:-ostler@localhost.localdomain}>"
architecture=$(dpkg --print-architecture)
root=$PWD/build-deb/root

rm -rf build-deb/root
[ -f build-deb/build.ninja ] || tools/quietly meson setup build-deb --prefix=/usr --buildtype=release -Dtests=false "$@"
ninja -C build-deb --quiet
DESTDIR=$root meson install -C build-deb --no-rebuild --quiet --strip

# As Debian has it.
mkdir -p "$root/DEBIAN" "$root/usr/share/lintian/overrides"
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
gzip -9n "$root"/usr/share/man/man1/*.1
doc=$root/usr/share/doc/ostler
{
    echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
    echo 'Upstream-Name: ostler'
    echo
    echo 'Files: *'
    sed -n 's/^Copyright (c) /Copyright: /p' LICENSE
    echo 'License: MIT'
    sed '1,/^Copyright/d; s/^$/./; s/^/ /' LICENSE | sed '1{/^ \.$/d}'
} >"$doc/copyright"
rm "$doc/LICENSE"
printf 'ostler (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.gz"
cat >"$root/usr/share/lintian/overrides/ostler" <<'END'
# Agents run the hook in any environment, and a keeper outlives upgrades of the libraries: both are static on purpose.
ostler: statically-linked-binary *
ostler: hardening-no-pie *
# The programs have pages in common: ostler(1) and one for each of its commands.
ostler: no-manual-page *
END

# What the program is linked against, as packages.
mkdir -p build-deb/shlibs/debian
echo 'Source: ostler' >build-deb/shlibs/debian/control
depends=$(cd build-deb/shlibs && dpkg-shlibdeps -O "$root/usr/bin/ostler" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { echo "deb: dpkg-shlibdeps does not tell what ostler needs" >&2; exit 1; }

(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
cat >"$root/DEBIAN/control" <<END
Package: ostler
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: $depends
Suggests: xdg-utils
Section: devel
Priority: optional
Description: look after AI coding agents
 ostler watches every AI coding agent of a machine (Claude Code, Gemini CLI,
 Codex CLI) through its own hooks and shows them on one live board in the
 browser: who works, on what, who waits for an approval, who is done.
 .
 It hosts them, too, in terminals that outlive a closed browser and a
 restarted daemon.
END
find "$root" -type d -exec chmod 755 {} +
deb=build/ostler_${version}_$architecture.deb
mkdir -p build
dpkg-deb --root-owner-group --build "$root" "$deb" >/dev/null
echo "$deb"
