/*
 * The board's state. Every session is a signal of its own, so that a patch redraws one card; which cards there are and
 * where they stand is computed apart, and only when something changed that decides about it.
 *
 * Two rules keep a session from being shown twice, or again after it was closed. A card stands on the board only while its
 * `sessionId` leads to it: of two that claim the same one, the later claim holds. And a card that a person closes is hidden
 * at once, still follows its updates in the dark, and comes back only when the daemon refused.
 */

import { batch, computed, signal, type ReadonlySignal, type Signal } from "@preact/signals-core";
import type { HookStats } from "./health";
import { Inbox } from "./inbox";
import { mergeLogs } from "./logs";
import { ProtocolError, summaryOf, type Logs, type Patch, type ServerMessage, type Summary, type Team } from "./messages";
import { apartFrom, askingSessions, groupSessions, matchesFilter, reuseGroups, sameIds, type Group, type Grouping } from "./order";
import { countSessions, isAgent, isOf, sameCounts, type Counts, type Only } from "./status";
import { Terminals } from "./terminals";
import { isBroken, withFinding, type Finding } from "./transcript";

/** Fields that decide where a card stands. */
const PLACING: readonly (keyof Summary)[] = [
    "attention",
    "error",
    "status",
    "endedAt",
    "projectPath",
    "projectName",
    "startedAt",
    "statusSince",
    "sessionId",
    "teamId",
    "teamRole",
];
/** Fields that the filter looks at. */
const SEARCHED: readonly (keyof Summary)[] = ["title", "label", "currentPrompt", "agentName", "agentType", "teamName", "lastWords"];

export class Store {
    /** Newest change that is in here; what a reconnect continues from. 0 before the first snapshot. */
    seq = 0;
    /** False until the first snapshot: an empty board and one that is not loaded yet are different things. */
    readonly loaded = signal(false);
    readonly filter = signal("");
    /** What the board is narrowed to, or null for all of it. */
    readonly only = signal<Only | null>(null);
    readonly grouping = signal<Grouping>("project");
    /** Where the hook program is, as the daemon knows it. */
    readonly hook = signal<string | null>(null);
    /** How far the daemon's clock is ahead of this machine's, in ms. */
    readonly clockOffset = signal(0);
    /** The hooks' figures, while somebody asks for them. */
    readonly hookStats = signal<HookStats | null>(null);
    readonly terminals = new Terminals();
    readonly inbox = new Inbox();
    readonly teams: ReadonlySignal<ReadonlyMap<string, Team>>;
    readonly counts: ReadonlySignal<Counts>;
    /** Those that want a person, the most urgent first; the filter does not hide them. */
    readonly asking: ReadonlySignal<readonly string[]>;
    readonly total: ReadonlySignal<number>;
    readonly groups: ReadonlySignal<readonly Group[]>;
    /** Those of `asking` that stand above all groups of a board that is not narrowed. */
    readonly apart: ReadonlySignal<readonly string[]>;
    /** Those whose transcript can be mended: Claude Code's. */
    readonly mendable: ReadonlySignal<readonly string[]>;
    /** Those whose transcript could not be. */
    readonly broken: ReadonlySignal<readonly Summary[]>;

    private readonly cards = new Map<string, Signal<Summary>>();
    private readonly details = new Map<string, Signal<Logs | null>>();
    /** Other names of a session: its `sessionId` now and before. */
    private readonly aliases = new Map<string, string>();
    /** Cards that a person closed and the daemon has not yet taken away. */
    private readonly closing = new Set<string>();
    /** Cards that are gone, with the seq of that: what was said of them before and comes late is not heard. */
    private readonly graves = new Map<string, number>();
    private readonly teamsById = signal<ReadonlyMap<string, Team>>(new Map());
    private readonly placed = signal(0);
    private readonly searched = signal(0);
    private readonly judged = signal(0);

    constructor() {
        this.teams = this.teamsById;
        let counts: Counts | null = null;
        this.counts = computed(() => {
            this.placed.value;
            const next = countSessions(this.sessions());
            if (!counts || !sameCounts(counts, next)) counts = next;
            return counts;
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
            return [...this.sessions()].length;
        });
        let groups: readonly Group[] = [];
        this.groups = computed(() => {
            this.placed.value;
            const filter = this.filter.value.trim();
            if (filter) this.searched.value;
            const only = this.only.value;
            let shown: Iterable<Summary> = this.sessions();
            if (only !== null) shown = [...shown].filter((s) => isOf(s, only));
            if (filter) shown = [...shown].filter((s) => matchesFilter(s, filter));
            groups = reuseGroups(groups, groupSessions(shown, this.grouping.value));
            return groups;
        });
        let apart: readonly string[] = [];
        this.apart = computed(() => {
            // Whoever has narrowed the board wants to see what is left of it, also on a phone, where they would fill the screen.
            const narrowed = this.only.value !== null || this.filter.value.trim() !== "";
            const next = narrowed ? [] : apartFrom(this.asking.value, this.groups.value);
            if (!sameIds(apart, next)) apart = next;
            return apart;
        });
        let mendable: readonly string[] = [];
        this.mendable = computed(() => {
            this.placed.value;
            const next = [...this.sessions()].filter((s) => s.cli === "claude" && isAgent(s)).map((s) => s.id);
            if (!sameIds(mendable, next)) mendable = next;
            return mendable;
        });
        this.broken = computed(() => {
            this.placed.value;
            this.judged.value;
            return [...this.sessions()].filter((s) => isBroken(s.transcript));
        });
    }

    /** A card's signal by id or alias. Subscribes to cards coming and going only while there is none. */
    find(name: string): ReadonlySignal<Summary> | undefined {
        const card = this.cards.get(name) ?? this.cards.get(this.aliases.get(name) ?? "");
        if (card && !this.closing.has(card.peek().id)) return card;
        this.placed.value;
        return undefined;
    }

