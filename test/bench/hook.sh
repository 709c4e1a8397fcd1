#!/bin/bash
# The usual shape of an agent's hook, for comparison with ostler-hook: bash reads the payload, jq takes it apart and adds
# what the shell knows, and a line is appended to a file. Nothing here is slower than it has to be.
payload=$(cat)
[ -n "$payload" ] || exit 0

event=$(jq -r '.hook_event_name // empty' <<<"$payload") || exit 0
[ -n "$event" ] || exit 0

parent=$PPID
tty=$(ps -o tty= -p "$parent")
sent=$(date +%s%3N)
file=${OSTLER_HOME:-/tmp}/hook-sh.jsonl

jq -c \
    --arg cli claude \
    --arg tty "${tty// /}" \
    --arg term "${TERM_PROGRAM:-}" \
    --arg tmux "${TMUX:-}" \
    --arg vscode "${VSCODE_PID:-}" \
    --argjson pid "$parent" \
    --argjson sent "$sent" \
    '{ostler: {v: 1, via: "hook", cli: $cli, hook_sent_at: $sent, claude_pid: $pid, tty_path: $tty,
               term_program: $term, tmux: $tmux, vscode_pid: $vscode}, payload: .}' \
    <<<"$payload" >>"$file"
exit 0
