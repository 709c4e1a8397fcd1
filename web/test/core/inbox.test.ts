import { beforeEach, describe, expect, test } from "vitest";
import { Inbox, ENDED_MAX } from "../../src/core/inbox";
import { parseServerMessage } from "../../src/core/messages";
import { request, wireRequest } from "../request";
import { NOON } from "../session";

let inbox: Inbox;
beforeEach(() => {
    inbox = new Inbox();
});

const fill = (...all: ReturnType<typeof request>[]) => inbox.fill(all, null);
const mine = (id: string) => inbox.mineOf(id).value;

describe("what is there", () => {
    test("nothing is known before the daemon has told", () => {
        expect(inbox.loaded.value).toBe(false);
        fill();
        expect(inbox.loaded.value).toBe(true);
        expect(inbox.open.value).toEqual([]);
    });

    test("open ones stand by age, ended ones newest first", () => {
        fill(
            request("late", { askedAt: NOON + 5 }),
            request("early", { askedAt: NOON }),
            request("old", { state: "desk", endedAt: NOON + 1 }),
            request("new", { state: "allowed", endedAt: NOON + 9 }),
        );
        expect(inbox.open.value).toEqual(["early", "late"]);
        expect(inbox.ended.value.map((r) => r.id)).toEqual(["new", "old"]);
    });

    test("one that ends leaves the open ones by itself", () => {
        fill(request("a"), request("b"));
        inbox.update(request("a", { state: "desk", endedAt: NOON + 1 }));
        expect(inbox.open.value).toEqual(["b"]);
        expect(inbox.ended.value[0]).toMatchObject({ id: "a", state: "desk" });
    });

    test("what the daemon does not name any more is gone", () => {
        fill(request("a"), request("b"));
        fill(request("b"));
        expect(inbox.open.value).toEqual(["b"]);
        expect(inbox.find("a")).toBeUndefined();
    });

    test("those of a session", () => {
        fill(request("a"), request("b", { session: "b" }), request("c", { askedAt: NOON + 1 }));
        expect(inbox.ofSession("a")).toEqual(["a", "c"]);
        expect(inbox.ofSession("nobody")).toEqual([]);
    });

    test("no more that ended than anybody reads", () => {
        fill();
        for (let i = 0; i < ENDED_MAX + 20; i++) inbox.update(request(`r${i}`, { state: "gone", endedAt: NOON + i }));
        expect(inbox.ended.value).toHaveLength(ENDED_MAX);
        expect(inbox.ended.value[0]!.id).toBe(`r${ENDED_MAX + 19}`);
        expect(inbox.find("r0")).toBeUndefined();
    });

    test("lists stay the same objects while nothing of them changed", () => {
        fill(request("a", { same: "x" }), request("b", { same: "x" }));
        const { value: open } = inbox.open;
        const { value: groups } = inbox.groups;
        inbox.update(request("a", { same: "x", note: "once more" }));
        expect(inbox.open.value).toBe(open);
        expect(inbox.groups.value).toBe(groups);
    });
});

describe("the same", () => {
    test("those that ask for the same stand together, at the place of the oldest", () => {
        fill(
            request("a", { same: "x", askedAt: NOON }),
            request("b", { askedAt: NOON + 1 }),
            request("c", { same: "x", askedAt: NOON + 2 }),
        );
        expect(inbox.groups.value.map((g) => g.ids)).toEqual([["a", "c"], ["b"]]);
    });

    test("not what reads differently, whatever the daemon calls the same", () => {
        fill(request("a", { same: "x" }), request("b", { same: "x", detail: "npm test; rm -rf ~" }));
        expect(inbox.groups.value).toHaveLength(2);
    });

    test("not questions, and not what cannot be allowed from here", () => {
        fill(
            request("a", { same: "x", kind: "question" }),
            request("b", { same: "x", kind: "question" }),
            request("c", { same: "y", can: [] }),
            request("d", { same: "y", can: [] }),
        );
        expect(inbox.groups.value).toHaveLength(4);
    });
});

