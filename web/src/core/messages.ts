/*
 * Every message of `ostler.board.v1`, both ways, and the guards that admit them. docs/protocol.md is the contract; this
 * is its only other copy on this side. A guard takes what the page describes and drops fields it does not know, so that
 * a newer daemon may add some; anything else is a ProtocolError with the path of the offender.
 */

export const SUBPROTOCOL = "ostler.board.v1";
export const SCHEMA = 1;

export const STATUSES = [
    "idle",
    "prompting",
    "working",
    "approval",
    "input",
    "waiting",
    "ended",
    "connecting",
] as const;
export const KINDS = ["observed", "worktree", "quick"] as const;
export const CLIS = ["claude", "gemini", "codex"] as const;
export const EVIDENCE_SOURCES = ["hook", "timer", "process", "screen"] as const;
export const ANIMATIONS = ["Idle", "Walking", "Running", "Waiting", "Death", "Dance"] as const;
export const EMOTES = ["Wave", "ThumbsUp", "Jump", "Yes"] as const;

export type Status = (typeof STATUSES)[number];
export type Kind = (typeof KINDS)[number];
export type Cli = (typeof CLIS)[number];
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number];
export type Animation = (typeof ANIMATIONS)[number];
export type Emote = (typeof EMOTES)[number];

/** What set a status, and when. */
export interface Evidence {
    source: EvidenceSource;
    event: string;
    at: number;
}

/** A tool in flight. */
export interface ToolNow {
    tool: string;
    input: string;
    since: number;
}

/** What broke the last turn off. */
export interface Failure {
    kind: string;
    detail: string;
    at: number;
}

/** What the board knows of every session. Absent and null are the same on the wire; here it is always null. */
export interface Summary {
    id: string;
    sessionId: string;
    kind: Kind;
    cli: Cli;
    projectPath: string;
    projectName: string;
    title: string;
    status: Status;
    /** Since when it is as it is; thinking and using tools are one piece of work. */
    statusSince: number;
    startedAt: number;
    lastActivityAt: number;
    promptCount: number;
    toolCalls: number;
    totalToolCalls: number;
    subagentCount: number;
    statusEvidence: Evidence | null;
    animationState: Animation | null;
    emote: Emote | null;
    endedAt: number | null;
    error: Failure | null;
    currentPrompt: string | null;
    tool: ToolNow | null;
    pendingTool: string | null;
    pendingToolDetail: string | null;
    waitingDetail: string | null;
    lastSubagentName: string | null;
    source: string | null;
    model: string | null;
    permissionMode: string | null;
    label: string | null;
    summary: string | null;
    accentColor: string | null;
    characterModel: string | null;
}

/** Changed fields; null takes a field away. `replacesId` is the `sessionId` before, in the one update that changed it. */
export type Patch = Partial<Summary> & { replacesId?: string | null };

export interface TextEntry {
    pos: number;
    text: string;
    timestamp: number;
}

export interface ToolEntry {
    pos: number;
    tool: string;
    input: string;
    timestamp: number;
    failed: boolean;
    error: string | null;
}

export interface EventEntry {
    pos: number;
    type: string;
    detail: string;
    timestamp: number;
}

/** The logs of one session by name; an append carries only the lists that grew. */
export interface Logs {
    prompts: TextEntry[];
    tools: ToolEntry[];
    responses: TextEntry[];
    events: EventEntry[];
}

export type ServerMessage =
    | { type: "welcome"; schema: number; version: string; seq: number; now: number | null; hook: string | null }
    | { type: "snapshot"; seq: number; sessions: Summary[] }
    | { type: "session_update"; seq: number; id: string; patch: Patch }
    | { type: "session_removed"; seq: number; id: string; sessionId: string | null }
    | { type: "replay"; sinceSeq: number; seq: number; count: number }
    | ({ type: "session_detail"; id: string } & Logs)
    | ({ type: "session_log"; id: string } & Partial<Logs>)
    | { type: "error"; error: string };

export type ClientMessage =
    | { type: "replay"; sinceSeq: number }
    | { type: "open"; id: string }
    | { type: "close"; id: string };

/** Why a message was not taken; for the console, not for people. */
export class ProtocolError extends Error {
    override name = "ProtocolError";
}

