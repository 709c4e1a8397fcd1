#!/bin/sh
# The board with make-believe agents, in a home of its own that is gone afterwards: tools/demo.sh [serve's options]
set -eu
cd "$(dirname "$0")/.."
OSTLER_HOME=$(mktemp -d)
export OSTLER_HOME
build/ostler serve --no-setup "$@" &
daemon=$!
trap 'kill $daemon 2>/dev/null || :; wait $daemon || :; rm -rf "$OSTLER_HOME"' EXIT
trap 'exit 0' INT TERM # Ctrl-C is how a demo ends
until [ -s "$OSTLER_HOME/run/daemon.json" ]; do
    kill -0 $daemon 2>/dev/null || exit 1
    sleep 0.1
done
build/ostler demo || :
wait $daemon
