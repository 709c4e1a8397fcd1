import { describe, expect, test } from "vitest";
import { ProtocolError } from "../../src/core/guards";
import { TtyPosition, parseTtyFrame, parseTtyMessage, type TtyFrame } from "../../src/core/tty";
import { frame } from "../tty";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function parsed(data: ArrayBuffer): TtyFrame {
    const f = parseTtyFrame(data);
    if (f instanceof ProtocolError) throw f;
    return f;
}

describe("frames", () => {
    test("a head of 24 bytes, little-endian, then the bytes", () => {
        const f = parsed(frame("snapshot", 1_794_770_780_025, 2 ** 40 + 7, "hello", { cols: 132, rows: 43 }));
        expect({ ...f, bytes: text(f.bytes) }).toEqual({
            kind: "snapshot",
            cols: 132,
            rows: 43,
            epoch: 1_794_770_780_025,
            offset: 2 ** 40 + 7,
            bytes: "hello",
        });
    });

    test("what is too short, of an unknown kind or beyond counting is refused", () => {
        expect(parseTtyFrame(new ArrayBuffer(23))).toBeInstanceOf(ProtocolError);
        const odd = frame("output", 1, 0, "x");
        new Uint8Array(odd)[0] = 9;
        expect(parseTtyFrame(odd)).toBeInstanceOf(ProtocolError);
        const far = frame("output", 1, 0, "x");
        new DataView(far).setUint32(20, 0xffffffff, true);
        expect(parseTtyFrame(far)).toBeInstanceOf(ProtocolError);
    });
});

describe("messages", () => {
    test("are admitted as the protocol has them, and not otherwise", () => {
        const hello = { type: "hello", epoch: 5, cols: 80, rows: 24, connection: "ended", exitCode: -1, signal: "SIGHUP" };
        expect(parseTtyMessage(JSON.stringify(hello))).toEqual({ ...hello, readOnly: false });
        for (const bad of ["", "[]", '{"type":"nope"}', '{"type":"toString"}', '{"type":"hello","epoch":-1}', '{"type":"resized"}'])
            expect(parseTtyMessage(bad), bad).toBeInstanceOf(ProtocolError);
    });
});

describe("position", () => {
    const at = (kind: "output" | "snapshot", epoch: number, offset: number, data: string) => parsed(frame(kind, epoch, offset, data));

    function begun(): TtyPosition {
        const p = new TtyPosition();
        p.take(at("snapshot", 1, 100, "picture"));
        return p;
    }

    const written = (p: TtyPosition, f: TtyFrame) => {
        const step = p.take(f);
        return step.kind === "write" ? text(step.bytes) : step.kind;
    };

    test("begins without a place, and continues behind the last byte", () => {
        const p = new TtyPosition();
        expect(p.resume()).toBe("");
        p.take(at("snapshot", 1, 100, "picture"));
        expect(p.resume()).toBe("epoch=1&offset=100");
        expect(written(p, at("output", 1, 100, "abc"))).toBe("abc");
        expect(p.resume()).toBe("epoch=1&offset=103");
    });

    test("draws nothing twice and only what is new of an overlap", () => {
        const p = begun();
        expect(written(p, at("output", 1, 100, "abcdef"))).toBe("abcdef");
        expect(written(p, at("output", 1, 100, "abc"))).toBe("nothing");
        expect(written(p, at("output", 1, 103, "defGHI"))).toBe("GHI");
        expect(written(p, at("output", 1, 90, "0123456789abcdefGHIj"))).toBe("j");
    });

    test("any cutting of a stream, with any overlap, gives the stream", () => {
        const stream = Array.from({ length: 500 }, (_, i) => String.fromCharCode(97 + (i % 26))).join("");
        let seed = 7;
        const draw = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
        for (let round = 0; round < 200; round++) {
            const p = new TtyPosition();
            p.take(at("snapshot", 1, 0, ""));
            let have = "";
            while (have.length < stream.length) {
                const from = Math.max(0, have.length - draw(20));
                const piece = stream.slice(from, from + 1 + draw(40));
                const step = p.take(at("output", 1, from, piece));
                if (step.kind === "write") have += text(step.bytes);
            }
            expect(have).toBe(stream);
        }
    });

    test("a hole, another epoch or output before any picture ask for everything", () => {
        for (const [p, f] of [
            [begun(), at("output", 1, 101, "x")],
            [begun(), at("output", 2, 100, "x")],
            [new TtyPosition(), at("output", 1, 0, "x")],
        ] as const) {
            expect(p.take(f).kind).toBe("hole");
            expect(p.resume()).toBe("");
        }
    });

    test("a snapshot takes the place of whatever was, also further back", () => {
        const p = begun();
        expect(p.take(at("snapshot", 2, 3, "new")).kind).toBe("restore");
        expect(p.holds(2)).toBe(true);
        expect(p.resume()).toBe("epoch=2&offset=3");
        p.tear();
        expect(p.holds(2)).toBe(false);
        expect(p.resume()).toBe("");
    });

    test("acknowledges what is drawn, once, and nothing of the picture before", () => {
        const p = new TtyPosition();
        expect(p.unacknowledged).toBe(null);
        const first = p.take(at("snapshot", 1, 100, "picture"));
        const more = p.take(at("output", 1, 100, "x".repeat(50)));
        if (first.kind !== "restore" || more.kind !== "write") throw new Error("not taken");
        p.drawn(first.mark);
        expect(p.unacknowledged).toBe(0);
        expect(p.acknowledge()).toBe(100);
        expect(p.unacknowledged).toBe(null);
        p.drawn(more.mark);
        expect(p.unacknowledged).toBe(50);
        const next = p.take(at("snapshot", 1, 1000, "skipped ahead"));
        p.drawn(more.mark); // late, of the picture before
        expect(p.acknowledge()).toBe(150);
        if (next.kind === "restore") p.drawn(next.mark);
        expect(p.acknowledge()).toBe(1000);
    });

    test("says again what it has on a new connection", () => {
        const p = new TtyPosition();
        const step = p.take(at("snapshot", 1, 100, "picture"));
        if (step.kind === "restore") p.drawn(step.mark);
        p.acknowledge();
        p.resume();
        expect(p.unacknowledged).toBe(0);
    });
});
