/* A short glow on a card that is new or took another turn. Tool calls alone do not glow: the board shall be calm. */

import { useLayoutEffect } from "preact/hooks";
import { useServices } from "./services";

/** Cards that come within this time after the first one are the board being filled, not news. */
const FILLING_MS = 1000;

/** Remembers what was drawn of each session; a card that moves or is filtered away and back is no news. */
export class Turns {
    private readonly seen = new Map<string, string>();
    private filledAt = 0;

    /** Whether `turn` of the session is news at `now`. */
    news(id: string, turn: string, now: number): boolean {
        if (this.seen.size === 0) this.filledAt = now;
        const before = this.seen.get(id);
        this.seen.set(id, turn);
        return before === undefined ? now - this.filledAt > FILLING_MS : before !== turn;
    }
}

export function useHighlight(ref: { current: HTMLElement | null }, id: string, turn: string): void {
    const { turns } = useServices();
    useLayoutEffect(() => {
        if (!turns.news(id, turn, performance.now())) return;
        if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        ref.current?.animate([{ backgroundColor: "var(--glow)" }, {}], { duration: 1200, easing: "ease-out" });
    }, [id, turn]);
}
