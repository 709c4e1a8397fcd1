/*
 * What a person answers. Every action is taken for done at once, asked of the daemon, and taken back with words when it does
 * not come to pass.
 */

import type { Answer } from "../core/answer";
import { OPTIMISTIC_MS, type Inbox } from "../core/inbox";
import type { Request } from "../core/request";
import { ApiError, type Api } from "./api";
import type { Commands } from "./commands";
import type { BoardSocket, Environment } from "./socket";

/** Does it, asks for it, and does the inverse when it was refused. Answers whether it came to pass; if not, `tell` has the words. */
export async function attempt(act: () => void, call: () => Promise<unknown>, inverse: () => void, tell: (e: ApiError) => void): Promise<boolean> {
    act();
    try {
        await call();
        return true;
    } catch (e) {
        inverse();
        if (!(e instanceof ApiError)) throw e;
        tell(e);
        return false;
    }
}

export class Answers {
    constructor(
        private readonly inbox: Inbox,
        private readonly socket: Pick<BoardSocket, "answer">,
        private readonly api: Pick<Api, "setAway" | "prompt" | "interrupt">,
        private readonly commands: Pick<Commands, "complain">,
        private readonly timers: Pick<Environment, "setTimer">,
    ) {}

    /** Answers a request as it was shown to whoever answers. */
    answer(seen: Request, answer: Answer): void {
        const ref = this.inbox.sent(seen.id, answer.decision);
        if (this.socket.answer(seen.id, ref, seen.digest, answer)) this.timers.setTimer(() => this.inbox.slow(seen.id, ref), OPTIMISTIC_MS);
        else this.inbox.answered({ id: seen.id, ref, ok: false, state: null, error: "The daemon is not connected: nothing was sent." });
    }

    /** Says whether the person is away. */
    async setAway(away: boolean): Promise<void> {
        const before = this.inbox.away.peek();
        if (before === null) return;
        await attempt(
            () => (this.inbox.away.value = { ...before, away, auto: false }),
            async () => (this.inbox.away.value = await this.api.setAway(away)),
            () => (this.inbox.away.value = before),
            (e) => this.commands.complain(away ? "You are not away" : "You are still away", e),
        );
    }

    /** Types the next prompt; false when it was not taken, and a notice says why. */
    async prompt(session: string, words: string): Promise<boolean> {
        return this.told("The prompt was not sent", () => this.api.prompt(session, words));
    }

    async interrupt(session: string): Promise<boolean> {
        return this.told("It was not interrupted", () => this.api.interrupt(session));
    }

    private told(what: string, call: () => Promise<void>): Promise<boolean> {
        const nothing = () => {};
        return attempt(nothing, call, nothing, (e) => this.commands.complain(what, e));
    }
}
