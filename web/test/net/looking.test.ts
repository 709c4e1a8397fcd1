import { signal } from "@preact/signals-core";
import { beforeEach, describe, expect, test } from "vitest";
import { Store } from "../../src/core/store";
import { followGaze } from "../../src/net/looking";
import type { Connection } from "../../src/net/socket";
import { attention, session } from "../session";

let store: Store;
let said: unknown[];
let timer: (() => void) | null;
let timers: number;
const connection = signal<Connection>({ phase: "live" });
const open = signal<string | null>(null);
const board = signal(true);
let stop = () => {};

beforeEach(() => {
    stop();
    store = new Store();
    said = [];
    timer = null;
    timers = 0;
    connection.value = { phase: "connecting", failures: 0 };
    open.value = null;
    board.value = true;
    stop = followGaze(store, { connection, hello: (looked) => said.push(looked) }, { open, board }, {
        setTimer(run) {
            timers++;
            timer = run;
            return 1;
        },
        clearTimer: () => {
            timer = null;
        },
    });
});

const sessions = () => [session("a", { startedAt: 9 }), session("b", { startedAt: 8 }), session("g", { startedAt: 7, cli: "gemini" })];
const settle = () => {
    const run = timer!;
    timer = null;
    run();
};
const begin = () => {
    store.apply({ type: "snapshot", seq: 1, sessions: sessions(), teams: [] });
    connection.value = { phase: "live" };
};

describe("hello", () => {
    test("at once when the connection is live, and not before", () => {
        store.apply({ type: "snapshot", seq: 1, sessions: sessions(), teams: [] });
        expect(said).toEqual([]);
        connection.value = { phase: "live" };
        expect(said).toEqual([{ visible: ["a", "b"], background: [] }]);
        expect(timer).toBeNull();
    });

    test("also to a daemon that has no session", () => {
        connection.value = { phase: "live" };
        expect(said).toEqual([{ visible: [], background: [] }]);
    });

    test("again when something is opened, once for all that changes within a moment", () => {
        begin();
        open.value = "a";
        open.value = "b";
        store.filter.value = "nothing like it";
        expect([said.length, timers]).toEqual([1, 1]);
        settle();
        expect(said.at(-1)).toEqual({ active: "b", visible: [], background: ["a"] });
        expect(said.length).toBe(2);
    });

    test("changes without end do not put it off without end", () => {
        begin();
        open.value = "a";
        for (let i = 0; i < 50; i++) store.filter.value = `${i}`;
        expect(timers).toBe(1);
    });

    test("not when it would be the same: cards change places, a panel opens and closes, another CLI's comes", () => {
        begin();
        store.apply({ type: "session_update", seq: 2, id: "b", patch: { attention: attention("approval") } });
        expect(store.groups.value[0]!.units.map((u) => u.key)).toEqual(["b", "a", "g"]);
        open.value = "a";
        open.value = null;
        open.value = "g";
        store.apply({ type: "session_update", seq: 3, id: "c", patch: session("c", { cli: "codex" }) });
        settle();
        expect(said.length).toBe(1);
    });

    test("a new session is named, a closed one no more", () => {
        begin();
        store.apply({ type: "session_update", seq: 2, id: "c", patch: session("c", { startedAt: 6 }) });
        settle();
        expect(said.at(-1)).toEqual({ visible: ["a", "b", "c"], background: [] });
        store.hide("a");
        settle();
        expect(said.at(-1)).toEqual({ visible: ["b", "c"], background: [] });
    });

    test("another view in place of the board: nothing is on screen", () => {
        begin();
        board.value = false;
        settle();
        expect(said.at(-1)).toEqual({ visible: [], background: ["a", "b"] });
    });

    test("who needs a person is on screen also when the filter hides the card", () => {
        begin();
        store.apply({ type: "session_update", seq: 2, id: "b", patch: { attention: attention("approval") } });
        store.filter.value = "nothing like it";
        settle();
        expect(said.at(-1)).toEqual({ visible: ["b"], background: ["a"] });
    });

    test("a new connection is told anew, at once", () => {
        begin();
        open.value = "a";
        connection.value = { phase: "lost", retryAt: 1 };
        expect(timer).toBeNull();
        open.value = "b";
        expect(said.length).toBe(1);
        connection.value = { phase: "live" };
        expect(said.slice(1)).toEqual([{ active: "b", visible: ["a"], background: [] }]);
        connection.value = { phase: "connecting", failures: 0 };
        connection.value = { phase: "live" };
        expect(said.length).toBe(3);
    });
});
