/* Which sessions somebody looks at: the daemon sees to their transcripts first. Only Claude Code's can be mended. */

/** What `hello` says; each session once. */
export interface Looked {
    active?: string;
    visible: string[];
    background: string[];
}

/** More than these nobody sees at once. */
export const VISIBLE_MAX = 200;
/** The daemon comes to the others by itself, when it has nothing better to do. */
export const BACKGROUND_MAX = 2000;

/**
 * `open` is the session in the panel, `shown` what is on the board in the order in which it is read, `mendable` every session
 * whose transcript can be mended.
 */
export function lookedAt(open: string | null, shown: Iterable<string>, mendable: Iterable<string>): Looked {
    const left = new Set(mendable);
    const looked: Looked = { visible: [], background: [] };
    if (open !== null && left.delete(open)) looked.active = open;
    for (const id of shown) if (looked.visible.length < VISIBLE_MAX && left.delete(id)) looked.visible.push(id);
    for (const id of left) if (looked.background.length < BACKGROUND_MAX) looked.background.push(id);
    return looked;
}

/** Equal for what asks for the same; cards that only changed places do. */
export function lookedKey({ active, visible, background }: Looked): string {
    return JSON.stringify([active ?? null, [...visible].sort(), [...background].sort()]);
}
