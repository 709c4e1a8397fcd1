/* A short glow on a card that is new or took another turn. Tool calls alone do not glow: the board shall be calm. */

import { useLayoutEffect } from "preact/hooks";
import { useServices } from "./services";

/** A session that began less than this ago is news; one that is older was only scrolled to. */
const FRESH_MS = 5000;
/** A card that was drawn elsewhere so long ago at most has moved. */
const MOVED_MS = 500;

/** Remembers what was drawn of each session; a card that moves, or is filtered away and back, is no news. */
export class Turns {
    private readonly seen = new Map<string, { turn: string; goneAt: number }>();

    /** Whether `turn` of the session is news at `now`; one that was not drawn before is so when it is fresh. */
    news(id: string, turn: string, now: number, fresh: boolean): boolean {
        const before = this.seen.get(id);
        this.seen.set(id, { turn, goneAt: Infinity });
        if (!before) return fresh;
        return before.turn !== turn && now - before.goneAt < MOVED_MS;
    }

    /** Its card is drawn no more. */
    gone(id: string, now: number): void {
        const seen = this.seen.get(id);
        if (seen) seen.goneAt = now;
    }
}

export function useHighlight(ref: { current: HTMLElement | null }, id: string, turn: string, startedAt: number): void {
    const { turns, now, motion } = useServices();
    useLayoutEffect(() => {
        if (!turns.news(id, turn, performance.now(), now.peek() - startedAt < FRESH_MS)) return;
        if (!motion.allows()) return;
        ref.current?.animate([{ backgroundColor: "var(--glow)" }, {}], { duration: 1200, easing: "ease-out" });
    }, [id, turn]);
    useLayoutEffect(() => () => turns.gone(id, performance.now()), [id]);
}
