/* The keyboard. One table; the help dialog shows it. */

export interface Shortcut {
    /** As KeyboardEvent.key says it. */
    keys: readonly string[];
    /** As people read it. */
    shown: readonly string[];
    what: string;
    run: () => void;
}

const TERMINAL = ".terminal-screen";

/** The session that a key is meant for: of the focused card, or else the open one. */
export function sessionHere(): { id: string; place: "card" | "panel" } | null {
    const at = document.activeElement;
    const card = at?.closest<HTMLElement>("a.asking, .card-frame") ?? null;
    if (card) return { id: card.dataset.id!, place: "card" };
    const panel = document.querySelector<HTMLElement>(".panel[data-id]");
    return panel ? { id: panel.dataset.id!, place: "panel" } : null;
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
