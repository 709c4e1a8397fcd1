/* Keys that a phone's keyboard does not have, as a terminal's program expects them. */

export type SoftKey = "Escape" | "Tab" | "Up" | "Down" | "Left" | "Right";

export interface Modifiers {
    ctrl: boolean;
    alt: boolean;
}

const ARROWS: Partial<Record<SoftKey, string>> = { Up: "A", Down: "B", Right: "C", Left: "D" };

/** `application` is the program's cursor key mode (DECCKM). */
export function softKey(key: SoftKey, { ctrl, alt }: Modifiers, application: boolean): string {
    const arrow = ARROWS[key];
    if (arrow) {
        const held = 1 + (alt ? 2 : 0) + (ctrl ? 4 : 0);
        if (held > 1) return `\x1b[1;${held}${arrow}`;
        return application ? `\x1bO${arrow}` : `\x1b[${arrow}`;
    }
    return `${alt ? "\x1b" : ""}${key === "Escape" ? "\x1b" : "\t"}`;
}

/** What was typed, as if Ctrl or Alt had been held. Only a single character can be meant by that. */
export function modified(typed: string, { ctrl, alt }: Modifiers): string {
    if ([...typed].length !== 1) return typed;
    return `${alt ? "\x1b" : ""}${ctrl ? controlOf(typed) : typed}`;
}

function controlOf(char: string): string {
    if (char === " ") return "\0";
    if (char === "?") return "\x7f";
    const code = char.toUpperCase().charCodeAt(0);
    return code >= 0x40 && code < 0x60 ? String.fromCharCode(code & 0x1f) : char;
}
