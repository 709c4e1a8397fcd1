import { describe, expect, test } from "vitest";
import { ProtocolError } from "../../src/core/guards";
import { doingWords, endSentence, endWords, kindWords, lineOf, modeWords, requestOf, whoOf, STATES } from "../../src/core/request";
import { request, wireRequest } from "../request";

describe("a request on the wire", () => {
    test("is taken as the contract describes it", () => {
        const r = request("r1");
        expect(r).toMatchObject({ id: "r1", session: "a", kind: "approval", form: "command", digest: "d-r1", state: "open" });
        expect(r.can.has("always")).toBe(true);
        expect(r.rules).toEqual([{ rule: "Bash(npm test:*)", where: "localSettings" }]);
    });

    test("may leave out what is null, and may have more than this page knows", () => {
        const { questions, rules, modes, why, via, same, answer, note, endedAt, by, agent, ...rest } = wireRequest("r1");
        const r = requestOf({ ...rest, can: ["allow", "sing"], later: true }, "request");
        expect(r).toMatchObject({ questions: null, rules: [], modes: [], why: null, same: null, by: null });
        expect(r.can.has("sing")).toBe(true);
    });

    test.each([
        ["kind", "wish"],
        ["state", "lost"],
        ["can", "allow"],
        ["askedAt", "noon"],
        ["rules", [{ rule: "x", where: "moon" }]],
        ["answer", { decision: "maybe", at: 1 }],
    ])("is refused for its %s", (field, value) => {
        expect(() => requestOf(wireRequest("r1", { [field]: value }), "request")).toThrow(ProtocolError);
    });

    test.each([
        ["input", "npm test"],
        ["questions", [{ question: 1 }]],
        ["questions", [{ question: "Which?", options: [{ label: {} }] }]],
    ])("does without %s that an agent wrote in some other way", (field, value) => {
        expect(requestOf(wireRequest("r1", { [field]: value }), "request")).toMatchObject({ id: "r1", [field]: null });
    });

    test("its questions come with all that is known of them", () => {
        const r = request("q", { kind: "question", questions: [{ question: "Which?", options: [{ label: "A" }, { label: "B", description: "the other" }] }] });
        expect(r.questions).toEqual([
            { question: "Which?", header: "", multiSelect: false, options: [{ label: "A", description: "" }, { label: "B", description: "the other" }] },
        ]);
    });
});

describe("words", () => {
    test("each of the five ends has its own, and an open one none", () => {
        const words = STATES.map((state) => endWords({ state, kind: "approval" }));
        expect(words[0]).toBe("");
        expect(new Set(words).size).toBe(STATES.length);
    });

    test("an end says who brought it about", () => {
        expect(endSentence({ state: "allowed", kind: "plan", by: "Chrome 140 on Android" })).toBe("Approved here, by Chrome 140 on Android");
        expect(endSentence({ state: "desk", kind: "plan", by: null })).toBe("Answered at the desk");
    });

    test("a guess is called one", () => {
        expect(kindWords(request("r"))).toBe("Approve");
        expect(kindWords(request("r", { certain: false }))).toBe("May be waiting");
    });

    test("what is on its way", () => {
        expect(doingWords("allow", "approval")).toBe("Allowing");
        expect(doingWords("allow", "question")).toBe("Answering");
        expect(doingWords("deny", "plan")).toBe("Sending back");
    });

    test("an automatic title does not say the project twice", () => {
        expect(whoOf(request("r"))).toEqual({ project: "alpha", title: "Fix it" });
        expect(whoOf(request("r", { title: "My own" }))).toEqual({ project: "alpha", title: "My own" });
        expect(whoOf(request("r", { title: "alpha" }))).toEqual({ project: "alpha", title: "" });
    });

    test("one line of it", () => {
        expect(lineOf(request("r", { detail: "make \\\n  all" }))).toBe("make \\ all");
        expect(lineOf(request("r", { form: "diff", text: "Edit a.c", detail: "a.c\n@@" }))).toBe("Edit a.c");
        expect(lineOf(request("r", { form: "text", text: "", detail: null }))).toBe("Approve");
    });

    test("a mode that nobody knows keeps its name", () => {
        expect(modeWords("acceptEdits")).toBe("let it edit without asking");
        expect(modeWords("turbo")).toBe("turbo");
    });
});
