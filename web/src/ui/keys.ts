/* The keyboard. One table; the help dialog shows it. */

export interface Shortcut {
    /** As KeyboardEvent.key says it. */
    keys: readonly string[];
    /** As people read it. */
    shown: readonly string[];
    what: string;
    /** Where the help has it, if not among the others. */
    about?: "requests";
    /** False: it is not for us after all. */
    run: (key: string) => unknown;
}

const TERMINAL = ".terminal-screen";
const OPEN_TERMINAL = '.panel[data-view="terminal"]';

/** The session that a key is meant for: of the focused card, or else the open one. */
export function sessionHere(): { id: string; place: "card" | "panel" } | null {
    const at = document.activeElement;
    const card = at?.closest<HTMLElement>("a.asking, .card-frame") ?? null;
    if (card) return { id: card.dataset.id!, place: "card" };
    const panel = document.querySelector<HTMLElement>(".panel[data-id]");
    return panel ? { id: panel.dataset.id!, place: "panel" } : null;
}

/** Gives the keyboard to the terminal that is open; false when it is not there yet. */
export function enterTerminal(): boolean {
    const input = document.querySelector<HTMLElement>(`${TERMINAL} textarea`);
    input?.focus();
    return input !== null;
}

function isTyping(target: EventTarget | null): boolean {
    return target instanceof Element && target.matches("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]");
}

const TYPED = new Map([
    ["Enter", "\r"],
    ["Backspace", "\x7f"],
]);

/** What an open terminal would be told, if it only had the focus: then what is typed is meant for it. Null: it is not. */
function typedText(e: KeyboardEvent): string | null {
    const at = e.target instanceof Element ? e.target : document.body;
    if (at.closest("main, .header") !== null || document.querySelector(OPEN_TERMINAL) === null) return null;
    if (at.closest("button, a") !== null) return e.key.length === 1 && e.key !== " " ? e.key : null; // these have keys of their own
    return e.key.length === 1 ? e.key : (TYPED.get(e.key) ?? null);
}

/** The browser searches only what is in the document, and most of a large board is not: the filter finds all of it. */
function isFind(e: KeyboardEvent): boolean {
    return e.key.toLowerCase() === "f" && (e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey;
}

export interface Keyboard {
    shortcuts: readonly Shortcut[];
    escape(typing: boolean): void;
    /** For the terminal that is open, also when it is not there yet. */
    type(text: string): void;
    /** Puts the focus into the filter; false when the browser's own search does as well. */
    find(): boolean;
}

export function installKeys({ shortcuts, escape, type, find }: Keyboard): () => void {
    const onKey = (e: KeyboardEvent) => {
        if (e.defaultPrevented || document.querySelector("dialog[open]")) return;
        if (e.target instanceof Element && e.target.closest(TERMINAL)) return; // every key is the program's
        const typing = isTyping(e.target);
        if (isFind(e) && !typing && find()) e.preventDefault();
        if (e.metaKey || e.ctrlKey || e.altKey) return;
        if (e.key === "Escape") {
            escape(typing);
            return;
        }
        if (typing || insideLogs(e)) return;
        const text = typedText(e);
        if (text !== null) {
            e.preventDefault();
            enterTerminal();
            type(text);
            return;
        }
        const shortcut = shortcuts.find((s) => s.keys.includes(e.key));
        if (!shortcut) return;
        if (shortcut.run(e.key) !== false) e.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
}

/** Arrows scroll in the logs, as everywhere on the web. */
function insideLogs(e: KeyboardEvent): boolean {
    return e.key.startsWith("Arrow") && e.target instanceof Element && e.target.closest(".panel") !== null;
}
