/*
 * Every request that the inbox shows: those that are open, oldest first, and the last that ended. What a person answers is
 * taken for done at once, for a second at most: then it is true, or it is taken back with words.
 */

import { batch, computed, signal, type ReadonlySignal, type Signal } from "@preact/signals-core";
import { count, flag, object, optional, text, time, type Guard } from "./guards";
import { sameIds } from "./order";
import { doingWords, type Decision, type Request, type RequestState } from "./request";

/** So long may an answer be taken for done before it is. */
export const OPTIMISTIC_MS = 1_000;
/** More that ended are not kept. */
export const ENDED_MAX = 100;

/** Whether the person is away from the desk, and why the daemon thinks so. */
export interface Away {
    away: boolean;
    since: number | null;
    by: string | null;
    afterMinutes: number | null;
    auto: boolean;
}

export const awayOf: Guard<Away> = (v, path) => {
    const o = object(v, path);
    return {
        away: flag(o.away, `${path}.away`),
        since: optional(time)(o.since, `${path}.since`),
        by: optional(text)(o.by, `${path}.by`),
        afterMinutes: optional(count)(o.afterMinutes, `${path}.afterMinutes`),
        auto: optional(flag)(o.auto, `${path}.auto`) ?? false,
    };
};

/** An answer of this page that is not yet known to be true. */
export type Mine =
    /** Taken for done. */
    | { phase: "sent"; ref: number; decision: Decision }
    /** It takes longer than that: shown as open again, and waited for. */
    | { phase: "slow"; ref: number; decision: Decision }
    /** The daemon has said that it is done; the request itself is about to. */
    | { phase: "done"; ref: number; decision: Decision }
    /** It did not come to pass. The words say why. */
    | { phase: "back"; words: string };

/** What the daemon says to an answer. */
export interface Answered {
    id: string;
    ref: number;
    ok: boolean;
    /** The request's state by now, if there is such a request. */
    state: RequestState | null;
    error: string | null;
}

/** Open requests that ask for the same thing, oldest first. */
export interface Same {
    key: string;
    ids: readonly string[];
}

const NONE: readonly string[] = [];

export class Inbox {
    /** False until the daemon has told; one without an inbox never does. */
    readonly loaded = signal(false);
    readonly away = signal<Away | null>(null);
    /** The open ones, oldest first; without those that this page has just answered. */
    readonly open: ReadonlySignal<readonly string[]>;
    /** The same in groups that ask for the same thing, each at the place of its oldest. */
    readonly groups: ReadonlySignal<readonly Same[]>;
    /** The last that ended, newest first. */
    readonly ended: ReadonlySignal<readonly Request[]>;
    /** The open ones by the session that asks. */
    private readonly sessions: ReadonlySignal<ReadonlyMap<string, readonly string[]>>;
    private readonly requests = new Map<string, Signal<Request>>();
    private readonly mine = new Map<string, Signal<Mine | null>>();
    private readonly placed = signal(0);
    private nextRef = 1;

