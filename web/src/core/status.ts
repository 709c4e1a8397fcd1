/*
 * What a session's state means to a person: its words, its place in the order, and what the session wants. What it wants is
 * its attention; the status says only what it does meanwhile.
 */

import { attentionLabel, attentionUrgency, isRequest, type AttentionKind } from "./attention";
import type { Status, Summary } from "./messages";

/** How much a card asks for attention; also its colour. */
export type Tone = "needs" | "failed" | "done" | "busy" | "running" | "idle" | "ended";

/** What is drawn in front of the words. */
export type Shape = AttentionKind | "prompting" | "working" | "connecting" | "running" | "waiting" | "idle" | "ended";

interface StatusInfo {
    label: string;
    tone: Tone;
    shape: Shape;
}

/** Of an agent. That a status is `approval` or `input` means no more than that it is not done: whether it asks, its attention says. */
const STATUS_INFO: Record<Status, StatusInfo> = {
    approval: { label: "Working", tone: "busy", shape: "working" },
    input: { label: "Working", tone: "busy", shape: "working" },
    waiting: { label: "Your turn", tone: "idle", shape: "waiting" },
    prompting: { label: "Thinking", tone: "busy", shape: "prompting" },
    working: { label: "Working", tone: "busy", shape: "working" },
    connecting: { label: "Starting", tone: "busy", shape: "connecting" },
    idle: { label: "Idle", tone: "idle", shape: "idle" },
    ended: { label: "Ended", tone: "ended", shape: "ended" },
};

/** Of a shell or a command: it runs or it does not; what it does, its screen shows. */
function programInfo(status: Status): StatusInfo {
    if (status === "ended") return { label: "Exited", tone: "ended", shape: "exited" };
    if (status === "connecting") return STATUS_INFO.connecting;
    return { label: "Running", tone: "running", shape: "running" };
}

function infoOf(s: Summary): StatusInfo {
    return isAgent(s) ? STATUS_INFO[s.status] : programInfo(s.status);
}

/** Whether its last turn broke off and nothing has begun since. */
export function hasFailed(s: Summary): boolean {
    if (s.attention !== null) return s.attention.kind === "error";
    return s.error !== null && infoOf(s).tone === "idle";
}

export function toneOf(s: Summary): Tone {
    if (hasFailed(s)) return "failed";
    if (s.attention === null) return infoOf(s).tone;
    return isRequest(s.attention) ? "needs" : "done";
}

export function shapeOf(s: Summary): Shape {
    return s.attention?.kind ?? (hasFailed(s) ? "error" : infoOf(s).shape);
}

/** The state in a word or two. */
export function labelOf(s: Summary): string {
    if (s.attention !== null) return attentionLabel(s.attention);
    return hasFailed(s) ? "Stopped by an error" : infoOf(s).label;
}

/** What it does, whoever is wanted: `Working`, `Running`. */
export function statusLabel(s: Summary): string {
    return infoOf(s).label;
}

/** Since when it is so. What broke off did so then, whatever the status became meanwhile. */
export function sinceOf(s: Summary): number {
    if (s.attention !== null) return s.attention.since;
    return hasFailed(s) ? s.error!.at : s.statusSince;
}

/** What a group of one tone is called. */
export const TONE_NAMES: Record<Tone, string> = {
    needs: "Needs you",
    failed: "Errors",
    done: "Finished",
    busy: "Working",
    running: "Running",
    idle: "Idle",
    ended: "Ended",
};

/** The tones as they stand below each other, the most urgent first. */
export const TONES = Object.keys(TONE_NAMES) as Tone[];

/** Smaller is more urgent. */
export function urgencyOf(s: Summary): number {
    return s.attention ? attentionUrgency(s.attention) : TONES.indexOf(toneOf(s)) + 4;
}

/** Whether closing its card could surprise: somebody works there, or waits for an answer. */
export function isBusy(s: Summary): boolean {
    const tone = toneOf(s);
    return tone === "busy" || tone === "needs";
}

export function needsYou(s: Summary): boolean {
    return s.attention !== null;
}

/** Whether it is over. Its card stays for a while, apart from those that live. */
export function hasEnded(s: Summary): boolean {
    return s.status === "ended";
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

/** What it wants, in one line, or "" when it wants nothing. */
export function askOf(s: Summary): string {
    return s.attention && s.attention.text !== attentionLabel(s.attention) ? s.attention.text : "";
}

/** The whole state in words, for labels and announcements: `Approve: Run rm -rf build`. */
export function sentenceOf(s: Summary): string {
    const ask = askOf(s);
    const label = labelOf(s);
    return ask ? `${label}: ${ask}` : label;
}

/** How many there are of each tone, and how many want a person, of whatever tone. */
export type Counts = Record<Tone | "wanting", number>;

/** What the board can be narrowed to. */
export type Only = keyof Counts;

export function isOf(s: Summary, only: Only): boolean {
    return only === "wanting" ? needsYou(s) : toneOf(s) === only;
}

export function countSessions(sessions: Iterable<Summary>): Counts {
    const counts: Counts = { wanting: 0, needs: 0, failed: 0, done: 0, busy: 0, running: 0, idle: 0, ended: 0 };
    for (const s of sessions) {
        counts[toneOf(s)]++;
        if (needsYou(s)) counts.wanting++;
    }
    return counts;
}

export function sameCounts(a: Counts, b: Counts): boolean {
    return (Object.keys(a) as Only[]).every((what) => a[what] === b[what]);
}

/** What the agent said last. The news that it is finished has it in full, and then it is told only there. */
export function lastWordsOf({ lastWords, attention }: Summary): string | null {
    return lastWords ?? attention?.detail ?? attention?.text ?? null;
}
