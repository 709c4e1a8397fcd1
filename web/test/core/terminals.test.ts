import { effect } from "@preact/signals-core";
import { describe, expect, test } from "vitest";
import { ProtocolError } from "../../src/core/guards";
import { parseServerMessage } from "../../src/core/messages";
import { Store } from "../../src/core/store";
import { excerpt, exitWords, isRunning, paneState } from "../../src/core/terminals";
import { session } from "../session";

const state = (terminalId: string, fields: object = {}) => ({
    type: "terminal_state",
    terminal: { terminalId, id: "a", kind: "shell", connection: "live", startedAt: 5, viewers: 1, exitCode: null, signal: null, ...fields },
});

function take(store: Store, message: object): void {
    const m = parseServerMessage(JSON.stringify(message));
    if (m instanceof ProtocolError) throw m;
    store.apply(m);
}

describe("terminals on the board", () => {
    test("say when they are to be put to rest, and an older daemon says nothing", () => {
        const store = new Store();
        take(store, state("t1", { restsAt: 1700000000000 }));
        take(store, state("t2"));
        expect(store.terminals.find("t1")?.restsAt).toBe(1700000000000);
        expect(store.terminals.find("t2")?.restsAt).toBeNull();
        take(store, state("t1", { restsAt: null }));
        expect(store.terminals.find("t1")?.restsAt).toBeNull();
    });

    test("come, change and go, each for itself", () => {
        const store = new Store();
        let seen: (string | undefined)[] = [];
        effect(() => {
            seen.push(store.terminals.find("t1")?.connection);
        });
        take(store, state("t1", { connection: "starting" }));
        take(store, state("t2"));
        take(store, state("t1"));
        take(store, { type: "terminal_removed", terminalId: "t1" });
        expect(seen).toEqual([undefined, "starting", "live", undefined]);
        expect(store.terminals.size.value).toBe(1);
    });

    test("a session's is the one it runs in, or the one before as long as there is one", () => {
        const store = new Store();
        take(store, state("t1"));
        expect(store.terminals.of(session("a"))).toBe(null);
        expect(store.terminals.of(session("a", { terminalId: "t9" }))).toBe("t9");
        expect(store.terminals.of(session("a", { lastTerminalId: "t1" }))).toBe("t1");
        expect(store.terminals.of(session("a", { lastTerminalId: "t0" }))).toBe(null);
    });

    test("screens are kept for those who show them", () => {
        const store = new Store();
        take(store, { type: "terminal_screen", terminalId: "t1", cols: 80, rows: 24, cursor: { col: 2, row: 0, visible: true }, lines: ["$ "] });
        expect(store.terminals.screen("t1").value?.lines).toEqual(["$ "]);
        take(store, { type: "terminal_removed", terminalId: "t1" });
        expect(store.terminals.screen("t1").value).toBe(null);
    });

    test("what is not as the protocol has it is refused", () => {
        for (const bad of [{ type: "terminal_state" }, state("", {}), state("t", { connection: "gone" }), { type: "terminal_screen", terminalId: "t" }])
            expect(parseServerMessage(JSON.stringify(bad))).toBeInstanceOf(ProtocolError);
    });
});

describe("the excerpt of a screen", () => {
    const screen = (lines: string[], row: number) => ({ cols: 80, rows: lines.length, cursor: { col: 0, row, visible: true }, lines });
    const blank = (n: number) => Array.from({ length: n }, () => "");
    const numbered = (n: number) => Array.from({ length: n }, (_, i) => `line ${i}`);

    test("is all of a small one", () => {
        expect(excerpt(screen(["a", "b"], 1), 10)).toEqual({ from: 0, lines: ["a", "b"] });
    });

    test("ends at the prompt, not at the empty rows below", () => {
        expect(excerpt(screen([...numbered(5), "$ ", ...blank(18)], 5), 4)).toEqual({ from: 2, lines: ["line 2", "line 3", "line 4", "$ "] });
    });

    test("is the last rows of a full one", () => {
        expect(excerpt(screen(numbered(24), 23), 3).lines).toEqual(["line 21", "line 22", "line 23"]);
    });

    test("never loses the cursor", () => {
        for (let row = 0; row < 24; row++) {
            const { from, lines } = excerpt(screen(numbered(24), row), 6);
            expect(row).toBeGreaterThanOrEqual(from);
            expect(row).toBeLessThan(from + lines.length);
        }
    });
});

test("how a pane stands", () => {
    expect(paneState("connecting", null)).toBe("connecting");
    expect(paneState("live", "restored")).toBe("restored");
    expect(paneState("reconnecting", "live")).toBe("reconnecting");
    expect(paneState("restoring", "ended")).toBe("restoring");
    expect(isRunning(undefined)).toBe(false);
});

test("how a program ended", () => {
    expect(exitWords({ exitCode: 0, signal: null })).toBe("");
    expect(exitWords({ exitCode: 2, signal: null })).toBe("exit code 2");
    expect(exitWords({ exitCode: null, signal: "SIGHUP" })).toBe("SIGHUP");
});
