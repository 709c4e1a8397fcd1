#!/bin/sh
# Inside a Debian that has nothing but apt: installs the package, uses it as a new user would, and purges it.
set -eu
export HOME=/root OSTLER_HOME=/tmp/home DEBIAN_FRONTEND=noninteractive

apt-get install -y --no-install-recommends "$1" >/dev/null
ostler version
ostler-hook --version
ostler-keeper --version
test -f /usr/share/man/man1/ostler.1.gz
test -f /usr/share/man/man1/ostler-run.1.gz
bash -c 'source /usr/share/bash-completion/completions/ostler && complete -p ostler'

ostler serve --detach --port 0
ostler status
echo '{"session_id":"11111111-2222-4333-8444-555555555555","hook_event_name":"SessionStart","cwd":"/srv/clean"}' | ostler-hook
tries=0
until ostler ls | grep -q clean; do # the event is on its way
    tries=$((tries + 1))
    test $tries -lt 200
    sleep 0.05
done
ostler run -d --name clean -- sleep 1000
ostler restart
ostler ls | grep 'sleep 1000'
ostler doctor
ostler kill -y clean
ostler stop

apt-get purge -y ostler >/dev/null
left=$(find / -xdev -path /proc -prune -o -path /tmp -prune -o -path '/var/log/*' -prune -o -name '*ostler*' -print)
test -z "$left" || { echo "left behind: $left" >&2; exit 1; }
echo "clean_debian: all is well"
