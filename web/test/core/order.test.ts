import { describe, expect, test } from "vitest";
import { STATUSES, type Status, type Summary } from "../../src/core/messages";
import { ENDED_GROUP, apartFrom, askingSessions, cardsOf, compareSessions, groupSessions, matchesFilter, type Group } from "../../src/core/order";
import { NOON, attention, session } from "../session";

/** Each group's name and its cards; a team's in a list of their own. */
const shape = (groups: Group[]) =>
    groups.map((g) => [g.name, ...g.units.map((u) => (u.teamId === null ? u.ids[0] : cardsOf(u)))]);

const ask = (id: string, fields: Partial<Summary> = {}, since = NOON) =>
    session(id, { status: "approval", attention: attention("approval", { since }), ...fields });

test("inside a project: who wants you, busy, idle, ended; then the newest", () => {
    const order: Status[] = ["ended", "idle", "working", "waiting", "connecting"];
    const list = order.map((status, i) => session(status, { status, startedAt: NOON + i }));
    list.push(session("done", { status: "waiting", attention: attention("finished") }));
    expect(list.sort(compareSessions).map((s) => s.id)).toEqual(["done", "connecting", "working", "waiting", "idle", "ended"]);
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

test("who wants you: of all projects, what is asked before what is done, and the longest waiting first", () => {
    const list = [
        session("idle"),
        session("done", { attention: attention("finished", { since: 1 }) }),
        ask("late", {}, 50),
        ask("early", { projectPath: "/z", projectName: "z" }, 10),
        session("broke", { attention: attention("error", { since: 90 }) }),
    ];
    expect(askingSessions(list)).toEqual(["early", "late", "broke", "done"]);
});

test("who stands apart: nobody that a group of its own tone has already", () => {
    const list = [ask("ask"), session("done", { attention: attention("finished") }), session("gone", { status: "ended", attention: attention("exited") })];
    const asking = askingSessions(list);
    expect(apartFrom(asking, groupSessions(list, "project"))).toEqual(asking);
    expect(apartFrom(asking, groupSessions(list, "status"))).toEqual([]);
    expect(apartFrom(asking, groupSessions([list[0]!], "status"))).toEqual(["done", "gone"]);
});

describe("groups", () => {
    test("in its project, too, who needs you stands first", () => {
        const groups = groupSessions([session("idle"), session("done", { attention: attention("finished") }), ask("ask")]);
        expect(groups).toMatchObject([{ name: "alpha", path: "/home/dev/work/alpha", tone: null, size: 3 }]);
        expect(shape(groups)).toEqual([["alpha", "ask", "done", "idle"]]);
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

    test("those that have ended stand apart, the latest first, after all projects", () => {
        const groups = groupSessions([
            session("first", { status: "ended", endedAt: 10, projectName: "zeta", projectPath: "/zeta" }),
            session("last", { status: "ended", endedAt: 20 }),
            session("lives", { projectName: "zeta", projectPath: "/zeta" }),
        ]);
        expect(groups).toMatchObject([{ name: "zeta" }, { name: "Ended", tone: "ended", key: ENDED_GROUP }]);
        expect(shape(groups)).toEqual([
            ["zeta", "lives"],
            ["Ended", "last", "first"],
        ]);
    });

    test("every status has its place", () => {
        const ids = groupSessions(STATUSES.map((status) => session(status, { status }))).flatMap((g) => g.units.flatMap(cardsOf));
        expect([...ids].sort()).toEqual([...STATUSES].sort());
    });
});

describe("teams", () => {
    const member = (id: string, fields: Partial<Summary> = {}) => session(id, { teamId: "t", teamRole: "member", ...fields });
    const leader = (fields: Partial<Summary> = {}) => session("lead", { teamId: "t", teamRole: "leader", ...fields });

    test("members follow their leader as they came, whatever they do", () => {
        const team = [
            member("second", { startedAt: NOON + 2, attention: attention("plan") }),
            leader(),
            member("first", { startedAt: NOON + 1, status: "idle" }),
        ];
        expect(shape(groupSessions(team))).toEqual([["alpha", ["lead", "first", "second"]]]);
    });

    test("a member in another directory stands with its leader; the group counts it", () => {
        const groups = groupSessions([leader(), member("m", { projectPath: "/else", projectName: "else" }), session("x")]);
        expect(groups.map((g) => [g.name, g.size])).toEqual([["alpha", 3]]);
    });

    test("a team is as urgent as the most urgent of it", () => {
        const groups = groupSessions([session("turn", { status: "waiting" }), leader(), member("m", { attention: attention("question") })]);
        expect(shape(groups)).toEqual([["alpha", ["lead", "m"], "turn"]]);
    });

    test("without its leader it is still a team, and alone it is just a card", () => {
        const groups = groupSessions([member("b", { startedAt: NOON + 1 }), member("a")]);
        expect(shape(groups)).toEqual([["alpha", ["a", "b"]]]);
        expect(groups[0]!.units[0]!.leader).toBeNull();
        expect(shape(groupSessions([leader()]))).toEqual([["alpha", "lead"]]);
    });
});

describe("by status", () => {
    test("the urgent first, empty ones left out, teams apart", () => {
        const groups = groupSessions(
            [
                session("end", { status: "ended" }),
                session("work", { status: "working", teamId: "t", teamRole: "leader" }),
                session("think", { status: "prompting", teamId: "t", teamRole: "member", startedAt: NOON + 1 }),
                ask("ask", { projectName: "beta", projectPath: "/beta" }),
                ask("asked", {}, NOON - 9),
                session("done", { attention: attention("finished") }),
                session("turn", { status: "waiting" }),
                session("broke", { attention: attention("error") }),
                session("shell", { workerType: "terminal" }),
            ],
            "status",
        );
        expect(shape(groups)).toEqual([
            ["Needs you", "asked", "ask"],
            ["Errors", "broke"],
            ["Finished", "done"],
            ["Working", "think", "work"],
            ["Running", "shell"],
            ["Idle", "turn"],
            ["Ended", "end"],
        ]);
    });

    test("a card keeps its place among its equals while it works", () => {
        const a = session("a", { status: "working", startedAt: NOON, statusSince: NOON });
        const b = session("b", { status: "prompting", startedAt: NOON + 1, statusSince: NOON + 5 });
        const before = shape(groupSessions([a, b], "status"));
        expect(shape(groupSessions([{ ...a, status: "prompting", statusSince: NOON + 99 }, b], "status"))).toEqual(before);
    });
});

test("every word of a filter must be there, in the project, the title or the prompt", () => {
    const s = session("a", { title: "alpha #1 — Fix the lexer", currentPrompt: "Why is it SLOW?" });
    expect(matchesFilter(s, "alpha slow lexer")).toBe(true);
    expect(matchesFilter(s, "alpha fast")).toBe(false);
    expect(matchesFilter({ ...s, label: "Urgent", agentName: "reader", teamName: "squad" }, "urgent reader squad")).toBe(true);
    expect(matchesFilter({ ...s, lastWords: "The lexer copied each token" }, "copied")).toBe(true);
    expect(matchesFilter(s, " ")).toBe(true);
});
