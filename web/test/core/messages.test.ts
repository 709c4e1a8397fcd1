import { describe, expect, test } from "vitest";
import { ProtocolError, parseServerMessage } from "../../src/core/messages";
import { session, transcript } from "../session";

const parse = (message: unknown) => parseServerMessage(JSON.stringify(message));

function refusal(message: unknown): string {
    const result = parse(message);
    if (!(result instanceof ProtocolError)) throw new Error(`was taken: ${JSON.stringify(result)}`);
    return result.message;
}

describe("messages that the daemon sends", () => {
    test("welcome", () => {
        const welcome = { type: "welcome", schema: 1, version: "0.1.0", seq: 7, now: 1794770780025, hook: "/opt/ostler-hook" };
        expect(parse(welcome)).toEqual(welcome);
        // Another schema's welcome must be understood far enough to see that it is another one.
        expect(parse({ type: "welcome", schema: 2, version: "9", seq: 7 })).toMatchObject({ schema: 2, now: null, hook: null });
    });

    test.each(["hook", "timer", "process", "screen", "file", "answer"])("a status may rest on: %s", (source) => {
        const statusEvidence = { source, event: "busy", at: 1 };
        expect(parse({ type: "snapshot", seq: 3, sessions: [session("a", { statusEvidence } as object)] })).toMatchObject({ sessions: [{ statusEvidence }] });
    });

    test("snapshot: absent fields become null", () => {
        const { label, endedAt, tool, permissionMode, model, ...sparse } = session("a");
        expect(parse({ type: "snapshot", seq: 3, sessions: [sparse] })).toEqual({
            type: "snapshot",
            seq: 3,
            sessions: [{ ...session("a"), model: null }],
            teams: [],
        });
    });

    test("a newer daemon may add fields", () => {
        const result = parse({ type: "snapshot", seq: 3, sessions: [{ ...session("a"), mood: "sunny" }] });
        expect(result).toMatchObject({ type: "snapshot", sessions: [{ id: "a" }] });
        expect(JSON.stringify(result)).not.toContain("sunny");
    });

    test("update: only what is there, and null stays null", () => {
        const message = {
            type: "session_update",
            seq: 9,
            id: "a",
            patch: { status: "working", tool: { tool: "Bash", input: "make", since: 5 }, waitingDetail: null },
        };
        expect(parse(message)).toEqual(message);
    });

    test("update with the id that was before", () => {
        const message = { type: "session_update", seq: 9, id: "a", patch: { sessionId: "new", replacesId: "old" } };
        expect(parse(message)).toEqual(message);
    });

    test("removal, replay and error", () => {
        const removed = { type: "session_removed", seq: 9, id: "a", sessionId: "agent-a" };
        const replay = { type: "replay", sinceSeq: 3, seq: 9, count: 2 };
        const error = { type: "error", error: "unknown session: x" };
        expect([parse(removed), parse(replay), parse(error)]).toEqual([removed, replay, error]);
    });

    test("teams, with what the board does not need left out", () => {
        const team = { teamId: "t", parentId: "a", childIds: ["b"], teamName: "squad" };
        const sent = { ...team, parentSessionId: "x", childSessionIds: ["y"], createdAt: 5 };
        expect(parse({ type: "snapshot", seq: 1, sessions: [], teams: [sent] })).toMatchObject({ teams: [team] });
        expect(parse({ type: "team_update", seq: 2, team: { ...sent, parentId: null } })).toEqual({
            type: "team_update",
            seq: 2,
            team: { ...team, parentId: null },
        });
        const removed = { type: "team_removed", seq: 3, teamId: "t" };
        expect(parse(removed)).toEqual(removed);
        expect(refusal({ type: "team_update", seq: 2, team: { ...sent, childIds: [7] } })).toContain("team.childIds[0]");
    });

    test("the hooks' figures, the most frequent first", () => {
        const spread = (avg: number) => ({ avg, min: 0, max: 9, p95: 8 });
        const event = (count: number) => ({ count, rate: 1, latency: spread(1.5), processing: spread(0.25) });
        const stats = {
            totalHooks: 5,
            hooksPerMin: 2,
            refused: 3,
            unknown: { New: 1, Newer: 2 },
            events: { Stop: event(1), PreToolUse: event(4), __proto__x: event(1) },
            sampledAt: 1,
        };
        const parsed = parse({ type: "hook_stats", stats });
        expect(parsed).toMatchObject({ stats: { total: 5, perMinute: 2, refused: 3 } });
        if (!("stats" in parsed)) throw new Error("no stats");
        expect(parsed.stats.events.map((e) => e.name)).toEqual(["PreToolUse", "Stop", "__proto__x"]);
        expect(parsed.stats.events[0]).toMatchObject({ count: 4, rate: 1, latency: { avg: 1.5, p95: 8 } });
        expect(parsed.stats.unknown).toEqual([
            { name: "Newer", count: 2 },
            { name: "New", count: 1 },
        ]);
        expect(refusal({ type: "hook_stats", stats: { ...stats, events: { Stop: {} } } })).toContain("stats.events.Stop.count");
        const { unknown, ...older } = stats;
        expect(parse({ type: "hook_stats", stats: older })).toMatchObject({ stats: { unknown: [] } });
    });

    test("a transcript: in the session, and in the answer to hello", () => {
        const { message, ...sparse } = transcript({ status: "repaired", linksFixed: 3 });
        expect(parse({ type: "session_update", seq: 1, id: "a", patch: { transcript: sparse } })).toEqual({
            type: "session_update",
            seq: 1,
            id: "a",
            patch: { transcript: { ...sparse, message: null } },
        });
        expect(parse({ type: "ready" })).toEqual({ type: "ready" });
        expect(parse({ type: "session.status", sessionId: "a", status: "missing" })).toEqual({
            type: "session.status",
            sessionId: "a",
            status: "missing",
            chainDepth: null,
            orphansFixed: 0,
            message: null,
        });
        const activity = { type: "session.repair.activity", event: "scanned", sessionId: "a", orphanCount: 2 };
        expect(parse(activity)).toEqual({ type: "session.repair.activity", event: "scanned", sessionId: "a" });
    });

    test("a transcript's status and an activity that only a newer daemon knows", () => {
        const odd = { status: "quarantined" };
        expect(parse({ type: "snapshot", seq: 1, sessions: [{ ...session("a"), transcript: odd }] })).toMatchObject({
            sessions: [{ transcript: { status: "quarantined", chainDepth: 0, checkedAt: null } }],
        });
        expect(parse({ type: "session.status", sessionId: "a", ...odd })).toMatchObject(odd);
        expect(parse({ type: "session.repair.activity", sessionId: "a", event: "paused" })).toMatchObject({ event: "paused" });
    });

    test("detail and log", () => {
        const tool = { pos: 1, tool: "Bash", input: "make", timestamp: 5 };
        const whole = { ...tool, failed: false, error: null };
        expect(
            parse({ type: "session_detail", id: "a", prompts: [], tools: [tool], responses: [], events: [] }),
        ).toEqual({ type: "session_detail", id: "a", prompts: [], tools: [whole], responses: [], events: [] });
        expect(parse({ type: "session_log", id: "a", tools: [{ ...tool, failed: true, error: "exit 2" }] })).toEqual({
            type: "session_log",
            id: "a",
            tools: [{ ...tool, failed: true, error: "exit 2" }],
        });
    });
});

