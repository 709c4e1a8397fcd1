#!/bin/sh
# Manual pages and completions, made by ostler itself of its command table: tools/share.sh OSTLER DIRECTORY
set -eu
ostler=$1 share=$2

rm -rf "$share"
mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
"$ostler" help --man >"$share/man/man1/ostler.1"
for command in $("$ostler" help --names); do
    "$ostler" help --man "$command" >"$share/man/man1/ostler-$command.1"
done
"$ostler" completion bash >"$share/bash-completion/completions/ostler"
"$ostler" completion zsh >"$share/zsh/site-functions/_ostler"
"$ostler" completion fish >"$share/fish/vendor_completions.d/ostler.fish"
