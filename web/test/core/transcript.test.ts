import { describe, expect, test } from "vitest";
import { isBroken, markOf, withFinding } from "../../src/core/transcript";
import { NOON, transcript } from "../session";

const HOUR = 60 * 60 * 1000;

describe("the mark on the card", () => {
    test.each([
        ["healthy", null],
        ["corrupted", null],
        ["missing", null],
        ["quarantined", null],
        ["repaired", "mended"],
        ["unreadable", "broken"],
        ["unrecoverable", "broken"],
    ])("%s: %s", (status, mark) => {
        expect(markOf(transcript({ status }), NOON)).toBe(mark);
        expect(isBroken(transcript({ status }))).toBe(mark === "broken");
    });

    test("mended fades after a day, broken does not", () => {
        const repaired = transcript({ status: "repaired" });
        expect(markOf(repaired, NOON + 24 * HOUR - 1)).toBe("mended");
        expect(markOf(repaired, NOON + 24 * HOUR)).toBeNull();
        expect(markOf({ ...repaired, checkedAt: null }, NOON)).toBe("mended");
        expect(markOf(transcript({ status: "unrecoverable" }), NOON + 900 * HOUR)).toBe("broken");
    });

    test("none while nobody has looked", () => {
        expect(markOf(null, NOON)).toBeNull();
        expect(isBroken(null)).toBe(false);
    });
});

describe("a finding", () => {
    const found = { status: "repaired", chainDepth: 300, orphansFixed: 2, message: null };

    test("is all there is when nothing was known", () => {
        expect(withFinding(null, found, null)).toEqual({
            status: "repaired",
            chainDepth: 300,
            messageCount: 0,
            linksFixed: 2,
            checkedAt: null,
            message: null,
        });
    });

    test("changes what it speaks of, and counts nothing twice", () => {
        const known = transcript({ status: "unrecoverable", linksFixed: 2, message: "the disk is full" });
        expect(withFinding(known, found, NOON + 5)).toEqual(
            transcript({ status: "repaired", chainDepth: 300, linksFixed: 2, checkedAt: NOON + 5 }),
        );
        expect(withFinding(transcript(), found, NOON).linksFixed).toBe(2);
        expect(withFinding(known, { ...found, chainDepth: null }, NOON).chainDepth).toBe(294);
    });
});
