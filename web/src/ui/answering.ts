/*
 * Which request is being answered, and whether it may be yet: what was seen is what is answered. A request that has just
 * appeared, moved or changed under the finger is not answered by a key or a press that was meant for something else, and one
 * that is shown in part is shown whole first.
 */

import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { answersOf, canBe, denial, isAnswerable, type Answer, type Choices } from "../core/answer";
import type { Same } from "../core/inbox";
import type { Layout } from "../core/layout";
import { endWords, lineOf, type Request } from "../core/request";
import type { Store } from "../core/store";
import type { Answers } from "../net/answers";

/** A person needs so long to see that something else stands there now. */
export const SETTLE_MS = 500;

/** What is filled in before such an answer is given. */
export type FormName = "deny" | "always" | "edit";

/** The text of a request, and no other text of it. */
const keyOf = (r: Request) => `${r.id} ${r.digest}`;

/** What a request must be able to take for such an answer. */
const NEEDED: Record<Answer["decision"], (r: Request) => string> = {
    allow: (r) => (r.kind === "question" ? "answers" : "allow"),
    deny: () => "deny",
    always: () => "always",
};

/** Where a request can be shown. */
export type View = "inbox" | "panel" | "card";

interface Spot {
    view: View;
    id: string;
    /** The text that stands there. */
    key: string;
    place: string;
    at: number;
    /** Whether it is only a part of it. */
    part: boolean;
}

export class Answering {
    /** The request that was chosen in the inbox. */
    readonly selected: Signal<string | null> = signal(null);
    /** The group of it, or the one that took its place; null when there is none. */
    readonly current: ReadonlySignal<Same | null>;
    /** The form that is open. */
    readonly form: Signal<{ id: string; name: FormName } | null> = signal(null);
    /** Why nothing happened, for the one that was meant. */
    readonly said: Signal<{ id: string; text: string } | null> = signal(null);
    private readonly spots = new Map<string, Spot>();
    private readonly unfolded = new Map<string, Signal<boolean>>();
    private readonly chosen = new Map<string, Signal<readonly Choices[]>>();
    private readonly modes = new Map<string, Signal<string | null>>();
    private lastIndex = 0;

    constructor(
        private readonly store: Store,
        private readonly answers: Answers,
        layout: ReadonlySignal<Layout | null>,
        private readonly now: () => number,
        tell: (text: string) => void,
    ) {
        this.current = computed(() => {
            const groups = store.inbox.groups.value;
            const chosen = this.selected.value;
            const at = chosen === null ? -1 : groups.findIndex((g) => g.ids.includes(chosen));
            if (at >= 0) this.lastIndex = at;
            return groups[at >= 0 ? at : Math.min(this.lastIndex, groups.length - 1)] ?? null;
        });
        // What took the place of the chosen one is chosen: it stays so when the other comes back.
        effect(() => {
            const now = this.current.value;
            if (now && this.selected.peek() !== null && !now.ids.includes(this.selected.peek()!)) this.selected.value = now.ids[0]!;
        });
        // Whoever writes an answer to what is over by then is told why it is gone.
        effect(() => {
            const form = this.form.value;
            const r = form === null ? undefined : store.inbox.find(form.id);
            if (form === null || r?.state === "open") return;
            this.form.value = null;
            tell(`${r ? endWords(r) : "Gone"} while you wrote, so nothing was sent: ${r ? lineOf(r).slice(0, 80) : ""}`);
        });
        // Cards of the board move without being drawn again.
        effect(() => {
            const at = layout.value?.at;
            for (const spot of this.spots.values()) {
                const session = spot.view === "card" ? store.inbox.peek(spot.id)?.session : null;
                const card = session ? at?.get(session) : undefined;
                if (card) this.move(spot, spot.key, `${card.x} ${card.y}`);
            }
        });
    }

    /** The request stands there now. Where cards are, the layout tells. */
    placed(view: View, r: Request, place = ""): void {
        const name = `${view} ${r.id}`;
        const spot = this.spots.get(name);
        if (spot) this.move(spot, keyOf(r), view === "card" ? spot.place : place);
        else this.spots.set(name, { view, id: r.id, key: keyOf(r), place, at: this.now(), part: false });
    }

    /** It does not stand there any more. */
    removed(view: View, id: string): void {
        const key = this.spots.get(`${view} ${id}`)?.key ?? "";
        this.spots.delete(`${view} ${id}`);
        if (this.store.inbox.peek(id)?.state === "open") return;
        this.unfolded.delete(key);
        this.chosen.delete(key);
        this.modes.delete(key);
    }

    /** Whether it is on the screen where a form has room. */
    hasRoom(id: string): boolean {
        return this.spotsOf(id).some((spot) => spot.view !== "card");
    }

    /** Whether it is on the screen, all of it. */
    isWhole(id: string): boolean {
        return this.spotsOf(id).some((spot) => !spot.part);
    }

    /** Tells whether only a part of it can be seen there. */
    setPart(view: View, r: Request, part: boolean): void {
        this.placed(view, r, this.spots.get(`${view} ${r.id}`)?.place);
        this.spots.get(`${view} ${r.id}`)!.part = part;
    }

