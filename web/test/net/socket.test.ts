import { effect } from "@preact/signals-core";
import { beforeEach, describe, expect, test } from "vitest";
import { SUBPROTOCOL } from "../../src/core/messages";
import { Store } from "../../src/core/store";
import { BoardSocket } from "../../src/net/socket";
import { wireRequest } from "../request";
import { session } from "../session";

/** The daemon's end of a connection, in the hands of the test. */
class Wire {
    onmessage: ((e: { data: string }) => void) | null = null;
    onclose: ((e: { code: number }) => void) | null = null;
    sent: unknown[] = [];
    inbox: unknown[] = [];
    closed = false;

    constructor(
        readonly url: string,
        readonly protocol: string,
    ) {}

    send(text: string): void {
        const message = JSON.parse(text);
        // It is asked for on every connection, and has a test of its own.
        (message.type === "inbox" ? this.inbox : this.sent).push(message);
    }

    close(): void {
        this.closed = true;
    }

    say(message: object): void {
        this.onmessage?.({ data: JSON.stringify(message) });
    }

    greet(): void {
        this.say({ type: "welcome", schema: 1, version: "0.1.0", seq: 5 });
    }

    serve(): void {
        this.greet();
        this.say({ type: "snapshot", seq: 5, sessions: [session("a")] });
    }
}

let store: Store;
let socket: BoardSocket;
let wires: Wire[];
let timer: { run: () => void; ms: number } | null;
let frames: (() => void)[];
let warnings: string[];
let reloads: string[];
let mayReload: boolean;

beforeEach(() => {
    store = new Store();
    wires = [];
    warnings = [];
    reloads = [];
    mayReload = true;
    timer = null;
    frames = [];
    socket = new BoardSocket(store, {
        url: "ws://host/ws",
        open(url, protocol) {
            const wire = new Wire(url, protocol);
            wires.push(wire);
            return wire as unknown as WebSocket;
        },
        now: () => 1000,
        random: () => 1,
        setTimer(run, ms) {
            timer = { run, ms };
            return 1;
        },
        clearTimer: () => {
            timer = null;
        },
        nextFrame: (run) => void frames.push(run),
        reload(version) {
            reloads.push(version);
            return mayReload;
        },
        warn: (text) => warnings.push(text),
    });
    socket.connect();
});

const wire = () => wires.at(-1)!;
const phase = () => socket.connection.value.phase;
const elapse = () => timer!.run();
/** The browser draws a picture. */
const draw = () => frames.splice(0).forEach((run) => run());

describe("connecting", () => {
    test("offers the subprotocol and is live with the first state, not before", () => {
        expect(wire().protocol).toBe(SUBPROTOCOL);
        expect(wire().url).toBe("ws://host/ws");
        wire().greet();
        expect(phase()).toBe("connecting");
        wire().say({ type: "snapshot", seq: 5, sessions: [] });
        expect(phase()).toBe("live");
        expect(timer).toBeNull();
    });

    test("an attempt that comes to nothing is given up and tried again", () => {
        wire().greet();
        elapse();
        expect(wires[0]!.closed).toBe(true);
        expect(phase()).toBe("lost");
        elapse();
        expect(wires.length).toBe(2);
    });

    test("waits longer after every failure, and starts anew after a success", () => {
        const waits: number[] = [];
        for (let i = 0; i < 3; i++) {
            wire().onclose!({ code: 1006 });
            waits.push(timer!.ms);
            elapse();
        }
        expect(waits).toEqual([500, 1000, 2000]);
        wire().serve();
        wire().onclose!({ code: 1006 });
        expect(timer!.ms).toBe(500);
        expect(socket.connection.value).toEqual({ phase: "lost", retryAt: 1500 });
    });
});

describe("a locked door", () => {
    test.each([true, false])("is not knocked at again by itself (live before: %s)", (live) => {
        if (live) wire().serve();
        wire().onclose!({ code: 4001 });
        expect(socket.connection.value).toEqual({ phase: "locked" });
        expect(timer).toBeNull();
        socket.probe();
        expect(wires.length).toBe(1);
    });

    test("opens with a new attempt, which continues where it was", () => {
        wire().serve();
        socket.open("a");
        wire().onclose!({ code: 4001 });
        socket.connect();
        expect(wire().url).toBe("ws://host/ws?since=5");
        wire().serve();
        expect(phase()).toBe("live");
        expect(wire().sent).toEqual([{ type: "open", id: "a" }]);
    });

    test("a connection that was given up before does not lock it", () => {
        elapse();
        elapse();
        wires[0]!.onclose!({ code: 4001 });
        expect(phase()).toBe("connecting");
    });
});

