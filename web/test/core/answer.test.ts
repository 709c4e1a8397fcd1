import { describe, expect, test } from "vitest";
import {
    NOTHING_CHOSEN,
    answersOf,
    canBe,
    choose,
    chooseOther,
    denial,
    editableCommand,
    isAnswerable,
    unanswered,
    withCommand,
} from "../../src/core/answer";
import type { Asked } from "../../src/core/request";
import { request } from "../request";

const one: Asked = { question: "Which?", header: "", multiSelect: false, options: [{ label: "A", description: "" }, { label: "B", description: "" }] };
const many: Asked = { ...one, question: "Which ones?", multiSelect: true };

describe("questions", () => {
    test("a single answer is the last one chosen", () => {
        const chosen = choose(one, choose(one, NOTHING_CHOSEN, "A"), "B");
        expect(answersOf([one], [chosen])).toEqual({ decision: "allow", answers: { "Which?": "B" } });
    });

    test("several are given in the order in which they stand, and can be taken back", () => {
        const both = choose(many, choose(many, NOTHING_CHOSEN, "B"), "A");
        expect(answersOf([many], [both])).toMatchObject({ answers: { "Which ones?": ["A", "B"] } });
        expect(answersOf([many], [choose(many, both, "B")])).toMatchObject({ answers: { "Which ones?": ["A"] } });
    });

    test("words of one's own take the place of a label, or stand beside the chosen ones", () => {
        const own = { ...chooseOther(one, choose(one, NOTHING_CHOSEN, "A"), true), words: " neither " };
        expect(answersOf([one], [own])).toMatchObject({ answers: { "Which?": "neither" } });
        const more = { ...chooseOther(many, choose(many, NOTHING_CHOSEN, "A"), true), words: "C" };
        expect(answersOf([many], [more])).toMatchObject({ answers: { "Which ones?": ["A", "C"] } });
    });

    test("every question wants one, and empty words are none", () => {
        const a = choose(one, NOTHING_CHOSEN, "A");
        expect(answersOf([one, many], [a])).toBeNull();
        expect(unanswered([one, many], [a])).toBe(1);
        expect(answersOf([one], [chooseOther(one, NOTHING_CHOSEN, true)])).toBeNull();
        expect(unanswered([many], [chooseOther(many, choose(many, NOTHING_CHOSEN, "A"), true)])).toBe(1);
    });

    test("a question's text is a name like any other", () => {
        const q = { ...one, question: "__proto__" };
        const { answers } = answersOf([q], [choose(q, NOTHING_CHOSEN, "A")])!;
        expect(JSON.stringify(answers)).toBe('{"__proto__":"A"}');
    });
});

describe("what can be done", () => {
    test("only what the request says, and only while it is open", () => {
        expect(canBe(request("r"), "always")).toBe(true);
        expect(canBe(request("r", { can: ["deny"] }), "allow")).toBe(false);
        expect(isAnswerable(request("r", { state: "desk" }))).toBe(false);
        expect(isAnswerable(request("r", { can: [] }))).toBe(false);
    });

    test("a denial says no more than can be heard", () => {
        expect(denial(request("r"), " because ", true)).toEqual({ decision: "deny", message: "because", stop: true });
        expect(denial(request("r"), "  ", false)).toEqual({ decision: "deny" });
        expect(denial(request("r", { can: ["deny"] }), "because", true)).toEqual({ decision: "deny" });
    });

    test("a command is edited within its input", () => {
        const r = request("r");
        expect(editableCommand(r)).toBe("npm test");
        expect(withCommand(r, "npm t")).toEqual({ decision: "allow", input: { command: "npm t", description: "Run the tests" } });
        expect(editableCommand(request("r", { can: ["allow"] }))).toBeNull();
        expect(editableCommand(request("r", { input: { command: ["npm", "test"] } }))).toBeNull();
    });

    test("a command with characters that are not seen is not put into a field", () => {
        expect(editableCommand(request("r", { input: { command: "echo \u202e cod.exe" } }))).toBeNull();
        expect(editableCommand(request("r", { input: { command: "printf '\x1b[2J'" } }))).toBeNull();
    });
});
