import { effect } from "@preact/signals-core";
import { beforeEach, describe, expect, test } from "vitest";
import type { Patch, Summary } from "../../src/core/messages";
import { ProtocolError } from "../../src/core/messages";
import { cardsOf } from "../../src/core/order";
import { Store } from "../../src/core/store";
import { NOON, attention, session, transcript } from "../session";

let store: Store;
let seq: number;

beforeEach(() => {
    store = new Store();
    seq = 10;
});

const snapshot = (...sessions: Summary[]) => store.apply({ type: "snapshot", seq: ++seq, sessions, teams: [] });
const update = (id: string, patch: Patch) => store.apply({ type: "session_update", seq: ++seq, id, patch });
const remove = (id: string) => store.apply({ type: "session_removed", seq: ++seq, id, sessionId: null });
const groups = () => store.groups.value.map((g) => [g.path, ...g.units.flatMap(cardsOf)]);
const cards = () => store.groups.value.flatMap((g) => g.units.flatMap(cardsOf));

/** How often something that depends on `read` is computed from now on. */
function watch(read: () => unknown): () => number {
    let runs = -1;
    effect(() => {
        read();
        runs++;
    });
    return () => runs;
}

describe("snapshot", () => {
    test("fills the board", () => {
        expect(store.loaded.value).toBe(false);
        snapshot(session("a"), session("b"));
        expect(store.loaded.value).toBe(true);
        expect(store.total.value).toBe(2);
        expect(store.seq).toBe(11);
    });

    test("a later one is the whole truth: others go, the rest keeps its signal", () => {
        snapshot(session("a"), session("b"));
        const a = store.find("a")!;
        snapshot(session("a", { title: "new" }), session("c"));
        expect(store.find("a")).toBe(a);
        expect(a.value.title).toBe("new");
        expect(store.find("b")).toBeUndefined();
        expect(store.total.value).toBe(2);
    });

    test("takes its seq also when that is smaller, as after a daemon lost its state", () => {
        snapshot(session("a"));
        store.apply({ type: "snapshot", seq: 2, sessions: [], teams: [] });
        expect(store.seq).toBe(2);
    });
});

describe("update", () => {
    test("merges changed fields; null takes away; nothing else moves", () => {
        snapshot(session("a", { title: "T", pendingTool: "Bash", tool: { tool: "Bash", input: "ls", since: 1 } }));
        update("a", { status: "working", pendingTool: null, tool: { tool: "Read", input: "x.c", since: 2 } });
        expect(store.find("a")!.value).toMatchObject(
            session("a", { title: "T", status: "working", tool: { tool: "Read", input: "x.c", since: 2 } }),
        );
        expect(store.seq).toBe(12);
    });

    test("an unknown id with a whole summary is a new card", () => {
        snapshot(session("a"));
        update("b", session("b", { attention: attention("approval") }));
        expect(store.find("b")!.value.attention!.kind).toBe("approval");
        expect(store.counts.value).toMatchObject({ wanting: 1, needs: 1, idle: 1 });
    });

    test("an unknown id with a partial one means that something was missed", () => {
        snapshot(session("a"));
        expect(() => update("b", { status: "working" })).toThrow(ProtocolError);
        expect(store.total.value).toBe(1);
        expect(store.seq).toBe(11);
    });

    test("seq only grows, though two sessions' updates may cross", () => {
        snapshot(session("a"), session("b"));
        store.apply({ type: "session_update", seq: 20, id: "a", patch: { toolCalls: 1 } });
        store.apply({ type: "session_update", seq: 19, id: "b", patch: { toolCalls: 2 } });
        expect(store.find("b")!.value.toolCalls).toBe(2);
        expect(store.seq).toBe(20);
    });

    test("after a resume both agent ids lead to the card", () => {
        snapshot(session("a", { sessionId: "first" }));
        update("a", { sessionId: "second", replacesId: "first" });
        expect(store.find("first")).toBe(store.find("a"));
        expect(store.find("second")).toBe(store.find("a"));
        remove("a");
        expect(store.find("first")).toBeUndefined();
    });
});

