/* Why a person is wanted: what is asked, or what happened that nobody has seen yet. It does not decay by itself. */

import { count, flag, object, oneOf, optional, text, time, type Guard } from "./guards";

export const ATTENTION_KINDS = ["approval", "question", "plan", "error", "finished", "exited"] as const;
export const FORMS = ["command", "diff", "markdown", "question", "text"] as const;

export type AttentionKind = (typeof ATTENTION_KINDS)[number];
/** How `detail` is to be drawn. */
export type Form = (typeof FORMS)[number];

export interface Attention {
    kind: AttentionKind;
    /** With the kind, its identity. */
    since: number;
    /** One line; ends in … where it was cut. */
    text: string;
    /** The whole of it, unless `cut`; null where the line says it all. */
    detail: string | null;
    form: Form;
    /** False for a guess. */
    certain: boolean;
    requestId: string | null;
    tool: string | null;
    /** The subagent that asks. */
    agent: string | null;
    /** How many more requests wait behind this one. */
    more: number;
    cut: boolean;
}

export const attentionOf: Guard<Attention> = (v, path) => {
    const o = object(v, path);
    const at = (field: string) => `${path}.${field}`;
    return {
        kind: oneOf(ATTENTION_KINDS)(o.kind, at("kind")),
        since: time(o.since, at("since")),
        text: text(o.text, at("text")),
        detail: optional(text)(o.detail, at("detail")),
        form: optional(oneOf(FORMS))(o.form, at("form")) ?? "text",
        certain: optional(flag)(o.certain, at("certain")) ?? true,
        requestId: optional(text)(o.requestId, at("requestId")),
        tool: optional(text)(o.tool, at("tool")),
        agent: optional(text)(o.agent, at("agent")),
        more: optional(count)(o.more, at("more")) ?? 0,
        cut: optional(flag)(o.cut, at("cut")) ?? false,
    };
};

/** Whether it waits for an answer; otherwise for being seen. */
export function isRequest({ kind }: Attention): boolean {
    return kind === "approval" || kind === "question" || kind === "plan";
}

const LABELS: Record<AttentionKind, string> = {
    approval: "Approve",
    question: "Question",
    plan: "Plan to review",
    error: "Error",
    finished: "Finished",
    exited: "Exited",
};

/** Nobody said so; it looks like it. */
const GUESSES: Record<AttentionKind, string> = {
    approval: "May be waiting",
    question: "May be waiting",
    plan: "May be waiting",
    error: "May have failed",
    finished: "May be finished",
    exited: "May have exited",
};

/** The kind in a word or two, no surer than it is. */
export function attentionLabel({ kind, certain }: Attention): string {
    return (certain ? LABELS : GUESSES)[kind];
}

/** Smaller is more urgent: what is asked, guesses, what broke off, what is done. */
export function attentionUrgency(a: Attention): number {
    if (isRequest(a)) return a.certain ? 0 : 1;
    return a.kind === "error" ? 2 : 3;
}

/** Equal for the same reason, and for no other. */
export function attentionKey({ kind, since, requestId }: Attention): string {
    return `${kind} ${since} ${requestId ?? ""}`;
}

export interface Choice {
    label: string;
    description: string;
}

export interface Question {
    text: string;
    /** Any number of them may be chosen. */
    any: boolean;
    options: Choice[];
}

const ANY = "(choose any number)";

/** The questions of a detail of that form: an empty line between them, answers behind a dash, further lines of each indented. */
export function questionsOf(detail: string): Question[] {
    return detail
        .split(/\n\n+/)
        .filter((block) => block.trim() !== "")
        .map((block) => {
            const [first, ...rest] = block.replace(/^\n+|\n+$/g, "").split("\n");
            const question: Question = { text: first!, any: false, options: [] };
            for (const line of rest) {
                if (line.startsWith("- ")) question.options.push(choiceOf(line.slice(2)));
                else if (line === ANY) question.any = true;
                else addLine(question, line.replace(/^ {2}/, ""));
            }
            return question;
        });
}

function addLine(question: Question, line: string): void {
    const last = question.options.at(-1);
    if (last) last.description += `${last.description && "\n"}${line}`;
    else question.text += `\n${line}`;
}

function choiceOf(line: string): Choice {
    const at = line.indexOf(": ");
    return at < 0 ? { label: line, description: "" } : { label: line.slice(0, at), description: line.slice(at + 2) };
}

export type DiffMark = "file" | "hunk" | "added" | "removed" | "same";

/** The lines of a small diff and what each of them is; the first one is the file's path. */
export function diffLines(detail: string): { mark: DiffMark; text: string }[] {
    return detail.split("\n").map((line, i) => {
        if (i === 0) return { mark: "file", text: line };
        if (line.startsWith("@@")) return { mark: "hunk", text: line };
        if (line.startsWith("+")) return { mark: "added", text: line.slice(1) };
        if (line.startsWith("-")) return { mark: "removed", text: line.slice(1) };
        return { mark: "same", text: line.startsWith(" ") ? line.slice(1) : line };
    });
}
