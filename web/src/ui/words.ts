/* Words on cards that are made of several fields. */

import type { Cli, Summary } from "../core/messages";
import { isAgent, labelOf, sinceOf } from "../core/status";
import { clockTime } from "../core/time";
import { markOf, type Transcript } from "../core/transcript";
import type { Refusal } from "../net/door";

const CLI_NAMES: Record<Cli, string> = {
    claude: "Claude",
    gemini: "Gemini",
    codex: "Codex",
    copilot: "Copilot",
    opencode: "opencode",
};

/** `Claude opus-4-6`: the CLI and its model without saying either twice. What is no agent is its command. */
export function modelOf(s: Summary): string {
    if (!isAgent(s)) return s.model || "shell";
    const cli = CLI_NAMES[s.cli];
    if (!s.model) return cli;
    const prefix = `${s.cli}-`;
    return `${cli} ${s.model.startsWith(prefix) ? s.model.slice(prefix.length) : s.model}`;
}

/** Evidence that is no hook, in words. */
const REASONS: Readonly<Record<string, string>> = {
    "timer approval": "its tool gave no sign for a while",
    "timer auto-idle": "nothing came for a while",
    "timer resume": "the resumed agent did not come",
    "process exit": "its process ended",
    "process kill": "ended from the board",
    "process terminal": "its terminal closed",
    "answer answer": "answered from here",
};

/** `Working since 14:02:11 · hook PreToolUse 14:05:40`: why the board believes what it shows. */
export function evidenceOf(s: Summary): string {
    const since = `${labelOf(s)} since ${clockTime(sinceOf(s))}`;
    if (!s.statusEvidence) return since;
    const { source, event, at } = s.statusEvidence;
    const reason = `${source} ${event}`;
    return `${since} · ${REASONS[reason] ?? reason}${at === sinceOf(s) ? "" : ` ${clockTime(at)}`}`;
}

/** A path as a shell takes it. */
export function quoted(path: string): string {
    return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

const TRANSCRIPT_WORDS = new Map([
    ["repaired", "mended"],
    ["corrupted", "will be mended when the agent pauses"],
    ["missing", "No transcript on disk yet: a resume would start fresh."],
    ["unreadable", "cannot be read"],
    ["unrecoverable", "broken"],
]);

/** `healthy · 294 messages deep`. */
export function transcriptWords(t: Transcript | null): string {
    if (t === null) return "not checked yet";
    if (t.status === "corrupted" && t.message !== null) return t.message;
    const words = TRANSCRIPT_WORDS.get(t.status) ?? t.status;
    const said = t.status === "missing" || t.status === "corrupted" || t.chainDepth === 0;
    return said ? words : `${words} · ${plural(t.chainDepth, "message")} deep`;
}

/** `310 messages in the file · repaired: 3 links`, as far as there is something to say. */
export function transcriptFigures(t: Transcript | null): string {
    const inFile = t && t.messageCount > 0 && `${plural(t.messageCount, "message")} in the file`;
    const fixed = t && t.linksFixed > 0 && `repaired: ${plural(t.linksFixed, "link")}`;
    return [inFile, fixed].filter(Boolean).join(" · ");
}

/** The mark on the card and the sentence behind it; null for what needs no words. */
export function markWords(t: Transcript | null, now: number): { mark: "mended" | "broken"; text: string; title: string } | null {
    const mark = markOf(t, now);
    if (mark === null) return null;
    if (mark === "mended") {
        const fixed = t!.linksFixed > 0 ? `${plural(t!.linksFixed, "broken link")} of its transcript` : "its transcript";
        return { mark, text: "history mended", title: `History mended: ${fixed} repaired, so a resume finds all of it` };
    }
    const why = t!.status === "unreadable" ? "its transcript cannot be read" : "its transcript could not be mended";
    return { mark, text: "history broken", title: `History broken: ${t!.message ?? why}` };
}

/** `1 tool call`, `2 tool calls`. */
export function plural(n: number, word: string): string {
    return `${number(n)} ${word}${n === 1 ? "" : "s"}`;
}

const NUMBERS = new Intl.NumberFormat("en");

/** `12,345`. */
export function number(n: number): string {
    return n < 1000 ? String(n) : NUMBERS.format(n);
}

/** Milliseconds as people compare them: `0.42 ms`, `8.3 ms`, `120 ms`, `1.4 s`. */
export function duration(ms: number): string {
    if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
    return `${ms.toFixed(ms >= 100 ? 0 : ms >= 1 ? 1 : 2)} ms`;
}

/** Why one is not let in. How long to wait is on the button, where it does not speak every second. */
export function refusalWords(refusal: Refusal | null, waiting: boolean): string {
    switch (refusal?.kind) {
        case undefined:
            return "";
        case "wrong":
            return "That is not the password.";
        case "wait":
            return waiting ? "Too many tries: please wait." : "You may try again now.";
        case "offline":
            return "The daemon does not answer.";
        case "other":
            return refusal.words;
    }
}
