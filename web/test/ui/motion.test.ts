import { beforeEach, expect, test } from "vitest";
import { MOMENTS_MAX, Motion } from "../../src/ui/motion";

let now: number;
let timers: (() => void)[];
let refused: boolean;
let motion: Motion;
beforeEach(() => {
    [now, timers, refused] = [0, [], false];
    motion = new Motion({ setTimer: (run) => timers.push(run) }, () => now, () => refused);
});

/** Something changes in so many pictures; the last answer. */
function change(pictures: number): boolean {
    let answer = true;
    for (let i = 0; i < pictures; i++) {
        now++;
        answer = motion.allows();
    }
    return answer;
}

/** A second has passed. */
const pass = () => timers.splice(0).forEach((run) => run());

test("a few changes a second move, and any number in one picture", () => {
    expect(change(MOMENTS_MAX)).toBe(true);
    for (let i = 0; i < 100; i++) expect(motion.allows()).toBe(true);
    pass();
    expect(change(MOMENTS_MAX)).toBe(true);
    expect(motion.still.value).toBe(false);
});

test("more than that and the board stands still, until it has become calm", () => {
    expect(change(MOMENTS_MAX + 1)).toBe(false);
    expect(motion.still.value).toBe(true);
    pass();
    expect(change(MOMENTS_MAX + 1)).toBe(false);
    pass();
    expect(motion.still.value).toBe(true);
    expect(change(1)).toBe(false);
    pass();
    expect(motion.still.value).toBe(false);
    expect(change(1)).toBe(true);
    pass();
    expect(timers).toEqual([]); // a board on which nothing happens wakes nobody
});

test("who wants no motion gets none", () => {
    refused = true;
    expect(change(1)).toBe(false);
    expect(motion.still.value).toBe(false);
});
