/* What an agent asks of a person, as the inbox has it, and what became of it. docs/inbox.md is the contract. */

import { FORMS, type Form } from "./attention";
import { flag, ifFits, listOf, name, object, oneOf, optional, text, time, type Guard, type Json } from "./guards";

export const REQUEST_KINDS = ["approval", "question", "plan"] as const;
export const STATES = ["open", "allowed", "denied", "desk", "expired", "gone"] as const;
export const DECISIONS = ["allow", "deny", "always"] as const;
export const PLACES = ["session", "localSettings", "projectSettings", "userSettings"] as const;

export type RequestKind = (typeof REQUEST_KINDS)[number];
export type RequestState = (typeof STATES)[number];
export type Decision = (typeof DECISIONS)[number];
/** Where a rule is written. */
export type Place = (typeof PLACES)[number];

export interface Rule {
    rule: string;
    where: Place;
}

export interface Asked {
    question: string;
    header: string;
    multiSelect: boolean;
    options: { label: string; description: string }[];
}

/** An answer from some device that is on its way. */
export interface OnItsWay {
    decision: Decision;
    at: number;
    by: string | null;
}

export interface Request {
    id: string;
    /** The card's stable id; null when it has none any more. */
    session: string | null;
    title: string;
    project: string;
    cli: string;
    kind: RequestKind;
    tool: string | null;
    /** The subagent that asks. */
    agent: string | null;
    text: string;
    detail: string | null;
    form: Form;
    certain: boolean;
    input: Json | null;
    questions: Asked[] | null;
    /** What may be answered; a newer daemon may know more than this page. */
    can: ReadonlySet<string>;
    why: string | null;
    via: string | null;
    rules: Rule[];
    modes: string[];
    digest: string;
    same: string | null;
    state: RequestState;
    answer: OnItsWay | null;
    note: string | null;
    askedAt: number;
    endedAt: number | null;
    by: string | null;
}

export const ruleOf: Guard<Rule> = (v, path) => {
    const o = object(v, path);
    return { rule: text(o.rule, `${path}.rule`), where: oneOf(PLACES)(o.where, `${path}.where`) };
};

const askedOf: Guard<Asked> = (v, path) => {
    const o = object(v, path);
    return {
        question: text(o.question, `${path}.question`),
        header: optional(text)(o.header, `${path}.header`) ?? "",
        multiSelect: optional(flag)(o.multiSelect, `${path}.multiSelect`) ?? false,
        options: (optional(listOf(object))(o.options, `${path}.options`) ?? []).map((option, i) => ({
            label: text(option.label, `${path}.options[${i}].label`),
            description: optional(text)(option.description, `${path}.options[${i}].description`) ?? "",
        })),
    };
};

const onItsWayOf: Guard<OnItsWay> = (v, path) => {
    const o = object(v, path);
    return {
        decision: oneOf(DECISIONS)(o.decision, `${path}.decision`),
        at: time(o.at, `${path}.at`),
        by: optional(text)(o.by, `${path}.by`),
    };
};

export const requestOf: Guard<Request> = (v, path) => {
    const o = object(v, path);
    const at = (field: string) => `${path}.${field}`;
    return {
        id: name(o.id, at("id")),
        session: optional(text)(o.session, at("session")),
        title: optional(text)(o.title, at("title")) ?? "",
        project: optional(text)(o.project, at("project")) ?? "",
        cli: optional(text)(o.cli, at("cli")) ?? "",
        kind: oneOf(REQUEST_KINDS)(o.kind, at("kind")),
        tool: optional(text)(o.tool, at("tool")),
        agent: optional(text)(o.agent, at("agent")),
        text: optional(text)(o.text, at("text")) ?? "",
        detail: optional(text)(o.detail, at("detail")),
        form: optional(oneOf(FORMS))(o.form, at("form")) ?? "text",
        certain: optional(flag)(o.certain, at("certain")) ?? true,
        input: ifFits(object)(o.input, at("input")),
        questions: ifFits(listOf(askedOf))(o.questions, at("questions")),
        can: new Set(optional(listOf(text))(o.can, at("can")) ?? []),
        why: optional(text)(o.why, at("why")),
        via: optional(text)(o.via, at("via")),
        rules: optional(listOf(ruleOf))(o.rules, at("rules")) ?? [],
        modes: optional(listOf(text))(o.modes, at("modes")) ?? [],
        digest: optional(text)(o.digest, at("digest")) ?? "",
        same: optional(text)(o.same, at("same")),
        state: oneOf(STATES)(o.state, at("state")),
        answer: optional(onItsWayOf)(o.answer, at("answer")),
        note: optional(text)(o.note, at("note")),
        askedAt: time(o.askedAt, at("askedAt")),
        endedAt: optional(time)(o.endedAt, at("endedAt")),
        by: optional(text)(o.by, at("by")),
    };
};

