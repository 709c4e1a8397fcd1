/* The keyboard. One table; the help dialog shows it. */

export interface Shortcut {
    /** As KeyboardEvent.key says it. */
    keys: readonly string[];
    /** As people read it. */
    shown: readonly string[];
    what: string;
    run: () => void;
}

const CARDS = "a.asking, a.card";
const TERMINAL = ".terminal-screen";

/** The card on the board, or null when there is none or the filter hides it. */
export function cardOf(id: string): HTMLElement | null {
    return document.querySelector<HTMLElement>(`a.card[data-id="${CSS.escape(id)}"]`);
}

/** The session that a key is meant for: of the focused card, or else the open one. */
export function sessionHere(): { id: string; place: "card" | "panel" } | null {
    const at = document.activeElement;
    const card = at?.closest<HTMLElement>("a.asking, .card-frame") ?? null;
    if (card) return { id: card.dataset.id!, place: "card" };
    const panel = document.querySelector<HTMLElement>(".panel[data-id]");
    return panel ? { id: panel.dataset.id!, place: "panel" } : null;
}

/** The id of the card after this one, or before it when it is the last. */
export function neighbourOf(id: string): string | null {
    const all = [...document.querySelectorAll<HTMLElement>("a.card")];
    const at = all.findIndex((c) => c.dataset.id === id);
    return (all[at + 1] ?? all[at - 1])?.dataset.id ?? null;
}

function cards(): HTMLElement[] {
    return [...document.querySelectorAll<HTMLElement>(CARDS)];
}

/** Where moving starts: the focused card, else the open one. */
function here(all: readonly HTMLElement[]): number {
    const at = document.activeElement;
    const focused = all.findIndex((c) => c === at || (c.matches(".card") && c.parentElement!.contains(at)));
    return focused >= 0 ? focused : all.findIndex((c) => c.getAttribute("aria-current") === "true");
}

function moveTo(card: HTMLElement | undefined): void {
    card?.focus();
    card?.scrollIntoView({ block: "nearest" });
}

/** The next or previous card in reading order. */
export function stepCard(step: 1 | -1): void {
    const all = cards();
    const at = here(all);
    moveTo(at < 0 ? all[0] : all[at + step]);
}

/** The nearest card in the next row of that direction, over group borders. */
export function stepRow(step: 1 | -1): void {
    const all = cards();
    const at = here(all);
    if (at < 0) {
        moveTo(all[0]);
        return;
    }
    const from = all[at]!.getBoundingClientRect();
    let best: HTMLElement | undefined;
    let bestTop = 0;
    let bestOff = 0;
    for (let i = at + step; i >= 0 && i < all.length; i += step) {
        const r = all[i]!.getBoundingClientRect();
        if (Math.abs(r.top - from.top) < 2) continue;
        if (best && Math.abs(r.top - bestTop) > 2) break;
        const off = Math.abs(r.left - from.left);
        if (best && off >= bestOff) continue;
        best = all[i];
        bestTop = r.top;
        bestOff = off;
    }
    moveTo(best);
}

/** Puts the focus on a session's card. */
export function focusCard(id: string): void {
    moveTo(cardOf(id) ?? undefined);
}

/** Gives the keyboard to the terminal that is open. */
export function enterTerminal(): void {
    document.querySelector<HTMLElement>(`${TERMINAL} textarea`)?.focus();
}

function isTyping(target: EventTarget | null): boolean {
    return target instanceof Element && target.matches("input, textarea, select, [contenteditable]");
}

export function installKeys(shortcuts: readonly Shortcut[], escape: (typing: boolean) => void): () => void {
    const onKey = (e: KeyboardEvent) => {
        if (e.defaultPrevented || e.metaKey || e.ctrlKey || e.altKey || document.querySelector("dialog[open]")) return;
        if (e.target instanceof Element && e.target.closest(TERMINAL)) return; // every key is the program's
        const typing = isTyping(e.target);
        if (e.key === "Escape") {
            escape(typing);
            return;
        }
        if (typing || insideLogs(e)) return;
        const shortcut = shortcuts.find((s) => s.keys.includes(e.key));
        if (!shortcut) return;
        e.preventDefault();
        shortcut.run();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
}

/** Arrows scroll in the logs, as everywhere on the web. */
function insideLogs(e: KeyboardEvent): boolean {
    return e.key.startsWith("Arrow") && e.target instanceof Element && e.target.closest(".panel") !== null;
}
