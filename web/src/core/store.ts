/*
 * The board's state. Every session is a signal of its own, so that a patch redraws one card; which cards there are and
 * where they stand is computed apart, and only when something changed that decides about it.
 */

import { batch, computed, signal, type ReadonlySignal, type Signal } from "@preact/signals-core";
import { mergeLogs } from "./logs";
import { ProtocolError, summaryOf, type Logs, type Patch, type ServerMessage, type Summary } from "./messages";
import { askingSessions, groupSessions, matchesFilter, reuseGroups, sameIds, type Group } from "./order";
import { countByTone, type Counts } from "./status";

/** Fields that decide where a card stands. */
const PLACING: readonly (keyof Summary)[] = ["status", "projectPath", "projectName", "startedAt", "statusSince"];
/** Fields that the filter looks at. */
const SEARCHED: readonly (keyof Summary)[] = ["title", "label", "currentPrompt"];

export class Store {
    /** Newest change that is in here; what a reconnect continues from. 0 before the first snapshot. */
    seq = 0;
    /** False until the first snapshot: an empty board and one that is not loaded yet are different things. */
    readonly loaded = signal(false);
    readonly filter = signal("");
    /** Where the hook program is, as the daemon knows it. */
    readonly hook = signal<string | null>(null);
    /** How far the daemon's clock is ahead of this machine's, in ms. */
    readonly clockOffset = signal(0);
    readonly counts: ReadonlySignal<Counts>;
    /** Those that need a person, the longest waiting first; the filter does not hide them. */
    readonly asking: ReadonlySignal<readonly string[]>;
    readonly total: ReadonlySignal<number>;
    readonly groups: ReadonlySignal<readonly Group[]>;

    private readonly cards = new Map<string, Signal<Summary>>();
    private readonly details = new Map<string, Signal<Logs | null>>();
    /** Other names of a session: its `sessionId` now and before. */
    private readonly aliases = new Map<string, string>();
    private readonly placed = signal(0);
    private readonly searched = signal(0);

    constructor() {
        this.counts = computed(() => {
            this.placed.value;
            return countByTone(this.sessions());
        });
        let asking: readonly string[] = [];
        this.asking = computed(() => {
            this.placed.value;
            const next = askingSessions(this.sessions());
            if (!sameIds(asking, next)) asking = next;
            return asking;
        });
        this.total = computed(() => {
            this.placed.value;
            return this.cards.size;
        });
        let groups: readonly Group[] = [];
        this.groups = computed(() => {
            this.placed.value;
            const filter = this.filter.value.trim();
            if (filter) this.searched.value;
            const shown = filter ? [...this.sessions()].filter((s) => matchesFilter(s, filter)) : this.sessions();
            groups = reuseGroups(groups, groupSessions(shown));
            return groups;
        });
    }

    /** A card's signal by id or alias. Subscribes to cards coming and going only while there is none. */
    find(name: string): Signal<Summary> | undefined {
        const card = this.cards.get(name) ?? this.cards.get(this.aliases.get(name) ?? "");
        if (!card) this.placed.value;
        return card;
    }

    /** The logs of a session, from now on kept until dropLogs(); null until they arrived. */
    logs(id: string): ReadonlySignal<Logs | null> {
        let detail = this.details.get(id);
        if (!detail) this.details.set(id, (detail = signal<Logs | null>(null)));
        return detail;
    }

    /** Forgets the logs of a session that nobody looks at any more. */
    dropLogs(id: string): void {
        const detail = this.details.get(id);
        if (detail) detail.value = null;
        this.details.delete(id);
    }

    /** Takes one message in. Throws ProtocolError, with nothing changed, when it does not fit what is here. */
    apply(message: ServerMessage): void {
        batch(() => {
            switch (message.type) {
                case "snapshot":
                    this.snapshot(message.sessions, message.seq);
                    break;
                case "session_update":
                    this.update(message.id, message.patch);
                    this.advance(message.seq);
                    break;
                case "session_removed":
                    this.remove(message.id);
                    this.advance(message.seq);
                    break;
                case "replay":
                    this.advance(message.seq);
                    break;
                case "session_detail":
                    this.fill(message.id, message);
                    break;
                case "session_log":
                    this.append(message.id, message);
                    break;
                case "welcome":
                case "error":
                    break;
            }
        });
    }

    private *sessions(): Iterable<Summary> {
        for (const card of this.cards.values()) yield card.peek();
    }

    private advance(seq: number): void {
        if (seq > this.seq) this.seq = seq;
    }

    /** The truth as a whole: what is not in it is gone. Its seq is taken even when it is smaller than ours. */
    private snapshot(sessions: readonly Summary[], seq: number): void {
        const gone = new Set(this.cards.keys());
        for (const s of sessions) {
            gone.delete(s.id);
            const card = this.cards.get(s.id);
            if (card) card.value = s;
            else this.cards.set(s.id, signal(s));
            this.aliases.set(s.sessionId, s.id);
        }
        for (const id of gone) this.remove(id);
        this.placed.value++;
        this.searched.value++;
        this.seq = seq;
        this.loaded.value = true;
    }

    private update(id: string, patch: Patch): void {
        const { replacesId, ...fields } = patch;
        const card = this.cards.get(id);
        if (!card) {
            const whole = summaryOf({ ...fields, id }, "patch");
            this.cards.set(id, signal(whole));
            this.aliases.set(whole.sessionId, id);
            this.placed.value++;
        } else {
            const before = card.peek();
            const after = { ...before, ...fields };
            if (after.id !== id) throw new ProtocolError("patch.id: a session's id never changes");
            card.value = after;
            this.aliases.set(after.sessionId, id);
            if (PLACING.some((f) => before[f] !== after[f])) this.placed.value++;
            if (SEARCHED.some((f) => before[f] !== after[f])) this.searched.value++;
        }
        if (replacesId) this.aliases.set(replacesId, id);
    }

    private remove(id: string): void {
        if (!this.cards.delete(id)) return;
        for (const [alias, target] of this.aliases) if (target === id) this.aliases.delete(alias);
        this.dropLogs(id);
        this.placed.value++;
    }

    /* Logs of a session that is not open are late ones, sent before the daemon saw our close. */

    private fill(id: string, { prompts, tools, responses, events }: Logs): void {
        const detail = this.details.get(id);
        if (detail) detail.value = { prompts, tools, responses, events };
    }

    private append(id: string, added: Partial<Logs>): void {
        const detail = this.details.get(id);
        const logs = detail?.peek();
        if (detail && logs) detail.value = mergeLogs(logs, added);
    }
}
