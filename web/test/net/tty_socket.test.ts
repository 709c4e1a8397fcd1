import { beforeEach, describe, expect, test } from "vitest";
import { TtySocket } from "../../src/net/tty_socket";
import { frame } from "../tty";

/** The daemon's end of a connection, in the hands of the test. */
class Wire {
    onmessage: ((e: { data: string | ArrayBuffer }) => void) | null = null;
    onclose: ((e: { code: number }) => void) | null = null;
    binaryType = "";
    said: unknown[] = [];
    typed: string[] = [];
    sizes: number[] = [];
    closed = false;

    constructor(
        readonly url: string,
        readonly protocol: string,
    ) {}

    send(data: string | Uint8Array): void {
        if (typeof data === "string") this.said.push(JSON.parse(data));
        else {
            this.typed.push(new TextDecoder().decode(data));
            this.sizes.push(data.length);
        }
    }

    close(): void {
        this.closed = true;
    }

    say(message: object): void {
        this.onmessage?.({ data: JSON.stringify(message) });
    }

    hello(fields: object = {}): void {
        this.say({ type: "hello", epoch: 1, offset: 0, cols: 80, rows: 24, connection: "live", readOnly: false, exitCode: null, signal: null, ...fields });
    }

    emit(kind: "output" | "snapshot", offset: number, data: string, epoch = 1): void {
        this.onmessage?.({ data: frame(kind, epoch, offset, data) });
    }
}

let wires: Wire[];
let timers: Map<number, { run: () => void; ms: number }>;
let now: number;
let warnings: string[];
let refused: string[];
/** What the screen was asked for; each is done when the test says so. */
let drawn: { what: string; done: () => void }[];
let socket: TtySocket;

const last = () => wires.at(-1)!;
const words = () => drawn.map((d) => d.what);

function finish(): void {
    for (const { done } of drawn.splice(0)) done();
}

/** Lets the timer of that length ring. */
function ring(ms: number): void {
    const [id, timer] = [...timers].find(([, t]) => t.ms === ms)!;
    timers.delete(id);
    timer.run();
}

beforeEach(() => {
    wires = [];
    timers = new Map();
    now = 1000;
    warnings = [];
    refused = [];
    drawn = [];
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    let nextTimer = 1;
    socket = new TtySocket(
        {
            restore: (cols, rows, bytes, done) => drawn.push({ what: `restore ${cols}x${rows} ${text(bytes)}`, done }),
            write: (bytes, done) => drawn.push({ what: `write ${text(bytes)}`, done }),
            resize: (cols, rows) => drawn.push({ what: `resize ${cols}x${rows}`, done: () => {} }),
        },
        {
            url: "ws://host/ws/session/a/worker/t",
            open(url, protocol) {
                const wire = new Wire(url, protocol);
                wires.push(wire);
                return wire as unknown as WebSocket;
            },
            now: () => now,
            random: () => 1,
            setTimer(run, ms) {
                timers.set(nextTimer, { run, ms });
                return nextTimer++;
            },
            clearTimer: (id) => void timers.delete(id),
            warn: (text) => warnings.push(text),
        },
        () => {},
        (sentence) => refused.push(sentence),
    );
    socket.connect();
});

function live(): void {
    last().hello();
    last().emit("snapshot", 100, "picture");
    finish();
}

describe("the way to a picture", () => {
    test("connecting, restoring, live", () => {
        expect(last().protocol).toBe("ostler.tty.v1");
        expect(last().url).toBe("ws://host/ws/session/a/worker/t");
        expect(socket.link.value).toBe("connecting");
        last().hello();
        last().emit("snapshot", 100, "picture");
        expect(socket.link.value).toBe("restoring");
        finish();
        expect(socket.link.value).toBe("live");
        expect(socket.program.value?.connection).toBe("live");
    });

    test("output, changes of size and the end come in their order", () => {
        live();
        last().emit("output", 100, "abc");
        last().say({ type: "resized", offset: 103, cols: 132, rows: 50 });
        last().emit("output", 103, "def");
        expect(words()).toEqual(["write abc", "resize 132x50", "write def"]);
        last().say({ type: "exit", exitCode: 3, signal: null });
        expect(socket.program.value).toMatchObject({ connection: "ended", exitCode: 3 });
    });

    test("a new incarnation is live again, with a new picture", () => {
        live();
        last().say({ type: "exit", exitCode: 0, signal: null });
        last().say({ type: "epoch", epoch: 2 });
        expect(socket.program.value).toMatchObject({ connection: "live", exitCode: null });
        last().emit("snapshot", 0, "fresh", 2);
        last().emit("output", 0, "$ ", 2);
        expect(words()).toEqual(["restore 80x24 fresh", "write $ "]);
    });
});