describe("one session, one card", () => {
    test("a snapshot that has a session twice under one id", () => {
        snapshot(session("a", { toolCalls: 1 }), session("a", { toolCalls: 2, lastActivityAt: NOON + 1 }));
        expect(cards()).toEqual(["a"]);
        expect(store.find("a")!.value.toolCalls).toBe(2);
    });

    test("a snapshot that has it under two ids: the one that did something last", () => {
        const old = session("old", { sessionId: "x", lastActivityAt: NOON, attention: attention("approval") });
        const now = session("new", { sessionId: "x", lastActivityAt: NOON + 5, status: "working" });
        for (const order of [[old, now], [now, old]]) {
            snapshot(...order);
            expect(cards()).toEqual(["new"]);
            expect(store.total.value).toBe(1);
            expect(store.counts.value).toMatchObject({ wanting: 0, busy: 1 });
            expect(store.asking.value).toEqual([]);
        }
        expect(store.find("x")!.value.id).toBe("new");
    });

    test("a new card that takes another one's sessionId, or says that it replaces it", () => {
        snapshot(session("a", { sessionId: "x" }), session("b", { sessionId: "y" }));
        update("a2", session("a2", { sessionId: "x" }));
        expect(cards().sort()).toEqual(["a2", "b"]);
        update("b2", { ...session("b2", { sessionId: "z" }), replacesId: "y" });
        expect(cards().sort()).toEqual(["a2", "b2"]);
        // What still comes for those that were replaced changes nothing of that.
        update("a", { toolCalls: 9, attention: attention("approval") });
        update("b", { toolCalls: 9 });
        expect(cards().sort()).toEqual(["a2", "b2"]);
        expect(store.find("y")!.value.id).toBe("b2");
    });

    test("a resume does not show the old id beside the new one, also after the next snapshot", () => {
        snapshot(session("a", { sessionId: "first" }));
        update("a", { sessionId: "second", replacesId: "first" });
        snapshot(session("a", { sessionId: "second" }));
        expect(cards()).toEqual(["a"]);
        expect(store.find("first")).toBe(store.find("a"));
    });

    test("the one that stood back is there again when the other goes", () => {
        snapshot(session("old", { sessionId: "x" }), session("new", { sessionId: "x", lastActivityAt: NOON + 5 }));
        remove("new");
        expect(cards()).toEqual(["old"]);
    });
});

describe("closing a card", () => {
    beforeEach(() => snapshot(session("a", { attention: attention("approval") }), session("b")));

    test("hides it everywhere at once", () => {
        store.hide("a");
        expect(cards()).toEqual(["b"]);
        expect(store.total.value).toBe(1);
        expect(store.counts.value.wanting).toBe(0);
        expect(store.asking.value).toEqual([]);
        expect(store.find("a")).toBeUndefined();
        expect(store.find("agent-a")).toBeUndefined();
    });

    test("what was under way does not bring it back: not an update, not a snapshot, not an edit", () => {
        store.hide("a");
        update("a", { status: "working", toolCalls: 7 });
        snapshot(session("a", { status: "working" }), session("b"));
        store.edit("a", { title: "late" });
        expect(cards()).toEqual(["b"]);
        remove("a");
        expect(cards()).toEqual(["b"]);
    });

    test("an update that is older than the removal and comes after it is not heard", () => {
        store.hide("a");
        store.apply({ type: "session_removed", seq: 50, id: "a", sessionId: "agent-a" });
        store.apply({ type: "session_update", seq: 49, id: "a", patch: session("a") });
        store.apply({ type: "session_update", seq: 48, id: "a", patch: { toolCalls: 1 } });
        expect(cards()).toEqual(["b"]);
        store.reveal("a"); // the HTTP answer that comes last, whatever it says
        expect(cards()).toEqual(["b"]);
    });

    test("the agent's next event after that is a card again", () => {
        store.hide("a");
        store.apply({ type: "session_removed", seq: 50, id: "a", sessionId: "agent-a" });
        store.apply({ type: "session_update", seq: 51, id: "a", patch: session("a") });
        expect(cards()).toEqual(["a", "b"]);
    });

    test("a refusal shows it again, as it is by then", () => {
        store.hide("a");
        update("a", { status: "working" });
        store.reveal("a");
        expect(cards()).toEqual(["a", "b"]);
        expect(store.find("a")!.value.status).toBe("working");
    });

    test("a connection that was lost meanwhile: the snapshot without it ends the matter", () => {
        store.hide("a");
        snapshot(session("b"));
        store.reveal("a");
        expect(cards()).toEqual(["b"]);
    });
});