describe("messages that nobody should send", () => {
    test("not JSON, not an object, no type", () => {
        expect(parseServerMessage("{")).toBeInstanceOf(ProtocolError);
        expect(refusal([])).toContain("message");
        expect(refusal(null)).toContain("message");
        expect(refusal({})).toContain("type");
    });

    test("an unknown type, also one that every object has", () => {
        expect(refusal({ type: "orders" })).toContain("orders");
        expect(refusal({ type: "constructor" })).toContain("constructor");
        expect(refusal({ type: "__proto__" })).toContain("__proto__");
    });

    test.each([
        ["status", "asleep"],
        ["status", null],
        ["kind", "other"],
        ["startedAt", "2026-01-01"],
        ["startedAt", -1],
        ["toolCalls", 1.5],
        ["title", null],
        ["sessionId", ""],
        ["tool", "Bash"],
        ["teamRole", "boss"],
        ["agentColor", 7],
        ["transcript", "healthy"],
        ["transcript", { status: "healthy", chainDepth: -1 }],
        ["statusEvidence", { source: "rumour", event: "x", at: 1 }],
    ])("a snapshot whose %s is %j", (field, value) => {
        const path = refusal({ type: "snapshot", seq: 1, sessions: [session("a"), { ...session("b"), [field]: value }] });
        expect(path).toContain(`sessions[1].${field}`);
    });

    test("a whole-session snapshot, as plain clients get it", () => {
        expect(refusal({ type: "snapshot", seq: 1, sessions: { a: session("a") }, teams: {} })).toContain("sessions");
    });

    test("a patch with a wrong field, and none", () => {
        expect(refusal({ type: "session_update", seq: 1, id: "a", patch: { toolCalls: "3" } })).toContain("patch.toolCalls");
        expect(refusal({ type: "session_update", seq: 1, id: "a" })).toContain("patch");
    });

    test("a log entry without a position", () => {
        const message = { type: "session_log", id: "a", prompts: [{ text: "hi", timestamp: 1 }] };
        expect(refusal(message)).toContain("prompts[0].pos");
    });
});
