/*
 * Every message of `ostler.board.v1`, both ways, and the guards that admit them. docs/protocol.md is the contract; this
 * is its only other copy on this side. A guard takes what the page describes and drops fields it does not know, so that
 * a newer daemon may add some; anything else is a ProtocolError with the path of the offender.
 */

import type { Answer } from "./answer";
import { attentionOf, type Attention } from "./attention";
import {
    ProtocolError,
    count,
    flag,
    listOf,
    name,
    object,
    oneOf,
    optional,
    text,
    time,
    type Guard,
    type Json,
} from "./guards";
import { hookStatsOf, type HookStats } from "./health";
import { awayOf, type Answered, type Away } from "./inbox";
import type { Looked } from "./looked";
import { requestOf, STATES, type Request } from "./request";
import { screenTextOf, terminalOf, type ScreenText, type Terminal } from "./terminals";
import { findingOf, transcriptOf, type Finding, type Transcript } from "./transcript";

export { ProtocolError };

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
export const CLIS = ["claude", "gemini", "codex", "copilot", "opencode"] as const;
export const EVIDENCE_SOURCES = ["hook", "timer", "process", "screen", "file", "answer"] as const;
export const TEAM_ROLES = ["leader", "member"] as const;

export type Status = (typeof STATUSES)[number];
export type Kind = (typeof KINDS)[number];
export type Cli = (typeof CLIS)[number];
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number];
export type TeamRole = (typeof TEAM_ROLES)[number];

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
    endedAt: number | null;
    error: Failure | null;
    /** Null while nobody has looked at it; always for others than Claude Code. */
    transcript: Transcript | null;
    currentPrompt: string | null;
    tool: ToolNow | null;
    pendingTool: string | null;
    pendingToolDetail: string | null;
    waitingDetail: string | null;
    /** Why a person is wanted; null: nobody is. */
    attention: Attention | null;
    /** What the agent said last; ends in … where it was cut. Null where the attention says it: see lastWordsOf. */
    lastWords: string | null;
    lastSubagentName: string | null;
    source: string | null;
    model: string | null;
    permissionMode: string | null;
    label: string | null;
    /** Nobody is notified of it. */
    muted: boolean | null;
    summary: string | null;
    accentColor: string | null;
    characterModel: string | null;
    teamId: string | null;
    teamRole: TeamRole | null;
    teamName: string | null;
    /** Who it is in its team. */
    agentName: string | null;
    agentType: string | null;
    agentColor: string | null;
    /** The terminal of ours that it runs in, and the one before. */
    terminalId: string | null;
    lastTerminalId: string | null;
    /** Null for an agent; `terminal` for a shell or a command. */
    workerType: string | null;
}