const KIND_WORDS: Record<RequestKind, string> = {
    approval: "Approve",
    question: "Question",
    plan: "Plan to review",
};

/** The kind in a word or two, no surer than it is. */
export function kindWords({ kind, certain }: Request): string {
    return certain ? KIND_WORDS[kind] : "May be waiting";
}

/** Who asks: `Fix it, alpha`. An automatic title says the project already. */
export function whoOf({ title, project }: Request): { project: string; title: string } {
    const head = `${project} #`;
    const match = title.startsWith(head) ? /^\d+ — (.+)$/s.exec(title.slice(head.length)) : null;
    return { project, title: match ? match[1]! : title === project ? "" : title };
}

/** What is asked in one line, for lists, labels and announcements. */
export function lineOf(r: Request): string {
    const whole = r.form === "command" && r.detail !== null ? r.detail : r.text;
    const line = whole.trim().replace(/\s+/g, " ");
    return line || kindWords(r);
}

const ALLOWED: Record<RequestKind, string> = {
    approval: "Allowed here",
    question: "Answered here",
    plan: "Approved here",
};
const DENIED: Record<RequestKind, string> = {
    approval: "Denied here",
    question: "Declined here",
    plan: "Sent back from here",
};

/** What became of it, in words; "" while it is open. */
export function endWords({ state, kind }: Pick<Request, "state" | "kind">): string {
    switch (state) {
        case "open":
            return "";
        case "allowed":
            return ALLOWED[kind];
        case "denied":
            return DENIED[kind];
        case "desk":
            return "Answered at the desk";
        case "expired":
            return "Expired: nobody can answer it any more";
        case "gone":
            return "Gone: its agent ended, or went on without an answer";
    }
}

/** The same with who did it: `Allowed here, by Chrome 140 on Android`. */
export function endSentence(r: Pick<Request, "state" | "kind" | "by">): string {
    return r.by === null ? endWords(r) : `${endWords(r)}, by ${r.by}`;
}

const DOING: Record<Decision, string> = { allow: "Allowing", deny: "Denying", always: "Allowing always" };

/** What is being done about it, while that is not yet so. */
export function doingWords(decision: Decision, kind: RequestKind): string {
    if (kind === "question" && decision === "allow") return "Answering";
    if (kind === "question") return "Declining";
    if (kind === "plan") return decision === "deny" ? "Sending back" : "Approving";
    return DOING[decision];
}

/** Where a rule is written, for people. */
export const PLACE_WORDS: Record<Place, string> = {
    session: "this session only",
    localSettings: "this project, for you (.claude/settings.local.json)",
    projectSettings: "this project, for everybody in it (.claude/settings.json)",
    userSettings: "all your projects (~/.claude/settings.json)",
};

const MODE_WORDS = new Map([
    ["default", "ask before each edit"],
    ["acceptEdits", "let it edit without asking"],
    ["auto", "auto mode"],
    ["bypassPermissions", "ask for nothing"],
    ["plan", "stay in plan mode"],
]);

/** How an approved plan goes on; a mode that this page does not know is called by its name. */
export function modeWords(mode: string): string {
    return MODE_WORDS.get(mode) ?? mode;
}
