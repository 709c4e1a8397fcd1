/* What a status means to a person: its words, its place in the order, and what the session wants. */

import type { Status, Summary } from "./messages";

/** How much a card asks for attention; also its colour. */
export type Tone = "needs" | "turn" | "busy" | "idle" | "ended";

interface StatusInfo {
    label: string;
    /** Before an elapsed time: `working 2m 14s`. */
    verb: string;
    tone: Tone;
    /** Smaller is more urgent. */
    urgency: number;
}

export const STATUS_INFO: Record<Status, StatusInfo> = {
    approval: { label: "Needs approval", verb: "asking for", tone: "needs", urgency: 0 },
    input: { label: "Needs an answer", verb: "asking for", tone: "needs", urgency: 0 },
    waiting: { label: "Your turn", verb: "waiting", tone: "turn", urgency: 1 },
    prompting: { label: "Thinking", verb: "thinking", tone: "busy", urgency: 2 },
    working: { label: "Working", verb: "working", tone: "busy", urgency: 2 },
    connecting: { label: "Starting", verb: "starting", tone: "busy", urgency: 2 },
    idle: { label: "Idle", verb: "idle", tone: "idle", urgency: 3 },
    ended: { label: "Ended", verb: "ended", tone: "ended", urgency: 4 },
};

export function toneOf(s: Summary): Tone {
    return STATUS_INFO[s.status].tone;
}

/** Whether its last turn broke off and nothing has begun since. */
export function hasFailed(s: Summary): boolean {
    return s.error !== null && (toneOf(s) === "turn" || toneOf(s) === "idle");
}

/** The status in a word or two. */
export function labelOf(s: Summary): string {
    return hasFailed(s) ? "Stopped by an error" : STATUS_INFO[s.status].label;
}

/** What a group of one tone is called. */
export const TONE_NAMES: Record<Tone, string> = {
    needs: "Needs you",
    turn: "Your turn",
    busy: "Working",
    idle: "Idle",
    ended: "Ended",
};

/** The tones as they stand below each other, the most urgent first. */
export const TONES = Object.keys(TONE_NAMES) as Tone[];

/** Whether closing its card could surprise: somebody works there, or waits for an answer. */
export function isBusy(s: Summary): boolean {
    const tone = toneOf(s);
    return tone === "busy" || tone === "needs";
}

export function needsYou(s: Summary): boolean {
    return toneOf(s) === "needs";
}

/** Whether an agent works there; otherwise it is a shell, or some command. */
export function isAgent(s: Summary): boolean {
    return s.workerType === null || s.workerType === "agent";
}

/** The name on the card. */
export function titleOf(s: Summary): string {
    return s.title || s.projectName;
}

/** An automatic title without the project it lies in: `alpha #1 — Fix it` is `#1` and `Fix it`. */
export function shortTitle(s: Summary): { number: string; text: string } {
    const title = titleOf(s);
    const head = `${s.projectName} #`;
    if (!title.startsWith(head)) return { number: "", text: title };
    const match = /^(\d+) — (.+)$/s.exec(title.slice(head.length));
    return match ? { number: `#${match[1]}`, text: match[2]! } : { number: "", text: title };
}

/** `“Fix it”`: what a sentence calls it. */
export function nameOf(s: Summary): string {
    return `“${shortTitle(s).text}”`;
}

/** The newest prompt, unless the title says the same already. */
export function newsOf(s: Summary): string {
    const prompt = s.currentPrompt?.trim() ?? "";
    const said = shortTitle(s).text.toLowerCase();
    // An automatic title leaves out no more than a polite opening and the full stop.
    const same = prompt.toLowerCase().includes(said) && prompt.length - said.length < 16;
    return same ? "" : prompt;
}

/** What it waits for an answer about, in one line, or "" when nothing is pending. */
export function askOf(s: Summary): string {
    if (!needsYou(s)) return "";
    if (s.pendingTool) return s.pendingToolDetail ? `${s.pendingTool} — ${s.pendingToolDetail}` : s.pendingTool;
    return s.waitingDetail ?? "";
}

/** The whole status in words, for labels and announcements: `Needs approval: Bash — rm -rf build`. */
export function sentenceOf(s: Summary): string {
    const ask = askOf(s);
    const label = labelOf(s);
    return ask ? `${label}: ${ask}` : label;
}

export interface Counts {
    needs: number;
    working: number;
    waiting: number;
    idle: number;
    ended: number;
}

const COUNTED: Record<Tone, keyof Counts> = {
    needs: "needs",
    turn: "waiting",
    busy: "working",
    idle: "idle",
    ended: "ended",
};

export function countByTone(sessions: Iterable<Summary>): Counts {
    const counts: Counts = { needs: 0, working: 0, waiting: 0, idle: 0, ended: 0 };
    for (const s of sessions) counts[COUNTED[toneOf(s)]]++;
    return counts;
}

export function sameCounts(a: Counts, b: Counts): boolean {
    return (Object.keys(a) as (keyof Counts)[]).every((tone) => a[tone] === b[tone]);
}
