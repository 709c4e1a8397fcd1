/* The keys that stay the board's while a terminal has the keyboard: all with Ctrl and Shift, as terminals have them. */

export type TerminalAction = "search" | "copy" | "leave" | "full" | "larger" | "smaller" | "normal";

const ACTIONS = new Map<string, TerminalAction | "paste">([
    ["KeyF", "search"],
    ["KeyC", "copy"],
    ["KeyV", "paste"],
    ["KeyL", "leave"],
    ["Enter", "full"],
    ["Equal", "larger"],
    ["NumpadAdd", "larger"],
    ["Minus", "smaller"],
    ["NumpadSubtract", "smaller"],
    ["Digit0", "normal"],
]);

export function terminalKey(e: Pick<KeyboardEvent, "code" | "ctrlKey" | "shiftKey" | "altKey" | "metaKey">) {
    if (!e.ctrlKey || !e.shiftKey || e.altKey || e.metaKey) return null;
    return ACTIONS.get(e.code) ?? null;
}

/** For the help dialog. */
export const TERMINAL_SHORTCUTS: readonly { shown: readonly string[]; what: string }[] = [
    { shown: ["Ctrl+Shift+L"], what: "Leave it, or full screen" },
    { shown: ["Ctrl+Shift+Enter"], what: "Full screen and back" },
    { shown: ["Ctrl+Shift+F"], what: "Search" },
    { shown: ["Ctrl+Shift+C"], what: "Copy" },
    { shown: ["Ctrl+Shift+V"], what: "Paste" },
    { shown: ["Ctrl+Shift++"], what: "Larger letters; − smaller" },
    { shown: ["Ctrl+Shift+0"], what: "Letters as they were" },
    { shown: ["Ctrl+click"], what: "Open a link" },
];
