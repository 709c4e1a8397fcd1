import { signal } from "@preact/signals-core";
import { beforeEach, expect, test } from "vitest";
import { Store } from "../../src/core/store";
import { Api } from "../../src/net/api";
import { tellBroken } from "../../src/net/broken";
import { Commands } from "../../src/net/commands";
import { session, transcript } from "../session";

let store: Store;
let commands: Commands;
let seq: number;
const open = signal<string | null>(null);

const judge = (id: string, status: string) =>
    store.apply({ type: "session_update", seq: ++seq, id, patch: { transcript: transcript({ status }) } });
const texts = () => commands.notices.value.map((n) => n.text);

beforeEach(() => {
    store = new Store();
    commands = new Commands(store, new Api(async () => new Response("{}")));
    seq = 1;
    open.value = null;
    tellBroken(store, commands, open);
    const sessions = ["a", "b", "c"].map((id) => session(id, { title: `alpha #1 — Fix ${id}` }));
    store.apply({ type: "snapshot", seq, sessions, teams: [] });
});

test.each(["healthy", "repaired", "corrupted", "missing", "quarantined"])("%s is silent", (status) => {
    judge("a", status);
    expect(texts()).toEqual([]);
});

test("what could not be mended is told once for each session and outcome", () => {
    judge("a", "unrecoverable");
    expect(commands.notices.value).toMatchObject([{ text: "The history of “Fix a” could not be mended.", about: "a" }]);
    commands.dismiss(commands.notices.value[0]!.key);
    judge("a", "healthy");
    judge("a", "unrecoverable");
    store.apply({
        type: "snapshot",
        seq: ++seq,
        sessions: [session("a", { transcript: transcript({ status: "unrecoverable" }) }), session("b")],
        teams: [],
    });
    expect(texts()).toEqual([]);
    judge("a", "unreadable");
    expect(texts()).toEqual(["The history of “alpha” cannot be read."]);
    judge("b", "unreadable");
    expect(texts().length).toBe(2);
});

test("the answer to hello is enough, and does not say it twice with the session itself", () => {
    const found = { status: "unrecoverable", chainDepth: 2, orphansFixed: 0, message: "no" };
    store.apply({ type: "session.status", sessionId: "agent-a", ...found });
    expect(texts().length).toBe(1);
    judge("a", "unrecoverable");
    expect(texts().length).toBe(1);
});

test("it is taken back when the session is opened, mended or closed; complaints stay", () => {
    commands.complain("Nr 1", new Error("no"));
    judge("a", "unrecoverable");
    judge("b", "unrecoverable");
    open.value = "a";
    expect(texts()).toEqual(["Nr 1: no", "The history of “Fix b” could not be mended."]);
    judge("b", "repaired");
    expect(texts()).toEqual(["Nr 1: no"]);
    judge("c", "unrecoverable");
    store.hide("c");
    expect(texts()).toEqual(["Nr 1: no"]);
});

test("what is open already tells it itself", () => {
    open.value = "a";
    judge("a", "unrecoverable");
    open.value = null;
    expect(texts()).toEqual([]);
});

test("many at once are one sentence", () => {
    const sessions = ["a", "b", "c"].map((id) => session(id, { transcript: transcript({ status: "unreadable" }) }));
    store.apply({ type: "snapshot", seq: ++seq, sessions, teams: [] });
    expect(commands.notices.value).toMatchObject([{ about: null }]);
    expect(texts()[0]).toContain("3 sessions");
});
