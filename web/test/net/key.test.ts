import { expect, test } from "vitest";
import { Api, ApiError } from "../../src/net/api";
import { PageKey } from "../../src/net/key";
import { Renewal } from "../../src/net/renewal";

const A = "a".repeat(64);
const B = "b".repeat(64);
const HOUR = 3_600_000;

/** A storage that several tabs share; each is told what the others do. */
function shared() {
    let text: string | null = null;
    const watchers = new Map<object, () => void>();
    return {
        get text() {
            return text;
        },
        set text(value) {
            text = value;
        },
        tab() {
            const me = {};
            return new PageKey({
                read: () => text,
                write(value) {
                    text = value;
                    for (const [tab, run] of watchers) if (tab !== me) run();
                },
                watch: (run) => void watchers.set(me, run),
            });
        },
    };
}

/** A world whose time passes when it is told to. */
function world() {
    let now = 1000;
    let next = 1;
    const timers = new Map<number, { at: number; run: () => void }>();
    return {
        now: () => now,
        setTimer(run: () => void, ms: number) {
            timers.set(next, { at: now + ms, run });
            return next++;
        },
        clearTimer: (timer: number) => void timers.delete(timer),
        async pass(ms: number) {
            const end = now + ms;
            for (;;) {
                const [id, first] = [...timers].sort((a, b) => a[1].at - b[1].at)[0] ?? [0, null];
                if (!first || first.at > end) break;
                timers.delete(id);
                now = Math.max(now, first.at);
                first.run();
                await new Promise((resolve) => setTimeout(resolve));
            }
            now = end;
        },
        get waiting() {
            return timers.size;
        },
    };
}

test("tabs share one key, and each hears of changes", () => {
    const storage = shared();
    const [one, two] = [storage.tab(), storage.tab()];
    const before = two.changes.value;
    one.keep(A, 5);
    expect([two.value, two.renewAt]).toEqual([A, 5]);
    expect(two.changes.value).toBeGreaterThan(before);
    two.forget(B); // not that one
    expect(one.value).toBe(A);
    two.forget(A);
    expect([one.value, storage.text]).toEqual([null, null]);
});

test.each([null, "", "x", "null", "[]", "{}", `{"key":"short","renewAt":1}`, `{"key":"${A}"}`, `{"key":"${A}","renewAt":-1}`])(
    "what is no key of ours is none: %j",
    (text) => {
        const storage = shared();
        storage.text = text;
        expect([storage.tab().value, storage.tab().renewAt]).toEqual([null, null]);
    },
);

test("every request brings the key, read anew each time", async () => {
    const sent: (string | undefined)[] = [];
    const key = shared().tab();
    const api = new Api(async (_path, init) => {
        sent.push((init.headers as Record<string, string>)["x-ostler-key"]);
        return new Response(JSON.stringify({ logins: [] }));
    }, key);
    await api.logins();
    key.keep(A, 0);
    await api.logins();
    key.keep(B, 0);
    await api.revoke("x");
    expect(sent).toEqual([undefined, A, B]);
});

test("of several tabs one renews when it is time, and all have what it got", async () => {
    const storage = shared();
    const time = world();
    let asked = 0;
    const api = {
        renew: async () => (asked++ === 0 ? { key: B, renewAfter: 3600 } : { key: null, renewAfter: 60 }),
    };
    const tabs = [storage.tab(), storage.tab(), storage.tab()];
    for (const tab of tabs) new Renewal(api, tab, time);
    expect(time.waiting).toBe(0);
    tabs[0]!.keep(A, time.now() + HOUR);
    await time.pass(HOUR - 1);
    expect([asked, tabs[2]!.value]).toEqual([0, A]);
    await time.pass(1);
    expect(tabs.map((tab) => tab.value)).toEqual([B, B, B]);
    const first = asked;
    await time.pass(HOUR / 2);
    expect(asked).toBe(first); // nobody asks before it is time again
    tabs[1]!.forget();
    expect(time.waiting).toBe(0);
});

test("an answer that is read late does not replace what another tab has got since", async () => {
    const time = world();
    const storage = shared();
    const [slow, quick] = [storage.tab(), storage.tab()];
    let answer: (half: { key: string; renewAfter: number }) => void = () => {};
    new Renewal({ renew: () => new Promise((resolve) => (answer = resolve)) }, slow, time);
    for (const since of [() => quick.keep(B, time.now() + HOUR), () => quick.forget()]) {
        quick.keep(A, time.now());
        await time.pass(0);
        since();
        const kept = storage.text;
        answer({ key: "c".repeat(64), renewAfter: 3600 });
        await new Promise((resolve) => setTimeout(resolve));
        expect(storage.text).toBe(kept);
    }
});

test("when nobody answers it is tried again; a login that has ended is forgotten", async () => {
    const time = world();
    const key = shared().tab();
    const answers: (ApiError | { key: string | null; renewAfter: number })[] = [
        new ApiError("nobody", 0),
        { key: null, renewAfter: 60 },
        { key: B, renewAfter: 3600 },
        new ApiError("Unauthorized", 401),
    ];
    const api = {
        async renew() {
            const answer = answers.shift()!;
            if (answer instanceof ApiError) throw answer;
            return answer;
        },
    };
    new Renewal(api, key, time);
    key.keep(A, time.now());
    await time.pass(0);
    expect([key.value, answers.length]).toEqual([A, 3]);
    await time.pass(120_000);
    expect([key.value, answers.length]).toEqual([B, 1]);
    await time.pass(HOUR);
    expect([key.value, answers.length, time.waiting]).toEqual([null, 0, 0]);
});
