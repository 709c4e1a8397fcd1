/* How the daemon does: what its HTTP routes answer about itself, the spool and the hooks. */

import { count, flag, listOf, mapOf, number, object, optional, text, time, type Guard } from "./guards";

export interface Health {
    ok: boolean;
    version: string;
    pid: number;
    uptimeMs: number;
    /** Sentences for people. */
    problems: string[];
    /** Likewise, of what is over or troubles nobody: events that were lost, or not understood. */
    hints: string[];
}

/** The way of the events from the hooks to the board. */
export interface Queue {
    processed: number;
    errored: number;
    lastProcessedAt: number | null;
    file: string;
    running: boolean;
    /** Records that were lost or left out, by what became of them. */
    torn: number;
    oversized: number;
    dropped: number;
    duplicates: number;
}

/** Milliseconds over the newest calls. */
export interface Spread {
    avg: number;
    p95: number;
}

export interface EventStats {
    name: string;
    count: number;
    /** In the last minute. */
    rate: number;
    latency: Spread;
    processing: Spread;
}

export interface HookStats {
    total: number;
    perMinute: number;
    refused: number;
    /** Events that the daemon does not know, with how often they came; the most frequent first. */
    unknown: { name: string; count: number }[];
    /** The most frequent first. */
    events: EventStats[];
}

export const healthOf: Guard<Health> = (v, path) => {
    const o = object(v, path);
    return {
        ok: text(o.status, `${path}.status`) === "ok",
        version: text(o.version, `${path}.version`),
        pid: count(o.pid, `${path}.pid`),
        uptimeMs: time(o.uptimeMs, `${path}.uptimeMs`),
        problems: listOf(text)(o.problems, `${path}.problems`),
        hints: optional(listOf(text))(o.hints, `${path}.hints`) ?? [],
    };
};

export const queueOf: Guard<Queue> = (v, path) => {
    const o = object(v, path);
    return {
        processed: count(o.linesProcessed, `${path}.linesProcessed`),
        errored: count(o.linesErrored, `${path}.linesErrored`),
        lastProcessedAt: optional(time)(o.lastProcessedAt, `${path}.lastProcessedAt`),
        file: text(o.queueFile, `${path}.queueFile`),
        running: flag(o.running, `${path}.running`),
        torn: count(o.torn, `${path}.torn`),
        oversized: count(o.oversized, `${path}.oversized`),
        dropped: count(o.dropped, `${path}.dropped`),
        duplicates: count(o.duplicates, `${path}.duplicates`),
    };
};

const spreadOf: Guard<Spread> = (v, path) => {
    const o = object(v, path);
    return { avg: number(o.avg, `${path}.avg`), p95: number(o.p95, `${path}.p95`) };
};

const eventOf: Guard<Omit<EventStats, "name">> = (v, path) => {
    const o = object(v, path);
    return {
        count: count(o.count, `${path}.count`),
        rate: count(o.rate, `${path}.rate`),
        latency: spreadOf(o.latency, `${path}.latency`),
        processing: spreadOf(o.processing, `${path}.processing`),
    };
};

/** By frequency, then by name, so that rows change places only when their counts do. */
function ranked<T extends { count: number }>(map: Map<string, T>): ({ name: string } & T)[] {
    return [...map]
        .map(([name, item]) => ({ name, ...item }))
        .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

const countItem: Guard<{ count: number }> = (v, path) => ({ count: count(v, path) });

export const hookStatsOf: Guard<HookStats> = (v, path) => {
    const o = object(v, path);
    return {
        total: count(o.totalHooks, `${path}.totalHooks`),
        perMinute: count(o.hooksPerMin, `${path}.hooksPerMin`),
        refused: count(o.refused, `${path}.refused`),
        unknown: ranked(optional(mapOf(countItem))(o.unknown, `${path}.unknown`) ?? new Map()),
        events: ranked(mapOf(eventOf)(o.events, `${path}.events`)),
    };
};

/** A conversation that the session held before it was resumed with another id. */
export interface PreviousSession {
    sessionId: string;
    startedAt: number;
    endedAt: number | null;
    promptCount: number;
    toolCalls: number;
    lastPrompt: string;
}

const previousOf: Guard<PreviousSession> = (v, path) => {
    const o = object(v, path);
    return {
        sessionId: text(o.sessionId, `${path}.sessionId`),
        startedAt: time(o.startedAt, `${path}.startedAt`),
        endedAt: optional(time)(o.endedAt, `${path}.endedAt`),
        promptCount: count(o.promptCount, `${path}.promptCount`),
        toolCalls: count(o.toolCalls, `${path}.toolCalls`),
        lastPrompt: optional(text)(o.lastPrompt, `${path}.lastPrompt`) ?? "",
    };
};

/** Of a whole session, the conversations before this one. */
export const previousSessionsOf: Guard<PreviousSession[]> = (v, path) =>
    optional(listOf(previousOf))(object(v, path).previousSessions, `${path}.previousSessions`) ?? [];
