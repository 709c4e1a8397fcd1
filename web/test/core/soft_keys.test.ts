import { expect, test } from "vitest";
import { modified, softKey } from "../../src/core/soft_keys";

const none = { ctrl: false, alt: false };
const ctrl = { ctrl: true, alt: false };
const alt = { ctrl: false, alt: true };

test("arrows follow the program's mode and the held keys", () => {
    expect(softKey("Up", none, false)).toBe("\x1b[A");
    expect(softKey("Left", none, true)).toBe("\x1bOD");
    expect(softKey("Right", ctrl, true)).toBe("\x1b[1;5C");
    expect(softKey("Down", { ctrl: true, alt: true }, false)).toBe("\x1b[1;7B");
});

test("escape and tab", () => {
    expect(softKey("Escape", none, false)).toBe("\x1b");
    expect(softKey("Tab", alt, false)).toBe("\x1b\t");
});

test("a held Ctrl or Alt is for one character", () => {
    expect(modified("c", ctrl)).toBe("\x03");
    expect(modified("C", ctrl)).toBe("\x03");
    expect(modified("[", ctrl)).toBe("\x1b");
    expect(modified(" ", ctrl)).toBe("\0");
    expect(modified("?", ctrl)).toBe("\x7f");
    expect(modified("é", ctrl)).toBe("é");
    expect(modified("b", alt)).toBe("\x1bb");
    expect(modified("c", { ctrl: true, alt: true })).toBe("\x1b\x03");
    expect(modified("a whole word", ctrl)).toBe("a whole word");
    expect(modified("🐎", alt)).toBe("\x1b🐎");
});
