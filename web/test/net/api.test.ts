import { expect, test } from "vitest";
import { Api, ApiError } from "../../src/net/api";

const api = (status: number, body: string) => new Api(async () => new Response(body, { status }));

test("health, queue and earlier conversations are read", async () => {
    const health = { status: "degraded", version: "0.1.0", pid: 7, uptimeMs: 5, problems: ["the disk is full"], hints: ["one was lost"] };
    expect(await api(200, JSON.stringify(health)).health()).toEqual({
        ok: false,
        version: "0.1.0",
        pid: 7,
        uptimeMs: 5,
        problems: ["the disk is full"],
        hints: ["one was lost"],
    });
    const queue = {
        linesProcessed: 9,
        linesErrored: 1,
        lastProcessedAt: null,
        queueFile: "/spool",
        running: true,
        torn: 0,
        oversized: 0,
        dropped: 0,
        duplicates: 2,
    };
    expect(await api(200, JSON.stringify(queue)).queue()).toMatchObject({ processed: 9, errored: 1, lastProcessedAt: null });
    const previous = { sessionId: "x", startedAt: 1, endedAt: null, promptCount: 2, toolCalls: 3, lastPrompt: "Why?" };
    expect(await api(200, JSON.stringify({ previousSessions: [previous] })).previousSessions("a")).toEqual([previous]);
    expect(await api(200, "{}").previousSessions("a")).toEqual([]);
    const found = { status: "repaired", chainDepth: 9, orphansFixed: 2 };
    expect(await api(200, JSON.stringify({ sessionId: "a", ...found })).repair("a")).toEqual({ ...found, message: null });
    expect(await api(200, '{"id":"s1"}').stableId("an older name")).toBe("s1");
});

test.each([
    [404, '{"error":"Session not found"}', "Session not found"],
    [500, "<html>", "the daemon answers 500"],
    [200, "<html>", "not understood"],
    [200, '{"status":"ok"}', "not understood"],
])("an answer of %i %j is an error that says so", async (status, body, words) => {
    const error = await api(status, body).health().catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).message).toContain(words);
    expect((error as ApiError).status).toBe(status);
});
