import { beforeEach, expect, test } from "vitest";
import { Inbox } from "../../src/core/inbox";
import { Api } from "../../src/net/api";
import { Answers } from "../../src/net/answers";
import { request } from "../request";

let inbox: Inbox;
let heard: unknown[];
let live: boolean;
let timers: (() => void)[];
let complaints: string[];
let respond: (path: string, init: RequestInit) => Response;
let answers: Answers;

beforeEach(() => {
    inbox = new Inbox();
    heard = [];
    live = true;
    timers = [];
    complaints = [];
    answers = new Answers(
        inbox,
        {
            answer(...message) {
                if (live) heard.push(message);
                return live;
            },
        },
        new Api(async (path, init) => respond(path, init)),
        { complain: (what, e) => void complaints.push(`${what}: ${(e as Error).message}`) },
        { setTimer: (run) => timers.push(run) },
    );
    inbox.fill([request("a"), request("b", { askedAt: Date.now() })], { away: false, since: null, by: null, afterMinutes: 10, auto: false });
});

test("an answer names the request and the digest of what was shown, not of what has come since", () => {
    const seen = inbox.peek("a")!;
    inbox.update(request("a", { digest: "other" }));
    answers.answer(seen, { decision: "allow" });
    expect(heard).toEqual([["a", 1, "d-a", { decision: "allow" }]]);
});

test("it is optimistic for a second", () => {
    answers.answer(inbox.peek("a")!, { decision: "allow" });
    expect(inbox.open.value).toEqual(["b"]);
    timers.forEach((run) => run());
    expect(inbox.open.value).toEqual(["a", "b"]);
});

test("without a connection nothing is sent, and that is said", () => {
    live = false;
    answers.answer(inbox.peek("a")!, { decision: "allow" });
    expect(heard).toEqual([]);
    expect(inbox.open.value).toEqual(["a", "b"]);
    expect(inbox.mineOf("a").value).toMatchObject({ phase: "back", words: expect.stringContaining("nothing was sent") });
});

test("away is so at once, and not if the daemon refuses", async () => {
    respond = () => new Response(JSON.stringify({ error: "this login may only look" }), { status: 403 });
    const done = answers.setAway(true);
    expect(inbox.away.value?.away).toBe(true);
    await done;
    expect(inbox.away.value?.away).toBe(false);
    expect(complaints).toEqual(["You are not away: this login may only look"]);
    respond = () => new Response(JSON.stringify({ away: true, since: 5, by: "Firefox", afterMinutes: null, auto: false }));
    await answers.setAway(true);
    expect(inbox.away.value).toMatchObject({ away: true, since: 5, by: "Firefox" });
});

test("a prompt that was not taken stays with whoever wrote it", async () => {
    respond = (path, init) => {
        heard.push([path, init.body]);
        return new Response(JSON.stringify({ error: "it shows no place to type" }), { status: 409 });
    };
    expect(await answers.prompt("a/b", "Go on")).toBe(false);
    expect(heard).toEqual([["/api/sessions/a%2Fb/prompt", '{"text":"Go on"}']]);
    expect(complaints).toEqual(["The prompt was not sent: it shows no place to type"]);
});
