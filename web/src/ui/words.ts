/* Words on cards that are made of several fields. */

import type { Cli, EvidenceSource, Summary } from "../core/messages";
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

/** What a source of evidence is to a person. */
const SOURCES: Record<EvidenceSource, (event: string) => string> = {
    hook: (event) => `hook ${event}`,
    timer: (event) => (event === "auto-idle" ? "nothing came for a while" : "no answer came in time"),
    process: (event) => (event === "exit" ? "its process ended" : `its process: ${event}`),
    screen: (event) => `its screen: ${event}`,
};

/** `Working since 14:02:11 · hook PreToolUse 14:05:40`: why the board believes what it shows. */
export function evidenceOf(s: Summary): string {
    const since = `${STATUS_INFO[s.status].label} since ${clockTime(s.statusSince)}`;
    if (!s.statusEvidence) return since;
    const { source, event, at } = s.statusEvidence;
    return `${since} · ${SOURCES[source](event)}${at === s.statusSince ? "" : ` ${clockTime(at)}`}`;
}

/** `1 tool call`, `2 tool calls`. */
export function plural(n: number, word: string): string {
    return `${number(n)} ${word}${n === 1 ? "" : "s"}`;
}

/** `12,345`. */
export function number(n: number): string {
    return n.toLocaleString("en");
}

/** Milliseconds as people compare them: `0.42 ms`, `8.3 ms`, `120 ms`, `1.4 s`. */
export function duration(ms: number): string {
    if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
    return `${ms.toFixed(ms >= 100 ? 0 : ms >= 1 ? 1 : 2)} ms`;
}
