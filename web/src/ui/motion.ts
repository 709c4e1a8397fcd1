/*
 * Whether things on the board move when they change. Where more changes than the eye can follow, motion tells nothing and costs
 * the browser most of its time: then the board stands still and only shows what is.
 */

import { signal, type ReadonlySignal } from "@preact/signals-core";
import type { Environment } from "../net/socket";

/** More moments a second than these in which something wants to move are too many. */
export const MOMENTS_MAX = 2;
export const WINDOW_MS = 1000;

type Timers = Pick<Environment, "setTimer">;

export class Motion {
    private readonly stopped = signal(false);
    /** Whether too much goes on. */
    readonly still: ReadonlySignal<boolean> = this.stopped;
    private moments = 0;
    private last = -1;
    private watching = false;

    /** `moment` tells the time of the picture that is being drawn; `refused` whether a person wants no motion at all. */
    constructor(
        private readonly timers: Timers,
        private readonly moment: () => number,
        private readonly refused: () => boolean,
    ) {}

    /** Asked before something is set in motion. All that is asked for one picture gets one answer. */
    allows(): boolean {
        if (this.moment() !== this.last) this.count();
        return !this.stopped.peek() && !this.refused();
    }

    private count(): void {
        this.last = this.moment();
        if (++this.moments > MOMENTS_MAX) this.stopped.value = true;
        if (!this.watching) this.watch();
    }

    private watch(): void {
        this.watching = true;
        this.timers.setTimer(() => {
            this.watching = false;
            this.stopped.value = this.moments > MOMENTS_MAX;
            this.moments = 0;
            if (this.stopped.peek()) this.watch();
        }, WINDOW_MS);
    }
}
