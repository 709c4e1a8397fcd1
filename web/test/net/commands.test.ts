import { beforeEach, describe, expect, test } from "vitest";
import { Store } from "../../src/core/store";
import { cardsOf } from "../../src/core/order";
import { Api } from "../../src/net/api";
import { Commands } from "../../src/net/commands";
import { session } from "../session";

interface Call {
    method: string;
    path: string;
    body: unknown;
    answer(status: number, body: unknown): void;
    fail(): void;
}

let store: Store;
let commands: Commands;
let calls: Call[];

beforeEach(() => {
    store = new Store();
    calls = [];
    const api = new Api(
        (path, init) =>
            new Promise((resolve, reject) => {
                calls.push({
                    method: init.method!,
                    path,
                    body: init.body ? JSON.parse(init.body as string) : null,
                    answer: (status, body) => resolve(new Response(JSON.stringify(body), { status })),
                    fail: () => reject(new TypeError("Failed to fetch")),
                });
            }),
    );
    commands = new Commands(store, api);
    store.apply({ type: "snapshot", seq: 1, sessions: [session("a", { title: "alpha #1 — Fix it" }), session("b/ ä")], teams: [] });
});

const cards = () => store.groups.value.flatMap((g) => g.units.flatMap(cardsOf));
const notices = () => commands.notices.value.map((n) => n.text);

describe("closing", () => {
    test("the card is gone before the daemon has answered, and stays so", async () => {
        const done = commands.close("a");
        expect(cards()).toEqual(["b/ ä"]);
        expect(calls[0]).toMatchObject({ method: "DELETE", path: "/api/sessions/a" });
        calls[0]!.answer(200, { ok: true, removed: true });
        await done;
        expect(cards()).toEqual(["b/ ä"]);
        expect(notices()).toEqual([]);
    });

    test.each(["before", "after"])("the removal may come %s the answer", async (when) => {
        const removed = () => store.apply({ type: "session_removed", seq: 5, id: "a", sessionId: "agent-a" });
        const done = commands.close("a");
        store.apply({ type: "session_update", seq: 4, id: "a", patch: { toolCalls: 2 } });
        if (when === "before") removed();
        calls[0]!.answer(200, { ok: true, removed: true });
        await done;
        if (when === "after") removed();
        store.apply({ type: "session_update", seq: 3, id: "a", patch: session("a") });
        expect(cards()).toEqual(["b/ ä"]);
    });

    test("a refusal brings it back, with the reason", async () => {
        const done = commands.close("a");
        calls[0]!.answer(503, { error: "the database cannot be written" });
        await done;
        expect(cards()).toEqual(["a", "b/ ä"]);
        expect(notices()).toEqual(["“Fix it” was not closed: the database cannot be written"]);
    });

    test("no answer brings it back, too", async () => {
        const done = commands.close("a");
        calls[0]!.fail();
        await done;
        expect(cards()).toEqual(["a", "b/ ä"]);
        expect(notices()[0]).toContain("the daemon does not answer");
    });

    test("a failure after the removal arrived does not", async () => {
        const done = commands.close("a");
        store.apply({ type: "session_removed", seq: 5, id: "a", sessionId: "agent-a" });
        calls[0]!.fail();
        await done;
        expect(cards()).toEqual(["b/ ä"]);
    });

    test("one that the daemon does not have stays away without a word", async () => {
        const done = commands.close("a");
        calls[0]!.answer(404, { error: "Session not found" });
        await done;
        expect(cards()).toEqual(["b/ ä"]);
        expect(notices()).toEqual([]);
    });
});

test("ending an agent is confirmed by the question that was asked; a refusal is told", async () => {
    const done = commands.end("b/ ä");
    expect(calls[0]).toMatchObject({ method: "POST", path: "/api/sessions/b%2F%20%C3%A4/kill", body: { confirm: true } });
    calls[0]!.answer(403, { error: "the process is not ours to signal" });
    await done;
    expect(cards()).toEqual(["a", "b/ ä"]);
    expect(notices()).toEqual(["“alpha” was not ended: the process is not ours to signal"]);
    commands.dismiss(commands.notices.value[0]!.key);
    expect(notices()).toEqual([]);
});

describe("settings", () => {
    test.each([
        ["title", "Mine", "title", { title: "Mine" }],
        ["label", "urgent", "label", { label: "urgent" }],
        ["label", "", "label", { label: null }],
        ["accent-color", "#fff", "color", { accentColor: "#fff" }],
    ] as const)("%s = %j", async (what, value, key, shown) => {
        const done = commands.set("a", what, value);
        expect(calls[0]).toMatchObject({ method: "PUT", path: `/api/sessions/a/${what}`, body: { [key]: value } });
        calls[0]!.answer(200, { ok: true });
        expect(await done).toBe(true);
        expect(store.find("a")!.value).toMatchObject(shown);
    });

    test("what was refused is not shown", async () => {
        const done = commands.set("a", "title", "x");
        calls[0]!.answer(400, { error: "title: 1 to 500 characters" });
        expect(await done).toBe(false);
        expect(store.find("a")!.value.title).toBe("alpha #1 — Fix it");
        expect(notices()[0]).toContain("title: 1 to 500 characters");
    });
});

test("many complaints do not bury the board", () => {
    for (let i = 0; i < 20; i++) commands.complain(`Nr ${i}`, new Error("no"));
    expect(notices().length).toBeLessThan(6);
    expect(notices().at(-1)).toBe("Nr 19: no");
});
