import { describe, expect, test } from "vitest";
import { attentionKey, attentionOf, diffLines, questionsOf } from "../../src/core/attention";
import { ProtocolError } from "../../src/core/guards";
import { attention } from "../session";

describe("on the wire", () => {
    test("what is left out is as it mostly is", () => {
        expect(attentionOf({ kind: "finished", since: 5, text: "Done." }, "attention")).toEqual(
            attention("finished", { since: 5, text: "Done." }),
        );
    });

    test("all of it", () => {
        const whole = attention("approval", {
            text: "Run make…",
            detail: "make all",
            form: "command",
            certain: false,
            requestId: "r",
            tool: "Bash",
            agent: "explore",
            more: 2,
            cut: true,
        });
        expect(attentionOf(whole, "attention")).toEqual(whole);
    });

    test.each([
        [{ kind: "nap", since: 1, text: "" }, "attention.kind"],
        [{ kind: "plan", since: "now", text: "" }, "attention.since"],
        [{ kind: "plan", since: 1 }, "attention.text"],
        [{ kind: "plan", since: 1, text: "", form: "html" }, "attention.form"],
    ])("refused: %j", (value, where) => {
        expect(() => attentionOf(value, "attention")).toThrow(ProtocolError);
        expect(() => attentionOf(value, "attention")).toThrow(where);
    });

    test("another request of the same moment is another one", () => {
        const one = attention("approval", { requestId: "a" });
        expect(attentionKey(one)).not.toBe(attentionKey({ ...one, requestId: "b" }));
        expect(attentionKey(one)).toBe(attentionKey({ ...one, more: 3, cut: true }));
    });
});

test("questions with their options", () => {
    const detail = "Which database?\n- SQLite: fast, but: not the same\n- Both\n\nWhich suites?\n(choose any number)\n- unit\n- slow: takes\nfour minutes\n\n";
    expect(questionsOf(detail)).toEqual([
        {
            text: "Which database?",
            any: false,
            options: [
                { label: "SQLite", description: "fast, but: not the same" },
                { label: "Both", description: "" },
            ],
        },
        {
            text: "Which suites?",
            any: true,
            options: [
                { label: "unit", description: "" },
                { label: "slow", description: "takes\nfour minutes" },
            ],
        },
    ]);
    const listed = "Shall I:\n  - sand it\n  \n  - paint it?\n- Yes: both\n  \n  - today\n- No";
    expect(questionsOf(listed)).toEqual([
        {
            text: "Shall I:\n- sand it\n\n- paint it?",
            any: false,
            options: [
                { label: "Yes", description: "both\n\n- today" },
                { label: "No", description: "" },
            ],
        },
    ]);
    expect(questionsOf("Go on?\nReally?")).toEqual([{ text: "Go on?\nReally?", any: false, options: [] }]);
});

test("a diff, line by line", () => {
    expect(diffLines("-odd name.c\n@@ -1 +1 @@\n int a;\n-int b;\n+int c;\n\n+")).toEqual([
        { mark: "file", text: "-odd name.c" },
        { mark: "hunk", text: "@@ -1 +1 @@" },
        { mark: "same", text: "int a;" },
        { mark: "removed", text: "int b;" },
        { mark: "added", text: "int c;" },
        { mark: "same", text: "" },
        { mark: "added", text: "" },
    ]);
});
