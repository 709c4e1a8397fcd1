import { expect, test } from "vitest";
import { BACKOFF_FIRST_MS, BACKOFF_MAX_MS, backoff } from "../../src/core/backoff";

test("doubles, with half of it drawn, up to a cap", () => {
    expect([backoff(0, 0), backoff(0, 1)]).toEqual([BACKOFF_FIRST_MS / 2, BACKOFF_FIRST_MS]);
    expect(backoff(3, 1)).toBe(BACKOFF_FIRST_MS * 8);
    for (const failures of [5, 50, 5000]) {
        expect(backoff(failures, 1)).toBe(BACKOFF_MAX_MS);
        expect(backoff(failures, 0)).toBe(BACKOFF_MAX_MS / 2);
    }
});