describe("an answer", () => {
    const ok = (id: string, ref: number, state = "allowed" as const) => inbox.answered({ id, ref, ok: true, state, error: null });
    const no = (id: string, ref: number, error = "It has changed since.") => inbox.answered({ id, ref, ok: false, state: "open", error });

    test("is taken for done at once, and then is", () => {
        fill(request("a"), request("b"));
        const ref = inbox.sent("a", "allow");
        expect(inbox.open.value).toEqual(["b"]);
        ok("a", ref);
        inbox.slow("a", ref);
        expect(inbox.open.value).toEqual(["b"]);
        inbox.update(request("a", { state: "allowed", endedAt: NOON + 1, by: "Firefox" }));
        expect(mine("a")).toBeNull();
        expect(inbox.ended.value[0]).toMatchObject({ id: "a", by: "Firefox" });
    });

    test("is taken back, with the words, where it was", () => {
        fill(request("a"), request("b", { askedAt: NOON + 1 }));
        no("a", inbox.sent("a", "allow"));
        expect(inbox.open.value).toEqual(["a", "b"]);
        expect(mine("a")).toEqual({ phase: "back", words: "It has changed since." });
        inbox.forget("a");
        expect(mine("a")).toBeNull();
    });

    test("that takes longer than a second is shown as what it is, and still counts when it arrives", () => {
        fill(request("a"));
        const ref = inbox.sent("a", "allow");
        inbox.slow("a", ref);
        expect(inbox.open.value).toEqual(["a"]);
        expect(mine("a")).toMatchObject({ phase: "slow", decision: "allow" });
        ok("a", ref);
        expect(inbox.open.value).toEqual([]);
    });

    test("of before does not decide about one that is given now", () => {
        fill(request("a"));
        const first = inbox.sent("a", "allow");
        no("a", first);
        const second = inbox.sent("a", "deny");
        no("a", first, "late");
        inbox.slow("a", first);
        expect(mine("a")).toEqual({ phase: "sent", ref: second, decision: "deny" });
    });

    test("that was overtaken at the desk needs no words: the request says it", () => {
        fill(request("a"));
        const ref = inbox.sent("a", "allow");
        inbox.update(request("a", { state: "desk", endedAt: NOON + 1 }));
        no("a", ref, "answered already");
        expect(mine("a")).toBeNull();
        expect(inbox.open.value).toEqual([]);
    });

    test("words about another text go when the text does", () => {
        fill(request("a"));
        no("a", inbox.sent("a", "allow"));
        inbox.update(request("a", { note: "same text" }));
        expect(mine("a")).not.toBeNull();
        inbox.update(request("a", { digest: "other" }));
        expect(mine("a")).toBeNull();
    });

    test("that was under way when the connection broke: the next one tells what became of it", () => {
        fill(request("a"), request("b"), request("c"), request("d"));
        for (const id of ["a", "b", "c"]) inbox.sent(id, "allow");
        const ref = inbox.sent("d", "allow");
        ok("d", ref);
        inbox.disconnected();
        expect(inbox.open.value).toEqual(["a", "b", "c", "d"]);
        expect(mine("a")).toMatchObject({ phase: "slow" });
        fill(
            request("a"),
            request("b", { answer: { decision: "allow", at: NOON, by: null } }),
            request("c", { state: "allowed", endedAt: NOON }),
            request("d", { state: "allowed", endedAt: NOON }),
        );
        expect(mine("a")).toMatchObject({ phase: "back", words: expect.stringContaining("did not arrive") });
        expect([mine("b"), mine("c"), mine("d")]).toEqual([null, null, null]);
        expect(inbox.open.value).toEqual(["a", "b"]);
    });
});

test("the messages of the socket", () => {
    const parse = (message: object) => parseServerMessage(JSON.stringify(message));
    expect(parse({ type: "inbox", approvals: [wireRequest("a")], away: { away: true, since: 1, by: null, afterMinutes: 5, auto: true } })).toMatchObject({
        requests: [{ id: "a" }],
        away: { away: true, auto: true, afterMinutes: 5 },
    });
    expect(parse({ type: "approval", approval: wireRequest("a") })).toMatchObject({ request: { id: "a" } });
    expect(parse({ type: "answered", id: "a", ref: 3, ok: false, status: 409, error: "ended", state: "desk" })).toEqual({
        type: "answered",
        id: "a",
        ref: 3,
        ok: false,
        state: "desk",
        error: "ended",
    });
    expect(parse({ type: "approval", approval: { id: "a" } })).toBeInstanceOf(Error);
});

test("a thousand open ones are one list, and each costs no more than itself", () => {
    fill(...Array.from({ length: 1000 }, (_, i) => request(`r${i}`, { askedAt: NOON + i, same: `s${i % 10}`, detail: `x${i % 10}` })));
    expect(inbox.open.value).toHaveLength(1000);
    expect(inbox.groups.value).toHaveLength(10);
    expect(inbox.groups.value[3]!.ids).toHaveLength(100);
});
