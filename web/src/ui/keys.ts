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

function cards(): HTMLElement[] {
    return [...document.querySelectorAll<HTMLElement>(CARDS)];
}

/** Where moving starts: the focused card, else the open one. */
function here(all: readonly HTMLElement[]): number {
    const focused = all.indexOf(document.activeElement as HTMLElement);
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

/** Puts the focus on the card that leads to a path. */
export function focusCard(path: string): void {
    moveTo(cards().find((c) => (c as HTMLAnchorElement).pathname === path));
}

function isTyping(target: EventTarget | null): boolean {
    return target instanceof Element && target.matches("input, textarea, select, [contenteditable]");
}

export function installKeys(shortcuts: readonly Shortcut[], escape: (typing: boolean) => void): () => void {
    const onKey = (e: KeyboardEvent) => {
        if (e.defaultPrevented || e.metaKey || e.ctrlKey || e.altKey || document.querySelector("dialog[open]")) return;
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
