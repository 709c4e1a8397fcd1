import { expect, test } from "vitest";
import { LOG_CAP, mergeEntries, timeline } from "../../src/core/logs";
import { NOON } from "../session";

const entry = (pos: number, text = "") => ({ pos, text, timestamp: NOON + pos });

test("entries find their place by position", () => {
    const merged = mergeEntries([entry(1), entry(4)], [entry(4, "new"), entry(2), entry(9)]);
    expect(merged.map((e) => [e.pos, e.text])).toEqual([
        [1, ""],
        [2, ""],
        [4, "new"],
        [9, ""],
    ]);
});

test("the oldest go when there are too many", () => {
    const many = Array.from({ length: LOG_CAP }, (_, i) => entry(i));
    const merged = mergeEntries(many, [entry(LOG_CAP), entry(LOG_CAP + 1)]);
    expect([merged.length, merged[0]!.pos]).toEqual([LOG_CAP, 2]);
});

test("the timeline is one story, newest first; of one moment the answer is the newest", () => {
    const tool = { pos: 1, tool: "Bash", input: "make", timestamp: 5, failed: false, error: null };
    const steps = timeline({
        prompts: [{ pos: 1, text: "go", timestamp: 5 }],
        tools: [tool, { ...tool, pos: 2 }],
        responses: [{ pos: 1, text: "done", timestamp: 5 }],
        events: [],
    });
    expect(steps.map((s) => s.kind + s.pos)).toEqual(["response1", "tool2", "tool1", "prompt1"]);
});
