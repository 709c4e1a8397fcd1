/*
 * Tells the daemon what is looked at: at once on every new connection, then a moment after it changed, and never the same
 * twice in a row on one connection.
 */

import { effect, untracked, type ReadonlySignal } from "@preact/signals-core";
import { lookedAt, lookedKey, type Looked } from "../core/looked";
import { cardsOf } from "../core/order";
import type { Store } from "../core/store";
import type { BoardSocket, Environment } from "./socket";

/** What changes within this time is told as one. It is not begun anew with each change: a busy board never rests. */
export const SETTLE_MS = 300;

export interface Gaze {
    /** The session in the panel. */
    open: ReadonlySignal<string | null>;
    /** Whether the board is there, or another view in its place. */
    board: ReadonlySignal<boolean>;
}

type Timers = Pick<Environment, "setTimer" | "clearTimer">;

/** Goes on until what it answers is called. */
export function followGaze(
    store: Store,
    socket: Pick<BoardSocket, "connection" | "hello">,
    { open, board }: Gaze,
    timers: Timers,
): () => void {
    let timer: number | null = null;
    /** What this connection was told last. */
    let said: string | null = null;

    const looked = (): Looked => {
        const groups = board.value ? store.groups.value : [];
        const asking = board.value ? store.asking.value : [];
        return lookedAt(open.value, [...asking, ...groups.flatMap((g) => g.units.flatMap(cardsOf))], store.mendable.value);
    };
    const stop = () => {
        if (timer !== null) timers.clearTimer(timer);
        timer = null;
    };
    const say = () => {
        timer = null;
        const now = untracked(looked);
        const key = lookedKey(now);
        if (key === said) return;
        said = key;
        socket.hello(now);
    };
    const dispose = effect(() => {
        const live = socket.connection.value.phase === "live";
        looked();
        if (!live) {
            stop();
            said = null;
        } else if (said === null) say();
        else timer ??= timers.setTimer(say, SETTLE_MS);
    });
    return () => {
        stop();
        dispose();
    };
}