type Json = Record<string, unknown>;
type Guard<T> = (value: unknown, path: string) => T;

function fail(path: string, wanted: string): never {
    throw new ProtocolError(`${path}: expected ${wanted}`);
}

const object: Guard<Json> = (v, path) =>
    typeof v === "object" && v !== null && !Array.isArray(v) ? (v as Json) : fail(path, "an object");
const text: Guard<string> = (v, path) => (typeof v === "string" ? v : fail(path, "a string"));
const name: Guard<string> = (v, path) => (text(v, path) !== "" ? (v as string) : fail(path, "a non-empty string"));
const flag: Guard<boolean> = (v, path) => (typeof v === "boolean" ? v : fail(path, "true or false"));
const time: Guard<number> = (v, path) =>
    typeof v === "number" && Number.isFinite(v) && v >= 0 ? v : fail(path, "a time in milliseconds");
const count: Guard<number> = (v, path) =>
    Number.isSafeInteger(v) && (v as number) >= 0 ? (v as number) : fail(path, "a count");

function oneOf<T extends string>(words: readonly T[]): Guard<T> {
    return (v, path) => (words.includes(v as T) ? (v as T) : fail(path, `one of ${words.join(", ")}`));
}

function optional<T>(guard: Guard<T>): Guard<T | null> {
    return (v, path) => (v === null || v === undefined ? null : guard(v, path));
}

function listOf<T>(guard: Guard<T>): Guard<T[]> {
    return (v, path) => (Array.isArray(v) ? v.map((item, i) => guard(item, `${path}[${i}]`)) : fail(path, "a list"));
}

const evidence: Guard<Evidence> = (v, path) => {
    const o = object(v, path);
    return {
        source: oneOf(EVIDENCE_SOURCES)(o.source, `${path}.source`),
        event: text(o.event, `${path}.event`),
        at: time(o.at, `${path}.at`),
    };
};

const failure: Guard<Failure> = (v, path) => {
    const o = object(v, path);
    return {
        kind: text(o.kind, `${path}.kind`),
        detail: text(o.detail, `${path}.detail`),
        at: time(o.at, `${path}.at`),
    };
};

const toolNow: Guard<ToolNow> = (v, path) => {
    const o = object(v, path);
    return {
        tool: text(o.tool, `${path}.tool`),
        input: optional(text)(o.input, `${path}.input`) ?? "",
        since: time(o.since, `${path}.since`),
    };
};

const SUMMARY: { [K in keyof Summary]: Guard<Summary[K]> } = {
    id: name,
    sessionId: name,
    kind: oneOf(KINDS),
    cli: oneOf(CLIS),
    projectPath: text,
    projectName: text,
    title: text,
    status: oneOf(STATUSES),
    statusSince: time,
    startedAt: time,
    lastActivityAt: time,
    promptCount: count,
    toolCalls: count,
    totalToolCalls: count,
    subagentCount: count,
    statusEvidence: optional(evidence),
    animationState: optional(oneOf(ANIMATIONS)),
    emote: optional(oneOf(EMOTES)),
    endedAt: optional(time),
    error: optional(failure),
    currentPrompt: optional(text),
    tool: optional(toolNow),
    pendingTool: optional(text),
    pendingToolDetail: optional(text),
    waitingDetail: optional(text),
    lastSubagentName: optional(text),
    source: optional(text),
    model: optional(text),
    permissionMode: optional(text),
    label: optional(text),
    summary: optional(text),
    accentColor: optional(text),
    characterModel: optional(text),
};

const SUMMARY_FIELDS = Object.keys(SUMMARY) as (keyof Summary)[];

/** A whole summary out of anything; throws ProtocolError. */
export const summaryOf: Guard<Summary> = (v, path) => {
    const o = object(v, path);
    const out: Json = {};
    for (const field of SUMMARY_FIELDS) out[field] = SUMMARY[field](o[field], `${path}.${field}`);
    return out as unknown as Summary;
};

const patchOf: Guard<Patch> = (v, path) => {
    const o = object(v, path);
    const out: Json = {};
    for (const field of SUMMARY_FIELDS)
        if (o[field] !== undefined) out[field] = SUMMARY[field](o[field], `${path}.${field}`);
    if (o.replacesId !== undefined) out.replacesId = optional(text)(o.replacesId, `${path}.replacesId`);
    return out as Patch;
};

