/* Words on cards that are made of several fields. */

import type { Cli, Summary } from "../core/messages";
import { STATUS_INFO } from "../core/status";
import { clockTime } from "../core/time";

const CLI_NAMES: Record<Cli, string> = { claude: "Claude", gemini: "Gemini", codex: "Codex" };

/** `Claude opus-4-6`: the CLI and its model without saying either twice. */
export function modelOf(s: Summary): string {
    const cli = CLI_NAMES[s.cli];
    if (!s.model) return cli;
    const prefix = `${s.cli}-`;
    return `${cli} ${s.model.startsWith(prefix) ? s.model.slice(prefix.length) : s.model}`;
}

/** `Working since 14:02:11 · hook PreToolUse 14:05:40`: why the board believes what it shows. */
export function evidenceOf(s: Summary): string {
    const since = `${STATUS_INFO[s.status].label} since ${clockTime(s.statusSince)}`;
    if (!s.statusEvidence) return since;
    const { source, event, at } = s.statusEvidence;
    return `${since} · ${source} ${event}${at === s.statusSince ? "" : ` ${clockTime(at)}`}`;
}

/** `1 tool call`, `2 tool calls`. */
export function plural(n: number, word: string): string {
    return `${n} ${word}${n === 1 ? "" : "s"}`;
}

/** A colour that people set, if it is one. */
export function safeColor(value: string | null): string | null {
    return value && /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value) ? value : null;
}
