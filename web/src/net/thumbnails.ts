/* Which screens are to be seen: the daemon sends those, and no others. */

import type { BoardSocket, Environment } from "./socket";

/** The daemon takes no more at once, and nobody sees as many. */
export const THUMBNAILS_MAX = 200;
/** While the page is being scrolled, only where it stops counts. */
const SETTLE_MS = 150;

type Timers = Pick<Environment, "setTimer" | "clearTimer">;

export class Thumbnails {
    private readonly seen = new Map<string, number>();
    private timer: number | null = null;
    private resting = false;
    private said = "";

    constructor(
        private readonly socket: Pick<BoardSocket, "thumbnails">,
        private readonly timers: Timers,
    ) {}

    /** It came into sight; a session may stand on the board twice. */
    show(terminalId: string): void {
        this.seen.set(terminalId, (this.seen.get(terminalId) ?? 0) + 1);
        this.settle();
    }

    hide(terminalId: string): void {
        const left = (this.seen.get(terminalId) ?? 0) - 1;
        if (left > 0) this.seen.set(terminalId, left);
        else this.seen.delete(terminalId);
        this.settle();
    }

    /** Nobody looks at the page. */
    rest(resting: boolean): void {
        this.resting = resting;
        this.settle();
    }

    private settle(): void {
        this.timer ??= this.timers.setTimer(() => this.say(), SETTLE_MS);
    }

    private say(): void {
        this.timer = null;
        const ids = this.resting ? [] : [...this.seen.keys()].sort().slice(0, THUMBNAILS_MAX);
        if (ids.join(" ") === this.said) return;
        this.said = ids.join(" ");
        this.socket.thumbnails(ids);
    }
}
