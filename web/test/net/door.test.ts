import { signal, type Signal } from "@preact/signals-core";
import { beforeEach, expect, test } from "vitest";
import { Api } from "../../src/net/api";
import { Door } from "../../src/net/door";
import { PageKey } from "../../src/net/key";
import type { Connection } from "../../src/net/socket";

/** What the daemon will answer, the next first. */
let answers: (Response | "nobody")[];
let asked: string[];
let connection: Signal<Connection>;
let connects: number;
let timer: { run: () => void; ms: number } | null;
let door: Door;
let stored: string | null;
let key: PageKey;

const KEY = "0123456789abcdef".repeat(4);

const json = (status: number, body: object, headers: Record<string, string> = {}) =>
    new Response(JSON.stringify(body), { status, headers });
const status = (passwordRequired: boolean, authenticated: boolean) => json(200, { passwordRequired, authenticated });

/** Until every answer that is there has been taken. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
    answers = [];
    asked = [];
    connects = 0;
    timer = null;
    stored = null;
    key = new PageKey({ read: () => stored, write: (text) => void (stored = text), watch: () => {} });
    connection = signal<Connection>({ phase: "connecting", failures: 0 });
    const api = new Api(async (path, init) => {
        asked.push(`${init.method} ${path} ${init.body ?? ""}`.trim());
        const answer = answers.shift()!;
        if (answer === "nobody") throw new TypeError("Failed to fetch");
        return answer;
    }, key);
    const socket = { connection, connect: () => void connects++ };
    door = new Door(api, socket, {
        now: () => 10_000,
        setTimer(run, ms) {
            timer = { run, ms };
            return 1;
        },
        clearTimer: () => {
            timer = null;
        },
    }, key);
});

test("is unknown until somebody says what it is", async () => {
    expect(door.state.value).toBe("unknown");
    answers = [status(false, true)];
    await door.check();
    expect([door.state.value, door.hasLock.value, connects]).toEqual(["open", false, 1]);
});

test("is locked to who is not logged in, and open to who is", async () => {
    answers = [status(true, false), status(true, true)];
    await door.check();
    expect([door.state.value, door.hasLock.value, connects]).toEqual(["locked", true, 0]);
    await door.check(); // another page of this browser has logged in
    expect([door.state.value, connects]).toEqual(["open", 1]);
});

test("follows the connection", async () => {
    answers = [status(true, true)];
    connection.value = { phase: "locked" };
    expect([door.state.value, door.hasLock.value]).toEqual(["locked", true]);
    await settled();
    connection.value = { phase: "connecting", failures: 0 };
    expect([door.state.value, connects]).toEqual(["locked", 0]); // only a login opens it
});

test("opens by itself when the password was taken away", async () => {
    answers = [status(false, true)];
    connection.value = { phase: "locked" };
    await settled();
    expect([door.state.value, door.hasLock.value, connects]).toEqual(["open", false, 1]);
});

test.each<Connection>([{ phase: "live" }, { phase: "lost", retryAt: 1 }, { phase: "outdated", version: "2" }])(
    "a connection that is %o is the board's to show",
    (state) => {
        connection.value = state;
        expect(door.state.value).toBe("open");
    },
);

test.each<Response | "nobody">(["nobody", json(404, { error: "no such route" }), json(200, { passwordRequired: 1 })])(
    "an answer that says nothing leaves it to the board",
    async (answer) => {
        answers = [answer];
        await door.check();
        expect([door.state.value, timer]).toEqual(["open", null]);
    },
);

test("the right password opens it; the page keeps its half and nothing else", async () => {
    answers = [status(true, false), json(200, { success: true, key: KEY, renewAfter: 3600, expiresIn: 86400 })];
    await door.check();
    const entering = door.enter("geheim");
    expect(door.busy.value).toBe(true);
    expect(await door.enter("twice")).toBe(false); // not while one is on its way
    expect(await entering).toBe(true);
    expect(asked).toEqual(["GET /api/auth/status", 'POST /api/auth/login {"password":"geheim","split":true}']);
    expect(JSON.parse(stored!)).toEqual({ key: KEY, renewAt: 10_000 + 3_600_000 });
    expect([door.state.value, door.busy.value, door.refusal.value, connects]).toEqual(["open", false, null, 1]);
});

test("refusals say what to do", async () => {
    answers = [
        status(true, false),
        json(401, { error: "Wrong password" }),
        json(429, { error: "Too many", retryAfter: 7 }, { "retry-after": "7" }),
        json(503, { error: "Too many" }, { "retry-after": "1" }),
        json(500, { error: "no randomness" }),
    ];
    await door.check();
    const refusals = [];
    for (let i = 0; i < 4; i++) {
        expect(await door.enter("x")).toBe(false);
        refusals.push(door.refusal.value);
    }
    expect(refusals).toEqual([
        { kind: "wrong" },
        { kind: "wait", seconds: 7, until: 17_000 },
        { kind: "wait", seconds: 1, until: 11_000 },
        { kind: "other", words: "no randomness" },
    ]);
    expect([door.state.value, connects, timer]).toEqual(["locked", 0, null]);
});

test("when nobody answers it asks until somebody does", async () => {
    answers = [status(true, false), "nobody", "nobody", status(true, false)];
    await door.check();
    await door.enter("x");
    expect(door.refusal.value).toEqual({ kind: "offline" });
    for (let left = 2; left > 0; left--) {
        const { run } = timer!;
        timer = null;
        run();
        await settled();
    }
    expect([door.state.value, door.refusal.value, timer, answers.length]).toEqual(["locked", null, null, 0]);
});

test("a key that opens nothing any more is forgotten, one that another tab has just got is not", async () => {
    key.keep(KEY, 20_000);
    answers = [status(true, false)];
    await door.check();
    expect([door.state.value, stored]).toEqual(["locked", null]);

    const newer = "f".repeat(64);
    key.keep(KEY, 20_000);
    answers = [status(true, false)];
    const checking = door.check();
    key.keep(newer, 20_000);
    await checking;
    expect(key.value).toBe(newer);

    answers = [status(false, true)]; // there is no password any more
    await door.check();
    expect(stored).toBe(null);
});

test("a logout takes the key away, unless it failed", async () => {
    key.keep(KEY, 20_000);
    answers = ["nobody", json(200, { success: true })];
    await expect(door.leave(false)).rejects.toThrow();
    expect(key.value).toBe(KEY);
    await door.leave(true);
    expect(stored).toBe(null);
    expect(asked.at(-1)).toBe('POST /api/auth/logout {"everywhere":true}');
});

test("where there is no password a login leaves nothing behind", async () => {
    answers = [json(200, { success: true })];
    expect(await door.enter("x")).toBe(true);
    expect(stored).toBe(null);
});
