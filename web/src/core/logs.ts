/* The logs of an open session: lists by position, appended to and corrected in place. */

import { LOG_NAMES, type Logs, type TextEntry, type ToolEntry } from "./messages";

/** More than the daemon sends at once; a session that stays open for days must not grow without end. */
export const LOG_CAP = 2000;

interface Positioned {
    pos: number;
}

/** `list` with `added` in it: a known position is replaced, a new one goes to its place. Both come in order of position. */
export function mergeEntries<T extends Positioned>(list: readonly T[], added: readonly T[]): T[] {
    const out = list.slice();
    for (const entry of added) {
        let i = out.length;
        while (i > 0 && out[i - 1]!.pos > entry.pos) i--;
        if (i > 0 && out[i - 1]!.pos === entry.pos) out[i - 1] = entry;
        else out.splice(i, 0, entry);
    }
    return out.length > LOG_CAP ? out.slice(out.length - LOG_CAP) : out;
}

export function mergeLogs(logs: Logs, added: Partial<Logs>): Logs {
    const out = { ...logs };
    for (const name of LOG_NAMES) {
        const more = added[name];
        if (more) (out as Record<string, unknown>)[name] = mergeEntries<Positioned>(logs[name], more);
    }
    return out;
}

/** One step of a session as the timeline shows it. */
export type Step =
    | ({ kind: "prompt" } & TextEntry)
    | ({ kind: "response" } & TextEntry)
    | ({ kind: "tool" } & ToolEntry);

/* Of one moment, a prompt comes before the tools it led to, and the answer after them. */
const RANK = { prompt: 0, tool: 1, response: 2 };

/** Prompts, tools and responses as one story, newest first. */
export function timeline(logs: Logs): Step[] {
    const steps: Step[] = [
        ...logs.prompts.map((e) => ({ kind: "prompt" as const, ...e })),
        ...logs.tools.map((e) => ({ kind: "tool" as const, ...e })),
        ...logs.responses.map((e) => ({ kind: "response" as const, ...e })),
    ];
    return steps.sort((a, b) => b.timestamp - a.timestamp || RANK[b.kind] - RANK[a.kind] || b.pos - a.pos);
}
