/*
 * Whether the daemon lets us in, and how to get there. It wants a cookie that no script can read, and the page's key. Locked, the
 * page shows nothing of the board; the connection says when it is (it is closed with UNAUTHORIZED), whatever the reason.
 */

import { effect, signal, type ReadonlySignal } from "@preact/signals-core";
import { ApiError, type Api } from "./api";
import type { PageKey } from "./key";
import type { BoardSocket, Connection, Environment } from "./socket";

/** Until the daemon has said it, it is not known. */
export type DoorState = "unknown" | "open" | "locked";

export type Refusal =
    | { kind: "wrong" }
    /** Too many tries; another one makes sense in so many seconds, at `until` in this machine's time. */
    | { kind: "wait"; seconds: number; until: number }
    /** Nobody answers. It is asked again every now and then. */
    | { kind: "offline" }
    | { kind: "other"; words: string };

const OFFLINE_RETRY_MS = 2_000;

type World = Pick<Environment, "now" | "setTimer" | "clearTimer">;

export class Door {
    readonly state: ReadonlySignal<DoorState>;
    /** Is there a password at all, so that there is something to log out of? */
    readonly hasLock: ReadonlySignal<boolean>;
    readonly refusal: ReadonlySignal<Refusal | null>;
    readonly busy: ReadonlySignal<boolean>;
    private readonly stateNow = signal<DoorState>("unknown");
    private readonly hasLockNow = signal(false);
    private readonly refusalNow = signal<Refusal | null>(null);
    private readonly busyNow = signal(false);
    private timer: number | null = null;

    constructor(
        private readonly api: Api,
        private readonly socket: Pick<BoardSocket, "connection" | "connect">,
        private readonly world: World,
        private readonly key: Pick<PageKey, "value" | "keep" | "forget">,
    ) {
        this.state = this.stateNow;
        this.hasLock = this.hasLockNow;
        this.refusal = this.refusalNow;
        this.busy = this.busyNow;
        effect(() => this.follow(socket.connection.value.phase));
    }

    /** The connection may know it before the daemon has answered check(). */
    private follow(phase: Connection["phase"]): void {
        if (phase === "locked") {
            this.hasLockNow.value = true;
            this.stateNow.value = "locked";
            void this.check("unneeded"); // the password may have been taken away
        } else if (phase !== "connecting" && this.stateNow.peek() === "unknown") {
            this.stateNow.value = "open";
        }
    }

    /** Asks the daemon. Another page of this browser may have logged in, or out. Right after it has turned us away, only a
     *  password that is not needed any more is a reason to try again. */
    async check(reason: "any" | "unneeded" = "any"): Promise<void> {
        const key = this.key.value;
        try {
            const { passwordRequired, authenticated } = await this.api.authStatus();
            this.hasLockNow.value = passwordRequired;
            if (!passwordRequired || !authenticated) this.key.forget(key); // it opens nothing
            if (this.refusalNow.peek()?.kind === "offline") this.refusalNow.value = null;
            if (authenticated && (reason === "any" || !passwordRequired)) this.open();
            else this.stateNow.value = "locked";
        } catch {
            // The board says itself that nobody answers.
            if (this.stateNow.peek() === "unknown") this.stateNow.value = "open";
            if (this.refusalNow.peek()?.kind === "offline") this.askAgain();
        }
    }

    /** Logs in with the code of a pairing, before anything else is shown. */
    async claim(code: string): Promise<void> {
        try {
            const half = await this.api.claim(code);
            if (half) this.key.keep(half.key, this.world.now() + half.renewAfter * 1000);
            this.open();
        } catch (e) {
            if (!(e instanceof ApiError)) throw e;
            await this.check();
            if (this.stateNow.peek() === "locked") this.refusalNow.value = { kind: "other", words: e.message };
        }
    }

    /** Answers whether it was the right password; if not, `refusal` says what to do. */
    async enter(password: string): Promise<boolean> {
        if (this.busyNow.peek()) return false;
        this.busyNow.value = true;
        this.refusalNow.value = null;
        try {
            const half = await this.api.login(password);
            if (half) this.key.keep(half.key, this.world.now() + half.renewAfter * 1000);
            this.open();
            return true;
        } catch (e) {
            if (!(e instanceof ApiError)) throw e;
            this.refusalNow.value = this.refusalOf(e);
            if (e.status === 0) this.askAgain();
            return false;
        } finally {
            this.busyNow.value = false;
        }
    }

    /** Logs out this browser, or all of them. */
    async leave(everywhere: boolean): Promise<void> {
        await this.api.logout(everywhere);
        this.key.forget();
    }

    private open(): void {
        this.refusalNow.value = null;
        this.stateNow.value = "open";
        this.socket.connect();
    }

    private refusalOf(e: ApiError): Refusal {
        if (e.status === 401) return { kind: "wrong" };
        if (e.status === 0) return { kind: "offline" };
        const seconds = e.retryAfter;
        if (seconds !== null) return { kind: "wait", seconds, until: this.world.now() + seconds * 1000 };
        return { kind: "other", words: e.message };
    }

    private askAgain(): void {
        if (this.timer !== null) this.world.clearTimer(this.timer);
        this.timer = this.world.setTimer(() => {
            this.timer = null;
            void this.check();
        }, OFFLINE_RETRY_MS);
    }
}
