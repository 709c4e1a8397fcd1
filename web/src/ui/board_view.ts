/*
 * Which part of the board is looked at. The cards' places are known (core/layout), so only those on the screen and a little
 * around it are in the document; the one that has the focus always is, or the keyboard would lose its place.
 */

import { batch, computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { CARD_GAP, columnsIn, drift, layoutBoard, nextRow, reuseSpots, type Layout } from "../core/layout";
import { APART_MAX, ENDED_GROUP } from "../core/order";
import type { Store } from "../core/store";
import { recall, remember } from "./remember";

/** How much above and below the screen is drawn, so that scrolling finds it there. */
const AROUND = 500;
/** The part is changed in steps: not every pixel that is scrolled is worth a drawing. */
const STEP = 200;

const ENDED_KEY = "ostler.ended";

/** From where to where the board is drawn, in pixels from its top. */
export interface Part {
    from: number;
    to: number;
}

/** A place that the keyboard can go to: a card, or the line about it above all groups. */
interface Stop {
    id: string;
    above: boolean;
    x: number;
    y: number;
}

export class BoardView {
    readonly layout: ReadonlySignal<Layout | null>;
    readonly part: ReadonlySignal<Part>;
    /** The card that stays in the document wherever one scrolls. */
    readonly held: Signal<string | null> = signal(null);
    /** The card that is to get the focus. */
    readonly sought: Signal<string | null> = signal(null);
    /** Whether the group of ended sessions shows its heading only. */
    readonly endedClosed: Signal<boolean> = signal(recall(ENDED_KEY, ["closed"]) !== null);
    private readonly width = signal(0);
    private readonly shown = signal<Part>({ from: 0, to: 0 });
    private element: HTMLElement | null = null;
    /** Of the page, where the groups begin. */
    private top = 0;
    /** How far it was scrolled when it was looked at last. */
    private y = 0;

    constructor(
        private readonly store: Store,
        private readonly open: ReadonlySignal<string | null>,
    ) {
        let last: Layout | null = null;
        this.layout = computed(() => {
            const width = this.width.value;
            if (width === 0) return null;
            const closed = this.endedClosed.value;
            last = reuseSpots(last, layoutBoard(store.groups.value, width, (key) => closed && key === ENDED_GROUP));
            return last;
        });
        this.part = this.shown;
        effect(() => remember(ENDED_KEY, this.endedClosed.value ? "closed" : null));
    }

    /** Follows the element that holds the groups, until what it answers is called. */
    attach(element: HTMLElement): () => void {
        this.element = element;
        this.y = window.scrollY;
        this.top = element.getBoundingClientRect().top + this.y;
        const measure = () => this.measure();
        const sizes = new ResizeObserver(measure);
        sizes.observe(element);
        sizes.observe(element.parentElement!); // what stands above the groups
        window.addEventListener("scroll", measure, { passive: true });
        window.addEventListener("resize", measure);
        measure();
        return () => {
            this.element = null;
            sizes.disconnect();
            window.removeEventListener("scroll", measure);
            window.removeEventListener("resize", measure);
        };
    }

    /** After the page was drawn with another layout: scrolls along, so that what was looked at is where it was. */
    follow(before: Layout | null): void {
        const after = this.layout.peek();
        if (!this.element || !before || !after) return;
        const box = this.element.getBoundingClientRect();
        const y = this.scrolled();
        const from = y - this.top;
        this.shift(box, y === 0 ? 0 : drift(before, after, from, from + window.innerHeight));
    }

    /** Where the groups begin may have moved, and what is looked at in them by so much more: scrolls along. */
    private shift(box: DOMRect, drifted: number): void {
        const y = this.scrolled();
        const from = y - this.top;
        const moved = drifted + box.top + window.scrollY - this.top;
        this.top = box.top + window.scrollY;
        const above = y === 0 || from + window.innerHeight / 2 < 0; // one looks at what stands above the groups
        if (moved !== 0 && !above) window.scrollTo({ top: y + moved, behavior: "instant" });
        this.y = window.scrollY;
    }

    /** How far the page is scrolled; when it has just become too short for that, how far it was. */
    private scrolled(): number {
        const y = window.scrollY;
        const end = document.documentElement.scrollHeight - window.innerHeight;
        return y < this.y && y >= end - 1 ? this.y : y;
    }

    private measure(): void {
        const box = this.element?.getBoundingClientRect();
        if (!box || box.width === 0) return; // hidden behind the panel of a phone
        this.shift(box, 0);
        const y = this.top - window.scrollY;
        const from = Math.floor((-y - AROUND) / STEP) * STEP;
        const to = Math.ceil((window.innerHeight - y + AROUND) / STEP) * STEP;
        batch(() => {
            this.width.value = box.width;
            const { from: a, to: b } = this.shown.peek();
            if (a !== from || b !== to) this.shown.value = { from, to };
        });
    }

    /** Whether there are cards that are not drawn. */
    isPartial(): boolean {
        return (this.layout.peek()?.cards.length ?? 0) > document.querySelectorAll("a.card").length;
    }

    /** Whether the card is on the board, drawn or not. */
    has(id: string): boolean {
        return this.layout.peek()?.at.has(id) ?? false;
    }

    /** The id of the card after this one, or before it when it is the last. */
    neighbourOf(id: string): string | null {
        const all = this.layout.peek()?.cards ?? [];
        const at = all.findIndex((c) => c.id === id);
        return (all[at + 1] ?? all[at - 1])?.id ?? null;
    }

    /** Puts the focus on a session's card; on one that is not drawn as soon as it is. */
    focus(id: string): void {
        const card = cardOf(id);
        this.sought.value = card === null && this.has(id) ? id : null;
        moveTo(card);
    }

    /** After something was drawn: what is sought may be there now. */
    arrive(): void {
        const card = this.sought.peek() === null ? null : cardOf(this.sought.peek()!);
        if (!card) return;
        this.sought.value = null;
        moveTo(card);
    }

    /** The next or previous card in reading order. */
    step(step: 1 | -1): void {
        const all = this.stops();
        const at = this.here(all);
        this.go(at < 0 ? all[0] : all[at + step]);
    }

    /** The nearest card in the next row of that direction, over group borders. */
    stepRow(step: 1 | -1): void {
        const all = this.stops();
        const from = all[this.here(all)];
        this.go(from ? nextRow(all, from, step) : all[0]);
    }

    private go(stop: Stop | null | undefined): void {
        if (stop?.above) moveTo(document.querySelector<HTMLElement>(`a.asking[data-id="${CSS.escape(stop.id)}"]`));
        else if (stop) this.focus(stop.id);
    }

    private stops(): Stop[] {
        const layout = this.layout.peek();
        if (!layout) return [];
        const ids = this.store.apart.peek().slice(0, APART_MAX);
        const columns = columnsIn(layout.width);
        const column = (layout.width + CARD_GAP) / columns;
        // Their rows lie above the first one of the groups; how high they are does not matter here.
        const rows = Math.ceil(ids.length / columns);
        const above = ids.map((id, i) => ({ id, above: true, x: (i % columns) * column, y: Math.floor(i / columns) - rows }));
        return [...above, ...layout.cards.map((c) => ({ ...c, above: false }))];
    }

    /** Where moving starts: the focused card, else the open one. */
    private here(all: readonly Stop[]): number {
        const at = document.activeElement?.closest<HTMLElement>("a.asking, .card-frame");
        const above = at?.matches("a.asking") ?? false;
        const focused = at ? all.findIndex((s) => s.above === above && s.id === at.dataset.id) : -1;
        return focused >= 0 ? focused : all.findIndex((s) => !s.above && s.id === this.open.peek());
    }
}

/** The card in the document. */
export function cardOf(id: string): HTMLElement | null {
    return document.querySelector<HTMLElement>(`a.card[data-id="${CSS.escape(id)}"]`);
}

function moveTo(card: HTMLElement | null): void {
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: "nearest" });
}