describe("teams", () => {
    const team = (teamId: string, parentId: string | null, ...childIds: string[]) => ({ teamId, parentId, childIds, teamName: teamId });

    test("come with the snapshot, change and go", () => {
        store.apply({ type: "snapshot", seq: 11, sessions: [session("a")], teams: [team("t", "a", "b")] });
        expect(store.teams.value.get("t")).toEqual(team("t", "a", "b"));
        store.apply({ type: "team_update", seq: 12, team: team("u", null, "c") });
        store.apply({ type: "team_removed", seq: 13, teamId: "t" });
        expect([...store.teams.value.keys()]).toEqual(["u"]);
        expect(store.seq).toBe(13);
        snapshot(session("a"));
        expect(store.teams.value.size).toBe(0);
    });

    test("a session that joins one moves beside its leader", () => {
        snapshot(session("lead", { teamId: "t", teamRole: "leader" }), session("m", { projectPath: "/else", projectName: "else" }));
        expect(store.groups.value.length).toBe(2);
        update("m", { teamId: "t", teamRole: "member" });
        expect(groups()).toEqual([["/home/dev/work/alpha", "lead", "m"]]);
    });
});

test("the grouping is a choice, and the cards are the same", () => {
    snapshot(session("a", { status: "working" }), session("b", { attention: attention("question") }));
    store.grouping.value = "status";
    expect(store.groups.value.map((g) => g.name)).toEqual(["Needs you", "Working"]);
    expect(cards().sort()).toEqual(["a", "b"]);
});

describe("replay", () => {
    test("updates and removals, then its seq, give what a snapshot would have", () => {
        snapshot(session("a"), session("b"));
        update("a", { toolCalls: 5 });
        remove("b");
        update("c", session("c"));
        store.apply({ type: "replay", sinceSeq: 11, seq: 40, count: 3 });
        const fresh = new Store();
        fresh.apply({ type: "snapshot", seq: 40, sessions: [session("a", { toolCalls: 5 }), session("c")], teams: [] });
        expect(store.groups.value).toEqual(fresh.groups.value);
        expect(store.find("a")!.value).toEqual(fresh.find("a")!.value);
        expect(store.seq).toBe(fresh.seq);
    });
});

describe("what is drawn again", () => {
    test("a tool call touches its own card and nothing else", () => {
        snapshot(session("a", { status: "working" }), session("b"));
        const [a, b] = [store.find("a")!, store.find("b")!];
        const seen = [watch(() => a.value), watch(() => b.value), watch(() => store.groups.value), watch(() => store.counts.value)];
        update("a", { toolCalls: 1, lastActivityAt: NOON + 5, currentPrompt: "again" });
        expect(seen.map((runs) => runs())).toEqual([1, 0, 0, 0]);
    });

    test("a status change leaves the groups of other projects the same objects", () => {
        snapshot(session("a"), session("b", { projectPath: "/b", projectName: "beta" }));
        const before = store.groups.value;
        update("b", { status: "working" });
        update("c", session("c", { projectPath: "/b", projectName: "beta" }));
        const after = store.groups.value;
        expect(after[0]).toBe(before[0]);
        expect(after[1]).not.toBe(before[1]);
    });

    test("a snapshot that changes nothing draws no group again", () => {
        snapshot(session("a"), session("b"));
        const before = store.groups.value;
        snapshot(session("b"), session("a"));
        expect(store.groups.value).toBe(before);
    });
});

test("a status that changes does not move those that ask; asking for something else does", () => {
    const ask = (since: number) => attention("approval", { since });
    snapshot(session("a", { attention: ask(1) }), session("b", { attention: ask(2) }));
    const before = store.asking.value;
    update("a", { status: "idle", statusSince: 9, attention: ask(1) });
    expect(store.asking.value).toBe(before);
    update("a", { attention: ask(9) });
    expect(store.asking.value).toEqual(["b", "a"]);
    update("b", { attention: null });
    expect(store.asking.value).toEqual(["a"]);
});

describe("filter", () => {
    test("narrows the groups, not the counts, and follows the prompts", () => {
        snapshot(session("a", { currentPrompt: "Fix the parser" }), session("b", { currentPrompt: "write docs" }));
        store.filter.value = "  PARSER ";
        expect(groups()).toEqual([["/home/dev/work/alpha", "a"]]);
        expect(store.counts.value.idle).toBe(2);
        update("b", { currentPrompt: "now the parser" });
        expect(groups()).toEqual([["/home/dev/work/alpha", "a", "b"]]);
    });
});