const textEntry: Guard<TextEntry> = (v, path) => {
    const o = object(v, path);
    return {
        pos: count(o.pos, `${path}.pos`),
        text: text(o.text, `${path}.text`),
        timestamp: time(o.timestamp, `${path}.timestamp`),
    };
};

const toolEntry: Guard<ToolEntry> = (v, path) => {
    const o = object(v, path);
    return {
        pos: count(o.pos, `${path}.pos`),
        tool: text(o.tool, `${path}.tool`),
        input: optional(text)(o.input, `${path}.input`) ?? "",
        timestamp: time(o.timestamp, `${path}.timestamp`),
        failed: optional(flag)(o.failed, `${path}.failed`) ?? false,
        error: optional(text)(o.error, `${path}.error`),
    };
};

const eventEntry: Guard<EventEntry> = (v, path) => {
    const o = object(v, path);
    return {
        pos: count(o.pos, `${path}.pos`),
        type: text(o.type, `${path}.type`),
        detail: optional(text)(o.detail, `${path}.detail`) ?? "",
        timestamp: time(o.timestamp, `${path}.timestamp`),
    };
};

const LOGS: { [K in keyof Logs]: Guard<Logs[K]> } = {
    prompts: listOf(textEntry),
    tools: listOf(toolEntry),
    responses: listOf(textEntry),
    events: listOf(eventEntry),
};

export const LOG_NAMES = Object.keys(LOGS) as (keyof Logs)[];

function logsOf(o: Json): Partial<Logs> {
    const out: Json = {};
    for (const list of LOG_NAMES)
        if (o[list] !== undefined && o[list] !== null) out[list] = LOGS[list](o[list], list);
    return out as Partial<Logs>;
}

const MESSAGES: { [T in ServerMessage["type"]]: (o: Json) => Extract<ServerMessage, { type: T }> } = {
    welcome: (o) => ({
        type: "welcome",
        schema: count(o.schema, "schema"),
        version: text(o.version, "version"),
        seq: count(o.seq, "seq"),
        now: optional(time)(o.now, "now"),
        hook: optional(text)(o.hook, "hook"),
    }),
    snapshot: (o) => ({
        type: "snapshot",
        seq: count(o.seq, "seq"),
        sessions: listOf(summaryOf)(o.sessions, "sessions"),
    }),
    session_update: (o) => ({
        type: "session_update",
        seq: count(o.seq, "seq"),
        id: name(o.id, "id"),
        patch: patchOf(o.patch, "patch"),
    }),
    session_removed: (o) => ({
        type: "session_removed",
        seq: count(o.seq, "seq"),
        id: name(o.id, "id"),
        sessionId: optional(text)(o.sessionId, "sessionId"),
    }),
    replay: (o) => ({
        type: "replay",
        sinceSeq: count(o.sinceSeq, "sinceSeq"),
        seq: count(o.seq, "seq"),
        count: count(o.count, "count"),
    }),
    session_detail: (o) => ({
        type: "session_detail",
        id: name(o.id, "id"),
        prompts: LOGS.prompts(o.prompts, "prompts"),
        tools: LOGS.tools(o.tools, "tools"),
        responses: LOGS.responses(o.responses, "responses"),
        events: LOGS.events(o.events, "events"),
    }),
    session_log: (o) => ({ type: "session_log", id: name(o.id, "id"), ...logsOf(o) }),
    error: (o) => ({ type: "error", error: text(o.error, "error") }),
};

/** Reads one frame of the daemon. Never throws. */
export function parseServerMessage(frame: string): ServerMessage | ProtocolError {
    try {
        const o = object(JSON.parse(frame), "message");
        const type = text(o.type, "type");
        if (!Object.hasOwn(MESSAGES, type)) return new ProtocolError(`type: unknown message ${type.slice(0, 40)}`);
        return MESSAGES[type as ServerMessage["type"]](o);
    } catch (e) {
        if (e instanceof ProtocolError) return e;
        return new ProtocolError(`not JSON: ${(e as Error).message}`);
    }
}