/** Agents that work together: one that leads, and those it started. */
export interface Team {
    teamId: string;
    /** Null when the leader left the board. */
    parentId: string | null;
    childIds: string[];
    teamName: string | null;
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
    | { type: "snapshot"; seq: number; sessions: Summary[]; teams: Team[] }
    | { type: "session_update"; seq: number; id: string; patch: Patch }
    | { type: "session_removed"; seq: number; id: string; sessionId: string | null }
    | { type: "team_update"; seq: number; team: Team }
    | { type: "team_removed"; seq: number; teamId: string }
    | { type: "replay"; sinceSeq: number; seq: number; count: number }
    | ({ type: "session_detail"; id: string } & Logs)
    | ({ type: "session_log"; id: string } & Partial<Logs>)
    | { type: "hook_stats"; stats: HookStats }
    | { type: "ready" }
    | ({ type: "session.status"; sessionId: string } & Finding)
    | { type: "session.repair.activity"; sessionId: string; event: string }
    | { type: "terminal_state"; terminal: Terminal }
    | { type: "terminal_removed"; terminalId: string }
    | { type: "terminal_screen"; terminalId: string; screen: ScreenText }
    | { type: "inbox"; requests: Request[]; away: Away | null }
    | { type: "approval"; request: Request }
    | { type: "away"; away: Away | null }
    | ({ type: "answered" } & Answered)
    | { type: "error"; error: string };

export type ClientMessage =
    | { type: "replay"; sinceSeq: number }
    | { type: "open"; id: string }
    | { type: "close"; id: string }
    | { type: "stats"; on: boolean }
    | { type: "hello"; sessions: Looked }
    | { type: "terminal_thumbnails"; terminalIds: readonly string[] }
    | { type: "inbox"; on: boolean }
    | ({ type: "answer"; id: string; ref: number; digest: string } & Answer);

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
    endedAt: optional(time),
    error: optional(failure),
    transcript: optional(transcriptOf),
    currentPrompt: optional(text),
    tool: optional(toolNow),
    pendingTool: optional(text),
    pendingToolDetail: optional(text),
    waitingDetail: optional(text),
    attention: optional(attentionOf),
    lastWords: optional(text),
    lastSubagentName: optional(text),
    source: optional(text),
    model: optional(text),
    permissionMode: optional(text),
    label: optional(text),
    muted: optional(flag),
    summary: optional(text),
    accentColor: optional(text),
    characterModel: optional(text),
    teamId: optional(name),
    teamRole: optional(oneOf(TEAM_ROLES)),
    teamName: optional(text),
    agentName: optional(text),
    agentType: optional(text),
    agentColor: optional(text),
    terminalId: optional(name),
    lastTerminalId: optional(name),
    workerType: optional(text),
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

const teamOf: Guard<Team> = (v, path) => {
    const o = object(v, path);
    return {
        teamId: name(o.teamId, `${path}.teamId`),
        parentId: optional(name)(o.parentId, `${path}.parentId`),
        childIds: listOf(name)(o.childIds, `${path}.childIds`),
        teamName: optional(text)(o.teamName, `${path}.teamName`),
    };
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
        teams: optional(listOf(teamOf))(o.teams, "teams") ?? [],
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
    team_update: (o) => ({ type: "team_update", seq: count(o.seq, "seq"), team: teamOf(o.team, "team") }),
    team_removed: (o) => ({ type: "team_removed", seq: count(o.seq, "seq"), teamId: name(o.teamId, "teamId") }),
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
    hook_stats: (o) => ({ type: "hook_stats", stats: hookStatsOf(o.stats, "stats") }),
    ready: () => ({ type: "ready" }),
    "session.status": (o) => ({
        type: "session.status",
        sessionId: name(o.sessionId, "sessionId"),
        ...findingOf(o, "message"),
    }),
    "session.repair.activity": (o) => ({
        type: "session.repair.activity",
        sessionId: name(o.sessionId, "sessionId"),
        event: text(o.event, "event"),
    }),
    terminal_state: (o) => ({ type: "terminal_state", terminal: terminalOf(o.terminal, "terminal") }),
    terminal_removed: (o) => ({ type: "terminal_removed", terminalId: name(o.terminalId, "terminalId") }),
    terminal_screen: (o) => ({
        type: "terminal_screen",
        terminalId: name(o.terminalId, "terminalId"),
        screen: screenTextOf(o, "screen"),
    }),
    inbox: (o) => ({
        type: "inbox",
        requests: listOf(requestOf)(o.approvals, "approvals"),
        away: optional(awayOf)(o.away, "away"),
    }),
    approval: (o) => ({ type: "approval", request: requestOf(o.approval, "approval") }),
    away: (o) => ({ type: "away", away: optional(awayOf)(o.away, "away") }),
    answered: (o) => ({
        type: "answered",
        id: name(o.id, "id"),
        ref: count(o.ref, "ref"),
        ok: flag(o.ok, "ok"),
        state: optional(oneOf(STATES))(o.state, "state"),
        error: optional(text)(o.error, "error"),
    }),
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
