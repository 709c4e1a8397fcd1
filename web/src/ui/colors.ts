/* Colours that come over the wire. They are only ever set as the value of a custom property. */

/** The names that agents are given, in tones that can be read on both themes. */
const AGENT_COLORS = ["red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink"];

/** What people may choose for a card. */
export const ACCENTS: readonly { name: string; color: string }[] = [
    { name: "Red", color: "#c8453b" },
    { name: "Amber", color: "#d6892b" },
    { name: "Green", color: "#5b9a4b" },
    { name: "Teal", color: "#2f9a95" },
    { name: "Blue", color: "#3d7fc4" },
    { name: "Violet", color: "#8a63c9" },
    { name: "Pink", color: "#cf5f97" },
];

/** Names, numbers, and functions of numbers. `var()` and escapes are none: a browser takes `var(--x, url(…))` for a colour, too, until
 * it draws it. */
const COLOR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,24}|[a-z]{3,8}\([0-9.,%/ +-]*(?:deg)?[0-9.,%/ +-]*\))$/i;

/** The value if it is a colour, else null. */
export function cssColor(value: string | null): string | null {
    return value && COLOR.test(value) && CSS.supports("color", value) ? value : null;
}

/** An agent's colour in its team. */
export function agentColor(value: string | null): string | null {
    const name = value?.toLowerCase() ?? "";
    return AGENT_COLORS.includes(name) ? `var(--agent-${name})` : cssColor(value);
}