    /** Whether all of its text is shown, where it could be too long. */
    unfoldedOf(r: Request): Signal<boolean> {
        const key = keyOf(r);
        let open = this.unfolded.get(key);
        if (!open) this.unfolded.set(key, (open = signal(false)));
        return open;
    }

    /** What is chosen so far of its questions; kept while it is open. */
    choicesOf(r: Request): Signal<readonly Choices[]> {
        const key = keyOf(r);
        let chosen = this.chosen.get(key);
        if (!chosen) this.chosen.set(key, (chosen = signal([])));
        return chosen;
    }

    /** How an approved plan is to go on, if that was chosen. */
    modeOf(r: Request): Signal<string | null> {
        const key = keyOf(r);
        let mode = this.modes.get(key);
        if (!mode) this.modes.set(key, (mode = signal<string | null>(null)));
        return mode;
    }

    /** What its first button says, and its key; null while something is missing for that. */
    yes(r: Request): Answer | null {
        if (r.kind === "question") return canBe(r, "answers") && r.questions?.length ? answersOf(r.questions, this.choicesOf(r).peek()) : null;
        if (!canBe(r, "allow")) return null;
        const mode = r.kind === "plan" && canBe(r, "mode") ? (this.modeOf(r).peek() ?? r.modes[0]) : undefined;
        return { decision: "allow", ...(mode !== undefined && { mode }) };
    }

    /** Moves on to the next one in the inbox, or the one before. */
    step(by: 1 | -1): void {
        const groups = this.store.inbox.groups.peek();
        const at = groups.findIndex((g) => g === this.current.peek());
        const next = groups[at + by];
        if (next) this.select(next.ids[0]!);
    }

    select(id: string): void {
        this.selected.value = id;
        this.said.value = null;
    }

    open(id: string, name: FormName): void {
        this.said.value = null;
        this.form.value = { id, name };
    }

    /** Closes what is open; false when nothing was. */
    cancel(): boolean {
        if (this.form.peek() === null) return false;
        this.form.value = null;
        return true;
    }

    /** Gives this answer to all of them, each as it was shown. False when it was not given, and `said` has the reason. */
    give(shown: readonly Request[], answer: (r: Request) => Answer): boolean {
        const first = shown[0];
        if (!first) return false;
        if (shown.some((r) => this.isUnderWay(r))) {
            this.said.value = { id: first.id, text: "An answer is on its way already." };
            return false;
        }
        if (shown.some((r) => !this.isSettled(r))) {
            this.said.value = { id: first.id, text: "That had just come or changed. Look at it, then answer again." };
            return false;
        }
        this.form.value = null;
        this.said.value = null;
        for (const r of shown) this.answers.answer(r, answer(r));
        return true;
    }

    /** Allows them. What is shown in part is shown whole first. */
    allow(shown: readonly Request[], answer: Answer | null = shown[0] ? this.yes(shown[0]) : null): boolean {
        const first = shown[0];
        if (!first || !this.readWhole(first)) return false;
        if (answer) return this.give(shown.filter((r) => canBe(r, NEEDED[answer.decision](r))), () => answer);
        this.said.value = { id: first.id, text: first.kind === "question" ? "Choose an answer to each question first." : "This cannot be allowed from here." };
        return false;
    }

    deny(shown: readonly Request[], reason = "", stop = false): boolean {
        return this.give(shown.filter((r) => canBe(r, "deny")), (r) => denial(r, reason, stop));
    }

    /** Whether all of it could be read; if not, it can be from now on. */
    readWhole(r: Request): boolean {
        if (this.isWhole(r.id)) return true;
        this.unfoldedOf(r).value = true;
        this.said.value = { id: r.id, text: "This is all of it. Read it, then answer." };
        for (const spot of this.spotsOf(r.id)) spot.at = this.now();
        return false;
    }

    /** Those of a group that can be answered. */
    requestsOf(same: Same | null): Request[] {
        return (same?.ids ?? []).map((id) => this.store.inbox.peek(id)).filter((r) => r !== undefined && isAnswerable(r)) as Request[];
    }

    private move(spot: Spot, key: string, place: string): void {
        if (spot.key === key && spot.place === place) return;
        Object.assign(spot, { key, place, at: this.now() });
    }

    private spotsOf(id: string): Spot[] {
        return [...this.spots.values()].filter((spot) => spot.id === id);
    }

    /** Answered already, here or elsewhere, whatever will come of it. */
    private isUnderWay(r: Request): boolean {
        const mine = this.store.inbox.mineOf(r.id).peek();
        return this.store.inbox.peek(r.id)?.answer != null || (mine !== null && mine.phase !== "back");
    }

    /** Shown, as it is now, for long enough; wherever it is shown. */
    private isSettled(r: Request): boolean {
        const spots = this.spotsOf(r.id);
        return spots.length > 0 && spots.every((spot) => spot.key === keyOf(r) && this.now() - spot.at >= SETTLE_MS);
    }
}

/** What a button for it is called by those who do not see what stands around it. */
export const spokenOf = (what: string, r: Request) => `${what}: ${lineOf(r).slice(0, 120)}`;
