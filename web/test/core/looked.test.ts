import { describe, expect, test } from "vitest";
import { BACKGROUND_MAX, VISIBLE_MAX, lookedAt, lookedKey } from "../../src/core/looked";

const ids = (n: number) => Array.from({ length: n }, (_, i) => `s${i}`);

describe("what is looked at", () => {
    test("each session once: open, on the board, elsewhere", () => {
        expect(lookedAt("b", ["a", "b", "c", "a"], ["a", "b", "c", "d"])).toEqual({
            active: "b",
            visible: ["a", "c"],
            background: ["d"],
        });
    });

    test("only what can be mended", () => {
        expect(lookedAt("gemini", ["gemini", "a", "codex"], ["a"])).toEqual({ visible: ["a"], background: [] });
        expect(lookedAt(null, [], [])).toEqual({ visible: [], background: [] });
    });

    test("no more on the board than anybody sees; the rest follows behind", () => {
        const all = ids(VISIBLE_MAX + 3);
        const looked = lookedAt(null, all, all);
        expect(looked.visible).toEqual(all.slice(0, VISIBLE_MAX));
        expect(looked.background).toEqual(all.slice(VISIBLE_MAX));
        expect(lookedAt(null, [], ids(BACKGROUND_MAX + 1)).background.length).toBe(BACKGROUND_MAX);
    });

    test("cards that changed places ask for the same; one that came, went or was opened does not", () => {
        const key = lookedKey(lookedAt("a", ["b", "c"], ["a", "b", "c", "d"]));
        expect(lookedKey(lookedAt("a", ["c", "b"], ["d", "c", "b", "a"]))).toBe(key);
        expect(lookedKey(lookedAt("b", ["a", "c"], ["a", "b", "c", "d"]))).not.toBe(key);
        expect(lookedKey(lookedAt("a", ["b"], ["a", "b", "c", "d"]))).not.toBe(key);
        expect(lookedKey(lookedAt("a", ["b", "c"], ["a", "b", "c"]))).not.toBe(key);
    });
});
