import { describe, expect, test } from "vitest";
import { STATUSES, type Status } from "../../src/core/messages";
import { askingSessions, compareSessions, groupSessions, matchesFilter } from "../../src/core/order";
import { NOON, session } from "../session";

test("inside a project: your turn, busy, idle, ended; then the newest", () => {
    const order: Status[] = ["ended", "idle", "working", "waiting", "connecting"];
    const list = order.map((status, i) => session(status, { status, startedAt: NOON + i }));
    expect(list.sort(compareSessions).map((s) => s.id)).toEqual(["waiting", "connecting", "working", "idle", "ended"]);
});

test("activity does not move a card", () => {
    const a = session("a", { status: "working", startedAt: 5, lastActivityAt: 10 });
    const b = session("b", { status: "working", startedAt: 6, lastActivityAt: 7 });
    expect(compareSessions(a, b)).toBe(compareSessions({ ...a, lastActivityAt: 999 }, b));
});

test("the order is total: equal sessions go by id, whatever order they came in", () => {
    const list = ["c", "a", "b"].map((id) => session(id));
    expect(groupSessions(list)).toEqual(groupSessions([...list].reverse()));
});

test("who needs you: of all projects, the longest waiting first", () => {
    const list = [
        session("idle"),
        session("late", { status: "approval", statusSince: 50 }),
        session("early", { status: "input", statusSince: 10, projectPath: "/z", projectName: "z" }),
    ];
    expect(askingSessions(list)).toEqual(["early", "late"]);
});

describe("groups", () => {
    test("in its project, too, who needs you stands first", () => {
        const groups = groupSessions([session("idle"), session("done", { status: "waiting" }), session("ask", { status: "input" })]);
        expect(groups).toEqual([{ name: "alpha", path: "/home/dev/work/alpha", ids: ["ask", "done", "idle"] }]);
    });

    test("projects go by name, numbers as numbers, and stay apart when only the name is the same", () => {
        const one = (id: string, projectName: string, projectPath: string) => session(id, { projectName, projectPath });
        const groups = groupSessions([
            one("1", "app10", "/app10"),
            one("2", "App2", "/App2"),
            one("3", "web", "/b/web"),
            one("4", "web", "/a/web"),
        ]);
        expect(groups.map((g) => g.path)).toEqual(["/App2", "/app10", "/a/web", "/b/web"]);
    });

    test("every status has its place", () => {
        const ids = groupSessions(STATUSES.map((status) => session(status, { status }))).flatMap((g) => g.ids);
        expect([...ids].sort()).toEqual([...STATUSES].sort());
    });
});

test("every word of a filter must be there, in the project, the title or the prompt", () => {
    const s = session("a", { title: "alpha #1 — Fix the lexer", currentPrompt: "Why is it SLOW?" });
    expect(matchesFilter(s, "alpha slow lexer")).toBe(true);
    expect(matchesFilter(s, "alpha fast")).toBe(false);
    expect(matchesFilter(s, " ")).toBe(true);
});
