import { Unicode11Addon } from "@xterm/addon-unicode11";
import { expect, test } from "vitest";
import { charProperties, wcwidth } from "../../src/core/width";

interface Provider {
    wcwidth(code: number): number;
    charProperties(code: number, preceding: number): number;
}

/** xterm.js's own table of Unicode 11. */
function unicode11(): Provider {
    let provider: Provider | undefined;
    const terminal = { unicode: { register: (p: Provider) => (provider = p) } };
    new Unicode11Addon().activate(terminal as unknown as Parameters<Unicode11Addon["activate"]>[0]);
    return provider!;
}

test("characters that xterm.js knows are as wide as it says; newer ones may be wide, or marks", () => {
    const theirs = unicode11();
    const other: number[] = [];
    for (let code = 0; code < 0x110000; code++) if (wcwidth(code) !== theirs.wcwidth(code)) other.push(code);
    expect(other.filter((code) => theirs.wcwidth(code) !== 1)).toEqual([]);
    expect(other.length).toBeLessThan(2000);
    expect(wcwidth(0x1fae0)).toBe(2); // melting face, of Unicode 14
});

test("a mark joins what stands before it, as in xterm.js", () => {
    const theirs = unicode11();
    const letter = theirs.charProperties(0x65, 0);
    const wide = theirs.charProperties(0x4e2d, 0);
    for (const code of [0x65, 0x301, 0x4e2d, 0x200d, 0x1f600, 0xfe0f])
        for (const before of [0, letter, wide, theirs.charProperties(0x301, 0)])
            expect(charProperties(code, before), `${code} after ${before}`).toBe(theirs.charProperties(code, before));
});
