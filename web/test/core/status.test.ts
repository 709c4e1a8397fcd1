import { expect, test } from "vitest";
import { askOf, hasFailed, newsOf, sentenceOf, shortTitle, titleOf } from "../../src/core/status";
import { session } from "../session";

test("what it asks for", () => {
    const asking = session("a", { status: "approval", pendingTool: "Bash", pendingToolDetail: "rm -rf build" });
    expect(sentenceOf(asking)).toBe("Needs approval: Bash — rm -rf build");
    expect(sentenceOf({ ...asking, pendingToolDetail: null })).toBe("Needs approval: Bash");
    expect(askOf({ ...asking, pendingTool: null, waitingDetail: "Approve Bash" })).toBe("Approve Bash");
});

test("a tool that merely may need approval soon is no question yet", () => {
    expect(askOf(session("a", { status: "working", pendingTool: "Bash", pendingToolDetail: "make" }))).toBe("");
});

test("a turn that broke off is no ordinary end, until something begins again", () => {
    const failed = session("a", { status: "waiting", error: { kind: "rate_limit", detail: "", at: 1 } });
    expect(sentenceOf(failed)).toBe("Stopped by an error");
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
