import { describe, expect, it } from "vitest";
import { WholeUtf8 } from "../../src/core/whole_utf8";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("characters in pieces", () => {
    it("come whole, wherever they were cut", () => {
        const text = "a… — “q” é 🔌 说e\u0301 z", all = bytes(text);
        for (let size = 1; size <= all.length; size++) {
            const whole = new WholeUtf8(), out: number[] = [];
            for (let at = 0; at < all.length; at += size) {
                const piece = whole.take(all.subarray(at, at + size));
                expect(() => new TextDecoder("utf-8", { fatal: true }).decode(piece)).not.toThrow();
                out.push(...piece);
            }
            expect(new TextDecoder().decode(new Uint8Array(out))).toBe(text);
        }
    });

    it("that are none are let through, and what was begun can be given up", () => {
        const whole = new WholeUtf8();
        expect([...whole.take(new Uint8Array([0x80, 0x80, 0x80, 0x80]))]).toEqual([0x80, 0x80, 0x80, 0x80]);
        expect([...whole.take(new Uint8Array([0x41, 0xe2, 0x80]))]).toEqual([0x41]);
        whole.reset();
        expect([...whole.take(bytes("b"))]).toEqual([0x62]);
        expect([...whole.take(new Uint8Array([0xe2]))]).toEqual([]);
        expect([...whole.take(bytes("c"))]).toEqual([0xe2, 0x63]);
    });
});