    constructor() {
        let open: readonly string[] = [];
        this.open = computed(() => {
            this.placed.value;
            const next = this.listed().map((r) => r.id);
            if (!sameIds(open, next)) open = next;
            return open;
        });
        let groups: readonly Same[] = [];
        this.groups = computed(() => {
            this.placed.value;
            groups = reuse(groups, groupSame(this.listed()));
            return groups;
        });
        let sessions: ReadonlyMap<string, readonly string[]> = new Map();
        this.sessions = computed(() => {
            const next = new Map<string, string[]>();
            for (const id of this.open.value) {
                const session = this.peek(id)?.session;
                if (session) next.set(session, [...(next.get(session) ?? []), id]);
            }
            // The same lists where nothing changed: who looks at one is not drawn again for another.
            sessions = new Map([...next].map(([session, ids]) => [session, sameIds(sessions.get(session) ?? NONE, ids) ? sessions.get(session)! : ids]));
            return sessions;
        });
        this.ended = computed(() => {
            this.placed.value;
            return [...this.requests.values()]
                .map((r) => r.peek())
                .filter((r) => r.state !== "open")
                .sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0) || (a.id < b.id ? 1 : -1))
                .slice(0, ENDED_MAX);
        });
    }

    /** Subscribes to requests coming and going only while there is none. */
    find(id: string): Request | undefined {
        const r = this.requests.get(id);
        if (!r) this.placed.value;
        return r?.value;
    }

    peek(id: string): Request | undefined {
        return this.requests.get(id)?.peek();
    }

    /** What became of our own answer to it, as far as that is not in the request. */
    mineOf(id: string): ReadonlySignal<Mine | null> {
        return this.mineSignal(id);
    }

    /** The open ones of a session, oldest first. */
    ofSession(session: string): readonly string[] {
        return this.sessions.value.get(session) ?? NONE;
    }

    /** What is being done about a request of this session, while that is taken for done; null: nothing. */
    underWay(session: string): string | null {
        this.placed.value;
        for (const [id, mine] of this.mine) {
            const r = this.peek(id);
            const now = mine.value;
            if (r?.session === session && (now?.phase === "sent" || now?.phase === "done")) return doingWords(now.decision, r.kind);
        }
        return null;
    }

    /** All of it, as the daemon has it now. */
    fill(all: readonly Request[], away: Away | null): void {
        batch(() => {
            const gone = new Set(this.requests.keys());
            for (const r of all) {
                gone.delete(r.id);
                this.put(r);
            }
            for (const id of gone) this.drop(id);
            // What was waited for on a connection that is no more: the requests themselves tell.
            for (const [id, mine] of this.mine) this.reconcile(id, mine);
            this.away.value = away;
            this.loaded.value = true;
            this.placed.value++;
        });
    }

    /** One that is new, has changed or has ended. */
    update(r: Request): void {
        batch(() => {
            const before = this.requests.get(r.id)?.peek();
            this.put(r);
            const mine = this.mine.get(r.id);
            if (mine && r.state !== "open") mine.value = null;
            // Another text: what was said about the old one is not about this.
            else if (mine?.peek()?.phase === "back" && before?.digest !== r.digest) mine.value = null;
            if (r.state !== "open") this.trim();
            this.placed.value++;
        });
    }

    /** Our answer is under way; answers the number by which it is known. */
    sent(id: string, decision: Decision): number {
        const ref = this.nextRef++;
        this.mineSignal(id).value = { phase: "sent", ref, decision };
        this.placed.value++;
        return ref;
    }

    /** The second is over. */
    slow(id: string, ref: number): void {
        const mine = this.mine.get(id)?.peek();
        if (mine?.phase !== "sent" || mine.ref !== ref) return;
        this.mineSignal(id).value = { ...mine, phase: "slow" };
        this.placed.value++;
    }

    /** What the daemon says to our answer: it is so, or it did not come to pass and the request is where it was, with the words. */
    answered({ id, ref, ok, state, error }: Answered): void {
        const mine = this.mine.get(id)?.peek();
        if (!mine || mine.phase === "back" || mine.ref !== ref) return;
        const over = this.requests.get(id)?.peek().state !== "open";
        if (!ok) this.mineSignal(id).value = over ? null : { phase: "back", words: error ?? "The daemon refused it, and does not say why." };
        else this.mineSignal(id).value = over || state === "open" ? null : { ...mine, phase: "done" };
        this.placed.value++;
    }

    /** The connection broke: whether what was under way has arrived is not known until there is another. */
    disconnected(): void {
        batch(() => {
            for (const mine of this.mine.values()) {
                const now = mine.peek();
                if (now?.phase === "sent" || now?.phase === "done") mine.value = { ...now, phase: "slow" };
            }
            this.placed.value++;
        });
    }

    /** What was said about an answer has been read. */
    forget(id: string): void {
        const mine = this.mine.get(id);
        if (mine?.peek()?.phase === "back") mine.value = null;
    }

    /** Open, and not taken for answered. */
    private listed(): Request[] {
        return [...this.requests.values()]
            .map((r) => r.peek())
            .filter((r) => r.state === "open" && !isHidden(this.mine.get(r.id)?.peek()))
            .sort((a, b) => a.askedAt - b.askedAt || (a.id < b.id ? -1 : 1));
    }

    private put(r: Request): void {
        const known = this.requests.get(r.id);
        if (known) known.value = r;
        else this.requests.set(r.id, signal(r));
    }

    private drop(id: string): void {
        this.requests.delete(id);
        this.mine.delete(id);
    }

    private reconcile(id: string, mine: Signal<Mine | null>): void {
        const now = mine.peek();
        const r = this.requests.get(id)?.peek();
        if (!r || r.state !== "open") mine.value = null;
        else if (now && now.phase !== "back" && r.answer === null)
            mine.value = { phase: "back", words: `${doingWords(now.decision, r.kind)} did not arrive: the connection broke. Please answer again.` };
        else if (now && now.phase !== "back") mine.value = null; // it is on its way, and the request says so
    }

    /** Those that ended long ago go. */
    private trim(): void {
        const ended = [...this.requests.values()].map((r) => r.peek()).filter((r) => r.state !== "open");
        if (ended.length <= ENDED_MAX) return;
        ended.sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
        for (const r of ended.slice(ENDED_MAX)) this.drop(r.id);
    }

    private mineSignal(id: string): Signal<Mine | null> {
        let mine = this.mine.get(id);
        if (!mine) this.mine.set(id, (mine = signal<Mine | null>(null)));
        return mine;
    }
}

/** Whether our own answer counts as given. */
function isHidden(mine: Mine | null | undefined): boolean {
    return mine?.phase === "sent" || mine?.phase === "done";
}

/** What is shown once for several must be what each of them asks, to the letter. */
function isSame(a: Request, b: Request): boolean {
    return a.tool === b.tool && a.text === b.text && a.detail === b.detail && a.form === b.form;
}

function groupSame(listed: readonly Request[]): Same[] {
    const groups: { first: Request; ids: string[] }[] = [];
    const alike = new Map<string, typeof groups>();
    for (const r of listed) {
        const together = r.same !== null && r.kind === "approval" && r.can.has("allow");
        const known = together ? (alike.get(r.same!) ?? []) : [];
        const group = known.find(({ first }) => isSame(first, r));
        if (group) {
            group.ids.push(r.id);
            continue;
        }
        const fresh = { first: r, ids: [r.id] };
        groups.push(fresh);
        if (together) alike.set(r.same!, [...known, fresh]);
    }
    return groups.map(({ ids }) => ({ key: ids[0]!, ids }));
}

function reuse(prev: readonly Same[], next: Same[]): readonly Same[] {
    const old = new Map(prev.map((g) => [g.key, g]));
    const out = next.map((g) => {
        const was = old.get(g.key);
        return was && sameIds(was.ids, g.ids) ? was : g;
    });
    return out.length === prev.length && out.every((g, i) => g === prev[i]) ? prev : out;
}
