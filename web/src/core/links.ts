/* What may become of an address that a program printed. What it prints is anybody's. */

export type LinkFate =
    /** Opened in another tab. */
    | "open"
    /** Opened by some other program, if the reader says so. */
    | "ask"
    /** Of no use to a browser, but to people. */
    | "copy"
    /** Never. */
    | "refuse";

const FATES = new Map<string, LinkFate>([
    ["http:", "open"],
    ["https:", "open"],
    ["file:", "copy"],
    ["javascript:", "refuse"],
    ["data:", "refuse"],
    ["blob:", "refuse"],
    ["vbscript:", "refuse"],
    ["about:", "refuse"],
    ["view-source:", "refuse"],
]);

export function linkFate(uri: string): LinkFate {
    const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0].toLowerCase();
    if (!scheme || /[\x00-\x20\x7f]/.test(uri)) return "refuse";
    return FATES.get(scheme) ?? "ask";
}
