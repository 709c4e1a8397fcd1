#!/bin/sh
# Installs what is missing for a build, a test run, a package or a benchmark: tools/deps.sh build|test|real|full|deb|bench
#
# Every package has a probe, a command or a file, so that a tool which came from elsewhere counts, and so that a run
# with nothing to do forks almost nothing and prints nothing. It never asks: it works without a terminal.
set -eu
cd "$(dirname "$0")/.."

want=${1:-build}
case $want in
build) groups=' build ' ;;
test) groups=' build test ' ;;
real) groups=' build test real ' ;;
full) groups=' build test full ' ;;
deb) groups=' build deb ' ;;
bench) groups=' build bench ' ;;
*) echo "usage: tools/deps.sh build|test|real|full|deb|bench" >&2; exit 2 ;;
esac

# group  package  probe: a command, or a path (which may be a pattern)
packages='
build ca-certificates    /etc/ssl/certs/ca-certificates.crt
build gcc                gcc
build libc6-dev          /usr/include/stdio.h
build make               make
build meson              meson
build ninja-build        ninja
build pkg-config         pkg-config
build python3            python3
build musl-tools         musl-gcc
build libuv1-dev         /usr/include/uv.h
build node-llhttp        /usr/share/llhttp/llhttp.c
build libwslay-dev       /usr/include/wslay/wslay.h
build libsqlite3-dev     /usr/include/sqlite3.h
build libzstd-dev        /usr/include/zstd.h
build libpcre2-dev       /usr/include/pcre2.h
build libssl-dev         /usr/include/openssl/evp.h
build nodejs             node
build npm                npm
test  libcmocka-dev      /usr/include/cmocka.h
test  libjansson-dev     /usr/include/jansson.h
test  clang-format-14    clang-format-14
test  clang-tidy         clang-tidy
test  sqlite3            sqlite3
test  chromium           chromium
test  vim-tiny           vi
test  tmux               tmux
test  nginx-light        /usr/sbin/nginx
test  zsh                zsh
test  fish               fish
test  man-db             man
test  mandoc             mandoc
test  xfsprogs           mkfs.xfs
test  btrfs-progs        mkfs.btrfs
real  iproute2           ip
real  util-linux         unshare
real  git                git
full  clang              clang
full  libclang-rt-14-dev /usr/lib/llvm-14/lib/clang/*/lib/linux
full  valgrind           valgrind
full  dpkg-dev           dpkg-shlibdeps
full  lintian            lintian
full  mmdebstrap         mmdebstrap
deb   dpkg-dev           dpkg-shlibdeps
bench jq                 jq
bench wrk                wrk
bench time               /usr/bin/time
bench dtach              dtach
bench tmux               tmux
bench chromium           chromium
'

die() {
    echo "deps: $*" >&2
    exit 1
}

present() {
    case $1 in
    /*) for path in $1; do [ -e "$path" ] && return 0; done; return 1 ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

find_missing() {
    missing=
    set -f
    # shellcheck disable=SC2086
    set -- $packages
    set +f
    while [ $# -ge 3 ]; do
        case $groups in
        *" $1 "*) present "$3" || missing="$missing $2" ;;
        esac
        shift 3
    done
}

# Settles first how to become root, so that whoever cannot is told in one sentence what to install.
become_root() {
    by_hand="please run as root: apt-get install --no-install-recommends$missing"
    if [ "$(id -u)" = 0 ]; then
        as_root='env'
    elif ! command -v sudo >/dev/null; then
        die "some packages are missing and there is no sudo; $by_hand"
    elif [ -t 0 ]; then
        as_root='sudo env'
    else
        as_root='sudo -n env'
        sudo -n true 2>/dev/null || die "some packages are missing and sudo wants a password, but there is no terminal; $by_hand"
    fi
}

# apt_get WORD…: quiet unless it fails.
apt_get() {
    $as_root DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=300 "$@" >.deps/apt.log 2>&1 </dev/null ||
        { cat .deps/apt.log >&2; die "apt-get $1 failed; please install:$missing"; }
}

install_packages() {
    command -v apt-get >/dev/null || die "please install with your package manager (Debian's names):$missing"
    become_root
    echo "deps: installing$missing (this takes a minute or two)"
    $as_root dpkg --configure -a >/dev/null 2>&1 </dev/null || : # where an earlier installation was cut short
    apt_get update
    # shellcheck disable=SC2086
    apt_get install --no-install-recommends $missing
}

# Vite needs Node 20.19 or newer, and Debian 12 has 18. npm's registry carries Node itself as a package for each platform.
node_known() {
    [ -x .deps/node_modules/.bin/node ] && return
    # shellcheck disable=SC3013 # dash has it
    [ .deps/node.checked -nt "$(command -v node)" ]
}

check_node() {
    if node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'; then
        touch .deps/node.checked
        return
    fi
    case $(uname -m) in
    x86_64) arch=x64 ;;
    aarch64) arch=arm64 ;;
    *) die "Node $(node --version) is too old and npm has none for $(uname -m); please install Node 20.19 or newer" ;;
    esac
    echo "deps: Node $(node --version) is too old for the web build; taking Node 22 from npm into .deps"
    [ -f .deps/package.json ] || echo '{"private": true}' >.deps/package.json
    quiet npm install --prefix .deps --no-save --fund=false --audit=false "node-linux-$arch@22" npm@10
    [ -x .deps/node_modules/.bin/node ] || die "npm installed no Node for $arch"
}

quiet() {
    "$@" >.deps/npm.log 2>&1 </dev/null || { cat .deps/npm.log >&2; die "$* failed"; }
}

# A copy of the lock file inside node_modules tells what is installed there.
modules_current() {
    [ ! -f "$1/package-lock.json" ] || cmp -s "$1/package-lock.json" "$1/node_modules/.installed-lock.json"
}

# A registry that mirrors only some platforms makes `npm ci` refuse a lock file over packages that are not for this
# machine; a plain install takes the same versions and leaves those out.
install_modules() {
    echo "deps: npm packages for $1/"
    npm=$PWD/tools/npm log=$PWD/.deps/npm.log
    (cd "$1" && { "$npm" ci || "$npm" install --no-save; }) >"$log" 2>&1 </dev/null || { cat "$log" >&2; die "npm ci in $1/ failed"; }
    cp "$1/package-lock.json" "$1/node_modules/.installed-lock.json"
}

module_dirs=web
case $want in build | deb) ;; *) module_dirs='web test/e2e' ;; esac

all_present() {
    find_missing
    [ -z "$missing" ] && node_known || return 1
    for dir in $module_dirs; do
        modules_current "$dir" || return 1
    done
}

all_present && exit 0

mkdir -p .deps
exec 9>.deps/lock
flock 9 # two makes at once: the second finds everything done
find_missing
[ -z "$missing" ] || install_packages
node_known || check_node
for dir in $module_dirs; do
    modules_current "$dir" || install_modules "$dir"
done
