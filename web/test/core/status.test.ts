import { expect, test } from "vitest";
import { askOf, sentenceOf, shortTitle, sessionOf, titleOf } from "../../src/core/status";
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

test("titles: a person's label, the automatic one, the project", () => {
    expect(titleOf(session("a"))).toBe("alpha");
    expect(titleOf(session("a", { title: "alpha #1 — Fix" }))).toBe("alpha #1 — Fix");
    expect(titleOf(session("a", { title: "alpha #1 — Fix", label: "Mine" }))).toBe("Mine");
    expect(shortTitle(session("a", { title: "alpha #12 — Fix — now" }))).toEqual({ number: "#12", text: "Fix — now" });
    expect(shortTitle(session("a", { title: "beta #12 — Fix" }))).toEqual({ number: "", text: "beta #12 — Fix" });
    expect(shortTitle(session("a", { title: "alpha #12 — F", label: "Mine" })).text).toBe("Mine");
});

test("since when: what began it counts, not what confirmed it last", () => {
    const at = (ms: number) => ({ source: "hook" as const, event: "x", at: ms });
    const first = sessionOf(session("a", { status: "prompting", statusEvidence: at(10) }));
    const busy = sessionOf(session("a", { status: "working", statusEvidence: at(20) }), first);
    const asking = sessionOf(session("a", { status: "approval", statusEvidence: at(30) }), busy);
    const still = sessionOf(session("a", { status: "approval", statusEvidence: at(40) }), asking);
    const input = sessionOf(session("a", { status: "input", statusEvidence: at(50) }), still);
    const ended = sessionOf(session("a", { status: "ended", statusEvidence: at(60), endedAt: 55 }), input);
    expect([first, busy, asking, still, input, ended].map((s) => s.since)).toEqual([10, 10, 30, 30, 50, 55]);
    expect(sessionOf(session("a", { lastActivityAt: 5 })).since).toBe(5);
});
