import { signal } from "@preact/signals";
import { beforeEach, describe, expect, test } from "vitest";
import type { Layout } from "../../src/core/layout";
import type { Request } from "../../src/core/request";
import { Store } from "../../src/core/store";
import type { Answers } from "../../src/net/answers";
import { Answering, SETTLE_MS } from "../../src/ui/answering";
import { request } from "../request";
import { NOON } from "../session";

let store: Store;
let answering: Answering;
let now: number;
let given: [string, string][];
let told: string[];
const layout = signal<Layout | null>(null);

beforeEach(() => {
    store = new Store();
    now = 0;
    given = [];
    told = [];
    layout.value = null;
    const answers = { answer: (r: Request, { decision }: { decision: string }) => void given.push([r.id, decision]) } as unknown as Answers;
    answering = new Answering(store, answers, layout, () => now, (text) => told.push(text));
    store.inbox.fill([request("a"), request("b", { askedAt: NOON + 1 })], null);
});

const r = (id: string) => store.inbox.peek(id)!;
const said = () => answering.said.value?.text ?? "";

describe("what was seen is what is answered", () => {
    test("not before it has been there for a moment", () => {
        answering.placed("inbox", r("a"), "0");
        now = SETTLE_MS - 1;
        expect(answering.allow([r("a")])).toBe(false);
        expect(said()).toMatch(/just come/);
        now = SETTLE_MS;
        expect(answering.allow([r("a")])).toBe(true);
        expect(given).toEqual([["a", "allow"]]);
    });

    test("not when it has moved, or changed, a moment ago", () => {
        answering.placed("inbox", r("a"), "0");
        now = 1000;
        answering.placed("inbox", r("a"), "1");
        expect(answering.allow([r("a")])).toBe(false);
        now = 2000;
        store.inbox.update(request("a", { digest: "other" }));
        expect(answering.allow([r("a")])).toBe(false); // not drawn yet
        answering.placed("inbox", r("a"), "1");
        expect(answering.deny([r("a")])).toBe(false);
        now = 3000;
        expect(answering.deny([r("a")])).toBe(true);
    });

    test("not what is nowhere to be seen", () => {
        expect(answering.allow([r("a")])).toBe(false);
        expect(given).toEqual([]);
    });

    test("one that is shown in part is shown whole first, and read", () => {
        answering.placed("inbox", r("a"), "0");
        answering.setPart("inbox", r("a"), true);
        now = 1000;
        expect(answering.allow([r("a")])).toBe(false);
        expect(answering.unfoldedOf(r("a")).value).toBe(true);
        answering.setPart("inbox", r("a"), false); // as the page does then
        expect(answering.allow([r("a")])).toBe(false);
        now = 1000 + SETTLE_MS;
        expect(answering.allow([r("a")])).toBe(true);
    });

    test("a denial needs no reading", () => {
        answering.placed("inbox", r("a"), "0");
        answering.setPart("inbox", r("a"), true);
        now = 1000;
        expect(answering.deny([r("a")], "no")).toBe(true);
    });

    test("a card that the board has moved has just come", () => {
        answering.placed("card", r("a"));
        const at = (x: number) => ({ at: new Map([["a", { id: "a", x, y: 0 }]]) }) as unknown as Layout;
        layout.value = at(0);
        now = 1000;
        layout.value = at(300);
        expect(answering.allow([r("a")])).toBe(false);
        now = 2000;
        layout.value = at(300);
        expect(answering.allow([r("a")])).toBe(true);
    });

    test("not what has an answer on its way, from here or from elsewhere", () => {
        for (const id of ["a", "b"]) answering.placed("inbox", r(id), id);
        now = 1000;
        store.inbox.slow("a", store.inbox.sent("a", "allow"));
        expect(answering.allow([r("a")])).toBe(false);
        store.inbox.update(request("b", { answer: { decision: "deny", at: NOON, by: "Firefox" } }));
        expect(answering.allow([r("b")])).toBe(false);
        expect(given).toEqual([]);
    });

    test("of several, each must have been seen", () => {
        answering.placed("inbox", r("a"), "0");
        now = 1000;
        answering.placed("inbox", r("b"), "0");
        expect(answering.allow([r("a"), r("b")])).toBe(false);
        now = 2000;
        expect(answering.allow([r("a"), r("b")])).toBe(true);
        expect(given.map(([id]) => id)).toEqual(["a", "b"]);
    });
});

describe("which one", () => {
    test("the first, until one is chosen; then that, and what takes its place", () => {
        expect(answering.current.value?.key).toBe("a");
        answering.select("a");
        const ref = store.inbox.sent("a", "allow");
        expect(answering.current.value?.key).toBe("b");
        store.inbox.answered({ id: "a", ref, ok: false, state: "open", error: "no" });
        expect(answering.current.value?.key).toBe("b"); // it comes back, but not under the finger
    });

    test("whoever writes an answer to what is over is told so", () => {
        answering.open("a", "deny");
        store.inbox.update(request("a", { state: "desk", endedAt: NOON }));
        expect(answering.form.value).toBeNull();
        expect(told).toEqual(["Answered at the desk while you wrote, so nothing was sent: npm test"]);
    });
});
