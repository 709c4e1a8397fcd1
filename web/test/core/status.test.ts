import { describe, expect, test } from "vitest";
import type { Attention, AttentionKind } from "../../src/core/attention";
import type { Status } from "../../src/core/messages";
import { askOf, hasFailed, labelOf, needsYou, newsOf, sentenceOf, shapeOf, shortTitle, sinceOf, titleOf, toneOf, urgencyOf } from "../../src/core/status";
import { attention, session } from "../session";

describe("attention", () => {
    const wanting = (kind: AttentionKind, fields: Partial<Attention> = {}) => session("a", { attention: attention(kind, fields) });

    test("each kind has its words, its tone and its shape", () => {
        const said = (["approval", "question", "plan", "error", "finished", "exited"] as const).map((kind) => {
            const s = wanting(kind);
            return [labelOf(s), toneOf(s), shapeOf(s)];
        });
        expect(said).toEqual([
            ["Approve", "needs", "approval"],
            ["Question", "needs", "question"],
            ["Plan to review", "needs", "plan"],
            ["Error", "failed", "error"],
            ["Finished", "done", "finished"],
            ["Exited", "done", "exited"],
        ]);
    });

    test("what it wants, in a sentence, and since when", () => {
        const s = wanting("approval", { text: "Run rm -rf build", since: 77 });
        expect(sentenceOf(s)).toBe("Approve: Run rm -rf build");
        expect(sinceOf({ ...s, statusSince: 5 })).toBe(77);
        expect(sentenceOf(wanting("finished", { text: "Finished" }))).toBe("Finished");
    });

    test("what broke off did so when it did, also when it has been seen and the status has become another", () => {
        const error = { kind: "rate_limit", detail: "429", at: 77 };
        expect(sinceOf(session("a", { status: "idle", statusSince: 500, error }))).toBe(77);
        expect(sinceOf(session("a", { status: "working", statusSince: 500, error }))).toBe(500);
    });

    test("a guess is called one", () => {
        expect(labelOf(wanting("approval", { certain: false }))).toBe("May be waiting");
    });

    test("the status does not matter while somebody is wanted, and asks for nothing by itself", () => {
        expect(toneOf({ ...wanting("approval"), status: "idle" })).toBe("needs");
        const alone = session("a", { status: "approval", pendingTool: "Bash", pendingToolDetail: "make" });
        expect([toneOf(alone), labelOf(alone), askOf(alone), needsYou(alone)]).toEqual(["busy", "Working", "", false]);
    });

    test("the urgent first: asked, guessed, broken off, done, and then those that want nothing", () => {
        const list = [
            session("idle"),
            session("busy", { status: "working" }),
            wanting("finished"),
            wanting("error"),
            wanting("approval", { certain: false }),
            wanting("question"),
        ];
        expect(list.sort((a, b) => urgencyOf(a) - urgencyOf(b)).map(labelOf)).toEqual([
            "Question",
            "May be waiting",
            "Error",
            "Finished",
            "Working",
            "Idle",
        ]);
    });
});

test("a program runs or has exited, whatever its status says of an agent", () => {
    const program = (status: Status) => session("a", { status, workerType: "terminal" });
    expect([labelOf(program("idle")), toneOf(program("idle"))]).toEqual(["Running", "running"]);
    expect(labelOf(program("connecting"))).toBe("Starting");
    expect([labelOf(program("ended")), toneOf(program("ended"))]).toEqual(["Exited", "ended"]);
});

test("a turn that broke off is no ordinary end, until something begins again", () => {
    const failed = session("a", { status: "waiting", error: { kind: "rate_limit", detail: "", at: 1 } });
    expect([sentenceOf(failed), toneOf(failed)]).toEqual(["Stopped by an error", "failed"]);
    expect(hasFailed({ ...failed, status: "working" })).toBe(false);
    expect(hasFailed({ ...failed, status: "ended" })).toBe(false);
    expect(hasFailed({ ...failed, error: null })).toBe(false);
});

test("titles: what it is called, or its project; a label is none", () => {
    expect(titleOf(session("a"))).toBe("alpha");
    expect(titleOf(session("a", { title: "alpha #1 — Fix" }))).toBe("alpha #1 — Fix");
    expect(titleOf(session("a", { title: "alpha #1 — Fix", label: "Mine" }))).toBe("alpha #1 — Fix");
    expect(shortTitle(session("a", { title: "alpha #12 — Fix — now" }))).toEqual({ number: "#12", text: "Fix — now" });
    expect(shortTitle(session("a", { title: "beta #12 — Fix" }))).toEqual({ number: "", text: "beta #12 — Fix" });
    expect(shortTitle(session("a", { title: "My own name" }))).toEqual({ number: "", text: "My own name" });
});

test("the prompt is news only when the title does not say it", () => {
    const title = "alpha #1 — Fix the flaky test";
    const prompt = (currentPrompt: string | null) => newsOf(session("a", { title, currentPrompt }));
    expect(prompt("please fix the flaky test")).toBe("");
    expect(prompt("Fix the flaky test.")).toBe("");
    expect(prompt("Fix the flaky test. It fails on CI since Monday")).toBe("Fix the flaky test. It fails on CI since Monday");
    expect(prompt("Now the docs")).toBe("Now the docs");
    expect(prompt(null)).toBe("");
});