    /** Every session on the board, in no order. */
    all(): Summary[] {
        return [...this.sessions()];
    }

    /** Takes a card off the board before the daemon does; what still arrives for it does not bring it back. */
    hide(id: string): void {
        if (!this.cards.has(id) || this.closing.has(id)) return;
        this.closing.add(id);
        this.placed.value++;
    }

    /** The daemon refused: the card is where it was, as it is by now. */
    reveal(id: string): void {
        if (this.closing.delete(id)) this.placed.value++;
    }

    /** Shows what the daemon has confirmed over HTTP and will say again in an update. */
    edit(id: string, patch: Patch): void {
        if (this.cards.has(id)) batch(() => this.update(id, patch));
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
                    this.teamsById.value = new Map(message.teams.map((t) => [t.teamId, t]));
                    break;
                case "session_update":
                    if (message.seq > (this.graves.get(message.id) ?? -1)) this.update(message.id, message.patch);
                    this.advance(message.seq);
                    break;
                case "session_removed":
                    this.remove(message.id);
                    this.graves.set(message.id, message.seq);
                    this.advance(message.seq);
                    break;
                case "team_update":
                    this.teamsById.value = new Map(this.teamsById.peek()).set(message.team.teamId, message.team);
                    this.advance(message.seq);
                    break;
                case "team_removed":
                    this.dropTeam(message.teamId);
                    this.advance(message.seq);
                    break;
                case "hook_stats":
                    this.hookStats.value = message.stats;
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
                case "session.status":
                    this.judge(message.sessionId, message);
                    break;
                case "terminal_state":
                    this.terminals.update(message.terminal);
                    break;
                case "terminal_removed":
                    this.terminals.remove(message.terminalId);
                    break;
                case "terminal_screen":
                    this.terminals.paint(message.terminalId, message.screen);
                    break;
                case "inbox":
                    this.inbox.fill(message.requests, message.away);
                    break;
                case "approval":
                    this.inbox.update(message.request);
                    break;
                case "away":
                    this.inbox.away.value = message.away;
                    break;
                case "answered":
                    this.inbox.answered(message);
                    break;
                case "welcome":
                case "ready":
                case "session.repair.activity": // what it comes to is said in the session
                case "error":
                    break;
            }
        });
    }

    /** What stands on the board: no card that is being closed, and no second one of a session. */
    private *sessions(): Iterable<Summary> {
        for (const card of this.cards.values()) {
            const s = card.peek();
            if (!this.closing.has(s.id) && this.aliases.get(s.sessionId) === s.id) yield s;
        }
    }

    private advance(seq: number): void {
        if (seq > this.seq) this.seq = seq;
    }

    /** The truth as a whole: what is not in it is gone. Its seq is taken even when it is smaller than ours. */
    private snapshot(sessions: readonly Summary[], seq: number): void {
        const gone = new Set(this.cards.keys());
        // Of two that claim one sessionId, the one that did something last is the session.
        for (const s of [...sessions].sort((a, b) => a.lastActivityAt - b.lastActivityAt)) {
            gone.delete(s.id);
            const card = this.cards.get(s.id);
            if (card) card.value = s;
            else this.cards.set(s.id, signal(s));
            this.aliases.set(s.sessionId, s.id);
        }
        for (const id of gone) this.remove(id);
        this.graves.clear();
        this.placed.value++;
        this.searched.value++;
        this.judged.value++;
        this.seq = seq;
        this.loaded.value = true;
    }

    private update(id: string, patch: Patch): void {
        const { replacesId, ...fields } = patch;
        const card = this.cards.get(id);
        if (!card) {
            const whole = summaryOf({ ...fields, id }, "patch");
            this.cards.set(id, signal(whole));
            this.claim(whole.sessionId, id);
            this.placed.value++;
        } else {
            const before = card.peek();
            const after = { ...before, ...fields };
            if (after.id !== id) throw new ProtocolError("patch.id: a session's id never changes");
            card.value = after;
            if (after.sessionId !== before.sessionId) this.claim(after.sessionId, id);
            if (PLACING.some((f) => before[f] !== after[f])) this.placed.value++;
            if (SEARCHED.some((f) => before[f] !== after[f])) this.searched.value++;
            if (before.transcript?.status !== after.transcript?.status) this.judged.value++;
        }
        if (replacesId) this.claim(replacesId, id);
    }

    /** The answer to our hello. The session itself says more, also later ones: this stands until it does. */
    private judge(alias: string, found: Finding): void {
        const card = this.cards.get(alias) ?? this.cards.get(this.aliases.get(alias) ?? "");
        if (card?.peek().transcript === null)
            this.update(card.peek().id, { transcript: withFinding(null, found, null) });
    }

    /** From now on this name leads to this card, and no other one stands on the board for it. */
    private claim(alias: string, id: string): void {
        if (this.aliases.get(alias) === id) return;
        this.aliases.set(alias, id);
        this.placed.value++;
    }

    private remove(id: string): void {
        if (!this.cards.delete(id)) return;
        this.closing.delete(id);
        for (const [alias, target] of this.aliases) if (target === id) this.aliases.delete(alias);
        // A card that stood back behind this one for the sake of its sessionId is the session now.
        for (const card of this.cards.values()) {
            const { sessionId, id: other } = card.peek();
            if (!this.aliases.has(sessionId)) this.aliases.set(sessionId, other);
        }
        this.dropLogs(id);
        this.placed.value++;
    }

    private dropTeam(teamId: string): void {
        const teams = new Map(this.teamsById.peek());
        if (teams.delete(teamId)) this.teamsById.value = teams;
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
