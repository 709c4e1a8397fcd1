import { expect, test } from "vitest";
import { ago, coarse, dayTime, elapsed, minuteTime } from "../../src/core/time";

test.each([
    [-5000, "0s"],
    [999, "0s"],
    [59_999, "59s"],
    [60_000, "1m 00s"],
    [134_000, "2m 14s"],
    [3_599_999, "59m 59s"],
    [3_900_000, "1h 05m"],
    [86_399_999, "23h 59m"],
    [3 * 86_400_000 + 4 * 3_600_000, "3d 4h"],
])("%i ms have elapsed: %s", (ms, text) => expect(elapsed(ms)).toBe(text));

test.each([
    [-1, "now", "just now"],
    [59_000, "now", "just now"],
    [300_000, "5m", "5m ago"],
    [7_200_000, "2h", "2h ago"],
    [172_800_000, "2d", "2d ago"],
])("%i ms roughly: %s, %s", (ms, rough, past) => expect([coarse(ms), ago(ms)]).toEqual([rough, past]));

test("another day is named", () => {
    const noon = new Date(2026, 10, 15, 12, 0, 0).getTime();
    expect(dayTime(new Date(2026, 10, 15, 9, 5, 7).getTime(), noon)).toBe("09:05:07");
    expect(dayTime(new Date(2026, 10, 14, 9, 5, 7).getTime(), noon)).toBe("Nov 14 09:05");
});

test("a time to come is told to the minute", () => {
    expect(minuteTime(new Date(2026, 10, 15, 9, 5, 7).getTime())).toBe("09:05");
});