describe("coming back", () => {
    test("continues at the byte where it was, without a picture in between", () => {
        live();
        last().emit("output", 100, "abc");
        last().onclose?.({ code: 1006 });
        expect(socket.link.value).toBe("reconnecting");
        ring(500);
        expect(last().url).toBe("ws://host/ws/session/a/worker/t?epoch=1&offset=103");
        last().hello();
        expect(socket.link.value).toBe("live");
        last().emit("output", 101, "bcd");
        expect(words()).toEqual(["write abc", "write d"]);
    });

    test("waits longer after each failure", () => {
        last().onclose?.({ code: 1006 });
        ring(500);
        last().onclose?.({ code: 1006 });
        ring(1000);
        expect(wires.length).toBe(3);
        expect(socket.link.value).toBe("connecting");
    });

    test("gives up an attempt that nobody answers", () => {
        ring(10_000);
        expect(wires[0]!.closed).toBe(true);
        ring(500);
        expect(wires.length).toBe(2);
    });

    test("a hole makes it ask for everything", () => {
        live();
        last().emit("output", 200, "too far");
        expect(wires.length).toBe(2);
        expect(last().url).not.toContain("offset");
        expect(warnings.length).toBe(1);
    });

    test("an honest gap is followed by a picture on the same connection", () => {
        live();
        last().say({ type: "gap", from: 100, to: 5000 });
        last().emit("snapshot", 6000, "after");
        expect(words()).toEqual(["restore 80x24 after"]);
        expect(wires.length).toBe(1);
    });

    test("frames of a connection that was given up are not heard", () => {
        live();
        const old = last();
        socket.renew();
        old.emit("output", 100, "ghost");
        expect(words()).toEqual([]);
    });

    test("a deleted terminal is not asked for again", () => {
        live();
        last().say({ type: "deleted" });
        expect(socket.link.value).toBe("deleted");
        socket.connect();
        socket.renew();
        expect(wires.length).toBe(1);
        expect(timers.size).toBe(0);
    });
});

describe("what the daemon does not have", () => {
    test("is missing, and asked for again after a while", () => {
        last().say({ type: "error", code: "NO_TERMINAL", message: "the worker runs in no terminal of ours" });
        last().onclose?.({ code: 4404 });
        expect(socket.link.value).toBe("missing");
        ring(500);
        live();
        expect(socket.link.value).toBe("live");
        expect(refused).toEqual([]);
    });

    test("what it does not do is told", () => {
        live();
        last().say({ type: "error", code: "BUSY", message: "the program does not read" });
        expect(refused).toEqual(["the program does not read"]);
    });
});

describe("acknowledging", () => {
    test("a moment after something was drawn", () => {
        last().hello();
        last().emit("snapshot", 100, "picture");
        expect(last().said).toEqual([]);
        finish();
        ring(100);
        expect(last().said).toEqual([{ type: "ack", offset: 100 }]);
        last().emit("output", 100, "abc");
        finish();
        last().emit("output", 103, "def");
        finish();
        ring(100);
        expect(last().said).toEqual([{ type: "ack", offset: 100 }, { type: "ack", offset: 106 }]);
        expect(timers.size).toBe(0);
    });

    test("at once after 128 KiB, and only what is drawn", () => {
        live();
        ring(100);
        const piece = "x".repeat(64 * 1024);
        for (let i = 0; i < 4; i++) last().emit("output", 100 + i * piece.length, piece);
        for (const { done } of drawn.splice(0, 3)) done();
        expect(last().said.at(-1)).toEqual({ type: "ack", offset: 100 + 2 * piece.length });
        finish();
        expect(last().said.at(-1)).toEqual({ type: "ack", offset: 100 + 4 * piece.length });
    });

    test("what is drawn while nobody listens is told on the next connection", () => {
        live();
        ring(100);
        last().emit("output", 100, "abc");
        last().onclose?.({ code: 1006 });
        finish();
        ring(500);
        last().hello();
        last().emit("output", 103, "d");
        finish();
        ring(100);
        expect(last().said).toEqual([{ type: "ack", offset: 104 }]);
    });
});

describe("typing", () => {
    test("goes out as bytes, a long text in pieces", () => {
        live();
        socket.input("é");
        socket.input(new Uint8Array([27, 91]));
        expect(last().typed).toEqual(["é", "\x1b["]);
        socket.input("y".repeat(100_000));
        expect(last().sizes.slice(2)).toEqual([32768, 32768, 32768, 1696]);
    });

    test("is kept for the moment of a restart, and no longer", () => {
        live();
        last().onclose?.({ code: 1006 });
        expect(socket.input("ls")).toBe(true);
        now += 4000;
        expect(socket.input("\r")).toBe(true);
        now += 2000;
        ring(500);
        last().hello();
        expect(last().typed).toEqual(["\r"]);
        expect(socket.input("x")).toBe(true);
        expect(last().typed).toEqual(["\r", "x"]);
    });

    test("more than a few lines are not kept", () => {
        last().onclose?.({ code: 1006 });
        expect(socket.input("z".repeat(5000))).toBe(false);
    });

    test("a size is asked for only of somebody who listens", () => {
        socket.resize(100, 30);
        live();
        socket.resize(101, 31);
        expect(last().said).toEqual([{ type: "resize", cols: 101, rows: 31 }]);
    });
});
