/* What is sent to a request, and how it is put together from what a person chose. */

import type { Json } from "./guards";
import type { Asked, Decision, Place, Request } from "./request";
import { shown } from "./shown";

/** The members of an answer but for the request's id and its digest. */
export interface Answer {
    decision: Decision;
    message?: string;
    answers?: Record<string, string | string[]>;
    input?: Json;
    rule?: string;
    where?: Place;
    mode?: string;
    stop?: boolean;
}

export const MESSAGE_MAX = 16_000;

/** Whether it can be answered with this from here. */
export function canBe(r: Request, what: string): boolean {
    return r.state === "open" && r.can.has(what);
}

/** Whether it can be answered from here at all. */
export function isAnswerable(r: Request): boolean {
    return r.state === "open" && r.can.size > 0;
}

/** A denial, with the reason and the end of the turn where those are possible. */
export function denial(r: Request, reason: string, stop: boolean): Answer {
    const message = reason.trim();
    return {
        decision: "deny",
        ...(message !== "" && r.can.has("message") && { message }),
        ...(stop && r.can.has("stop") && { stop: true }),
    };
}

/** The command that may be edited before it is allowed; null where that cannot be done faithfully. */
export function editableCommand(r: Request): string | null {
    const command = r.input?.command;
    if (!canBe(r, "input") || typeof command !== "string") return null;
    // In a field it would not be seen what such characters do.
    return shown(command) === command ? command : null;
}

/** Allowed with another command; the rest of the input is as it was. */
export function withCommand(r: Request, command: string): Answer {
    return { decision: "allow", input: { ...r.input, command } };
}

/** What is chosen in a form of questions: labels, and words of one's own. */
export interface Choices {
    labels: ReadonlySet<string>;
    /** Whether the words of one's own count. */
    other: boolean;
    words: string;
}

export const NOTHING_CHOSEN: Choices = { labels: new Set(), other: false, words: "" };

/** Chooses a label, or takes it back. Of one that takes a single answer, it is the only one then. */
export function choose(q: Asked, now: Choices, label: string): Choices {
    if (!q.multiSelect) return { ...now, labels: new Set([label]), other: false };
    const labels = new Set(now.labels);
    if (!labels.delete(label)) labels.add(label);
    return { ...now, labels };
}

/** Chooses words of one's own. */
export function chooseOther(q: Asked, now: Choices, on: boolean): Choices {
    return { ...now, labels: q.multiSelect || !on ? now.labels : new Set(), other: on };
}

/** The answer to one question; null while there is none. */
function answerTo(q: Asked, { labels, other, words }: Choices): string | string[] | null {
    const own = other ? words.trim() : "";
    // In the order in which they stand, whatever the order in which they were chosen.
    const all = q.options.map((o) => o.label).filter((label) => labels.has(label));
    if (own !== "") all.push(own);
    if (all.length === 0 || (other && own === "")) return null;
    return q.multiSelect ? all : all[0]!;
}

/** How many questions still want an answer. */
export function unanswered(questions: readonly Asked[], chosen: readonly Choices[]): number {
    return questions.filter((q, i) => answerTo(q, chosen[i] ?? NOTHING_CHOSEN) === null).length;
}

/** The answers by the questions' texts; null while one is missing. */
export function answersOf(questions: readonly Asked[], chosen: readonly Choices[]): Answer | null {
    const entries: [string, string | string[]][] = [];
    for (const [i, q] of questions.entries()) {
        const answer = answerTo(q, chosen[i] ?? NOTHING_CHOSEN);
        if (answer === null) return null;
        entries.push([q.question, answer]);
    }
    // Not by assignment: a question may be called __proto__.
    return { decision: "allow", answers: Object.fromEntries(entries) };
}