describe("coming back", () => {
    test("continues behind what it has, keeps the cards, and opens again what was open", () => {
        wire().serve();
        socket.open("a");
        wire().onclose!({ code: 1006 });
        expect(store.find("a")).toBeDefined();
        elapse();
        expect(wire().url).toBe("ws://host/ws?since=5");
        wire().greet();
        expect(wire().sent).toEqual([]);
        wire().say({ type: "session_update", seq: 6, id: "a", patch: { toolCalls: 1 } });
        wire().say({ type: "replay", sinceSeq: 5, seq: 6, count: 1 });
        expect(phase()).toBe("live");
        expect(wire().sent).toEqual([{ type: "open", id: "a" }]);
    });

    test("what was closed meanwhile is not opened again", () => {
        wire().serve();
        socket.open("a");
        wire().onclose!({ code: 1006 });
        socket.close("a");
        elapse();
        wire().serve();
        expect(wire().sent).toEqual([]);
    });

    test("asks again for the figures that somebody looks at, and not for others", () => {
        wire().serve();
        socket.stats(true);
        socket.stats(true);
        expect(wire().sent).toEqual([{ type: "stats", on: true }]);
        wire().onclose!({ code: 1006 });
        elapse();
        wire().serve();
        expect(wire().sent).toEqual([{ type: "stats", on: true }]);
        socket.stats(false);
        expect(wire().sent.at(-1)).toEqual({ type: "stats", on: false });
        wire().onclose!({ code: 1006 });
        elapse();
        wire().serve();
        expect(wire().sent).toEqual([]);
    });

    test("words of a connection that was given up are not heard", () => {
        wire().serve();
        const old = wire();
        old.onclose!({ code: 1006 });
        elapse();
        old.say({ type: "session_removed", seq: 6, id: "a", sessionId: "x" });
        old.onclose!({ code: 1006 });
        expect(store.find("a")).toBeDefined();
        expect(phase()).toBe("connecting");
    });

    test("at once when asked, with the waiting over", () => {
        wire().onclose!({ code: 1006 });
        socket.probe();
        expect(wires.length).toBe(2);
        expect(phase()).toBe("connecting");
    });
});

describe("a connection that may have died in its sleep", () => {
    test("lives when it answers", () => {
        wire().serve();
        socket.probe();
        expect(wire().sent).toEqual([{ type: "replay", sinceSeq: 5 }]);
        wire().say({ type: "replay", sinceSeq: 5, seq: 5, count: 0 });
        expect(timer).toBeNull();
        expect(phase()).toBe("live");
    });

    test("is replaced when it does not", () => {
        wire().serve();
        socket.probe();
        elapse();
        expect(wires.length).toBe(2);
        expect(wires[0]!.closed).toBe(true);
    });
});

describe("words that do not fit", () => {
    test("are told to the console, and the rest is heard", () => {
        wire().serve();
        wire().onmessage!({ data: "{" });
        wire().say({ type: "session_update", seq: 6, id: "a", patch: { toolCalls: 3 } });
        draw();
        expect(warnings.length).toBe(1);
        expect(store.find("a")!.value.toolCalls).toBe(3);
    });

    test("a patch for a card that is not there asks for everything", () => {
        wire().serve();
        wire().say({ type: "session_update", seq: 9, id: "zzz", patch: { toolCalls: 3 } });
        draw();
        expect(wire().sent).toEqual([{ type: "replay", sinceSeq: 0 }]);
    });
});

describe("between two pictures", () => {
    const update = (seq: number, toolCalls: number) => wire().say({ type: "session_update", seq, id: "a", patch: { toolCalls } });

    test("everything is taken in together, and drawn once", () => {
        wire().serve();
        const drawn: number[] = [];
        const dispose = effect(() => void drawn.push(store.find("a")!.value.toolCalls));
        for (let i = 1; i <= 50; i++) update(5 + i, i);
        expect(drawn).toEqual([0]);
        expect(frames.length).toBe(1);
        draw();
        expect(drawn).toEqual([0, 50]);
        update(60, 51);
        draw();
        expect(drawn).toEqual([0, 50, 51]);
        dispose();
    });

    test("a page that draws none does not let them pile up", () => {
        wire().serve();
        for (let i = 1; i <= 1000; i++) update(5 + i, i);
        expect(store.find("a")!.value.toolCalls).toBe(1000);
    });

    test("what came before the end of a connection is not lost, and is not asked for again", () => {
        wire().serve();
        update(6, 1);
        wire().onclose!({ code: 1006 });
        expect(store.find("a")!.value.toolCalls).toBe(1);
        elapse();
        expect(wire().url).toBe("ws://host/ws?since=6");
    });
});

describe("another schema", () => {
    const greet = () => wire().say({ type: "welcome", schema: 2, version: "9.0.0", seq: 1 });

    test("reloads the page", () => {
        greet();
        expect(reloads).toEqual(["9.0.0"]);
        expect(phase()).toBe("connecting");
    });

    test("but only once; then it says so and stays away", () => {
        mayReload = false;
        greet();
        expect(socket.connection.value).toEqual({ phase: "outdated", version: "9.0.0" });
        socket.connect();
        socket.probe();
        expect(wires.length).toBe(1);
        expect(timer).toBeNull();
    });
});

test("a daemon whose clock is ahead: the board shows its time", () => {
    wire().say({ type: "welcome", schema: 1, version: "0.1.0", seq: 5, now: 61_000 });
    expect(store.clockOffset.value).toBe(60_000);
    wire().say({ type: "welcome", schema: 1, version: "0.1.0", seq: 5, now: 1_900 });
    expect(store.clockOffset.value).toBe(0);
});

describe("the inbox", () => {
    test("is asked for on every connection, and what is under way is in doubt when one breaks", () => {
        wire().serve();
        expect(wire().inbox).toEqual([{ type: "inbox", on: true }]);
        wire().say({ type: "inbox", approvals: [wireRequest("r")], away: null });
        draw();
        const ref = store.inbox.sent("r", "allow");
        expect(socket.answer("r", ref, "d-r", { decision: "allow" })).toBe(true);
        expect(wire().sent.at(-1)).toEqual({ type: "answer", id: "r", ref, digest: "d-r", decision: "allow" });
        wire().onclose!({ code: 1006 });
        expect(store.inbox.mineOf("r").value).toMatchObject({ phase: "slow" });
        expect(socket.answer("r", ref, "d-r", { decision: "allow" })).toBe(false);
    });
});