describe("narrowed", () => {
    beforeEach(() => {
        snapshot(
            session("ask", { attention: attention("plan") }),
            session("done", { attention: attention("finished") }),
            session("broke", { attention: attention("error") }),
            session("busy", { status: "working" }),
        );
    });

    test("to those that want somebody, to errors, to one tone", () => {
        store.only.value = "wanting";
        expect(cards().sort()).toEqual(["ask", "broke", "done"]);
        store.only.value = "failed";
        expect(cards()).toEqual(["broke"]);
        store.only.value = "busy";
        expect(cards()).toEqual(["busy"]);
    });

    test("there is nothing above what is left", () => {
        const asking = ["ask", "broke", "done"];
        expect(store.apart.value).toEqual(asking);
        for (const only of ["wanting", "failed", "idle"] as const) {
            store.only.value = only;
            expect(store.apart.value).toEqual([]);
        }
        store.only.value = null;
        store.filter.value = " b";
        expect(store.apart.value).toEqual([]);
        store.filter.value = " ";
        expect(store.apart.value).toEqual(asking);
        expect(store.asking.value).toEqual(asking); // it hides them from nobody who asks how many there are
    });

    test("a card leaves when it is no longer of them; the counts stay those of all", () => {
        store.only.value = "done";
        update("done", { attention: null });
        expect(cards()).toEqual([]);
        expect(store.counts.value).toMatchObject({ wanting: 2, idle: 1, busy: 1 });
    });
});

describe("logs", () => {
    const detail = (...texts: string[]) =>
        store.apply({
            type: "session_detail",
            id: "a",
            prompts: texts.map((text, i) => ({ pos: i + 1, text, timestamp: NOON })),
            tools: [],
            responses: [],
            events: [],
        });
    const prompts = () => store.logs("a").value?.prompts.map((p) => p.text);

    test("detail fills, appends grow, a known position is replaced", () => {
        snapshot(session("a"));
        expect(store.logs("a").value).toBeNull();
        detail("one", "two");
        store.apply({
            type: "session_log",
            id: "a",
            prompts: [
                { pos: 2, text: "two, corrected", timestamp: NOON },
                { pos: 3, text: "three", timestamp: NOON },
            ],
        });
        expect(prompts()).toEqual(["one", "two, corrected", "three"]);
    });

    test("a second detail, after a reconnect, replaces the first", () => {
        snapshot(session("a"));
        store.logs("a");
        detail("one", "two");
        detail("one");
        expect(prompts()).toEqual(["one"]);
    });

    test("what arrives for a session that was closed is not kept", () => {
        snapshot(session("a"));
        store.logs("a");
        detail("one");
        store.dropLogs("a");
        detail("late");
        store.apply({ type: "session_log", id: "a", prompts: [{ pos: 9, text: "later", timestamp: NOON }] });
        expect(store.logs("a").value).toBeNull();
    });
});

describe("transcripts", () => {
    const found = { status: "repaired", chainDepth: 300, orphansFixed: 2, message: null };
    const answer = (sessionId: string) => store.apply({ type: "session.status", sessionId, ...found });
    const broken = () => store.broken.value.map((s) => s.id);

    test("the answer to hello stands until the session says it itself, and does not replace that", () => {
        snapshot(session("a"));
        answer("agent-a");
        expect(store.find("a")!.value.transcript).toMatchObject({ status: "repaired", chainDepth: 300, linksFixed: 2 });
        update("a", { transcript: transcript() });
        answer("a");
        expect(store.find("a")!.value.transcript).toEqual(transcript());
        update("a", { transcript: null });
        expect(store.find("a")!.value.transcript).toBeNull();
    });

    test("an answer about a session that is gone is not heard", () => {
        snapshot(session("a"));
        remove("a");
        answer("a");
        expect(store.total.value).toBe(0);
    });

    test("neither ready nor an activity changes anything", () => {
        snapshot(session("a"));
        const before = store.find("a")!.value;
        store.apply({ type: "ready" });
        store.apply({ type: "session.repair.activity", sessionId: "a", event: "scanned" });
        expect(store.find("a")!.value).toBe(before);
    });

    test("the broken ones are known, and no card moves for it", () => {
        snapshot(session("a"), session("b", { transcript: transcript({ status: "unreadable" }) }));
        const drawn = watch(() => store.groups.value);
        expect(broken()).toEqual(["b"]);
        update("a", { transcript: transcript({ status: "unrecoverable" }) });
        expect(broken()).toEqual(["a", "b"]);
        update("b", { transcript: transcript() });
        store.hide("a");
        expect(broken()).toEqual([]);
        store.reveal("a");
        expect(broken()).toEqual(["a"]);
        expect(drawn()).toBe(2); // the card that was hidden went and came
    });

    test("Claude Code's can be mended; the list is the same while nobody comes or goes", () => {
        snapshot(session("a"), session("g", { cli: "gemini" }));
        const runs = watch(() => store.mendable.value);
        update("a", { status: "working", transcript: transcript() });
        expect(runs()).toBe(0);
        update("b", session("b"));
        expect(store.mendable.value).toEqual(["a", "b"]);
        expect(runs()).toBe(1);
    });
});
