/*
 * The one connection to the daemon. Keeps it up: comes back by itself, continues where it was, and takes what was opened
 * with it. What arrives goes to the store; how the connection does is a signal.
 */

import { batch, signal, type ReadonlySignal } from "@preact/signals-core";
import type { Answer } from "../core/answer";
import { backoff } from "../core/backoff";
import type { Looked } from "../core/looked";
import {
    ProtocolError,
    SCHEMA,
    SUBPROTOCOL,
    parseServerMessage,
    type ClientMessage,
    type ServerMessage,
} from "../core/messages";
import type { Store } from "../core/store";

export type Connection =
    /** `failures` attempts before this one came to nothing. */
    | { phase: "connecting"; failures: number }
    | { phase: "live" }
    /** Lost; the next attempt is at `retryAt`, in the daemon's time like everything that is shown. */
    | { phase: "lost"; retryAt: number }
    /** One has to log in first. */
    | { phase: "locked" }
    /** The daemon speaks another schema and a reload did not help. */
    | { phase: "outdated"; version: string };

/** An attempt that has not come to its first state by then is given up. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Clocks that differ by less are the same: a message takes its time, too. */
const CLOCK_TOLERANCE_MS = 2_000;
/** A connection that looks open after a sleep may be dead: it has this long to answer. */
const PROBE_TIMEOUT_MS = 4_000;

/** A page that nobody draws takes its messages in by the thousand; more than these do not wait. */
const ARRIVED_MAX = 1_000;

/** How the daemon closes a connection of somebody who is not logged in, or no longer. */
const UNAUTHORIZED = 4001;

/** What the connection needs of the world; the browser's in main.tsx, a script's in the tests. */
export interface Environment {
    /** Without the query. */
    url: string;
    open(url: string, protocol: string): WebSocket;
    now(): number;
    random(): number;
    setTimer(run: () => void, ms: number): number;
    clearTimer(timer: number): void;
    /** Calls once, before the next picture is drawn; or a moment later, where nothing is drawn. */
    nextFrame(run: () => void): void;
    /** The page is older than the daemon. False when reloading for this very version was tried already. */
    reload(version: string): boolean;
    warn(text: string): void;
}

export class BoardSocket {
    readonly connection: ReadonlySignal<Connection>;
    private readonly state = signal<Connection>({ phase: "connecting", failures: 0 });
    private socket: WebSocket | null = null;
    private timer: number | null = null;
    private failures = 0;
    private readonly opened = new Set<string>();
    private statsOn = false;
    private watched: readonly string[] = [];
    /** What has arrived since the last picture. */
    private arrived: unknown[] = [];
    private awaitsFrame = false;

    constructor(
        private readonly store: Store,
        private readonly env: Environment,
    ) {
        this.connection = this.state;
    }

    /** Connects now; also the answer to "retry now", to the network coming back and to the page being shown again. */
    connect(): void {
        if (this.socket || this.state.peek().phase === "outdated") return;
        this.schedule(null);
        this.state.value = { phase: "connecting", failures: this.failures };
        const since = this.store.seq > 0 ? `?since=${this.store.seq}` : "";
        const socket = this.env.open(this.env.url + since, SUBPROTOCOL);
        this.socket = socket;
        this.schedule(() => this.fail(), CONNECT_TIMEOUT_MS);
        socket.onmessage = (e) => this.receive(socket, e.data);
        socket.onclose = ({ code }) => {
            if (this.socket !== socket) return;
            this.drain();
            if (code === UNAUTHORIZED) this.lock();
            else this.fail();
        };
    }

    /** Asks a connection that may have died in its sleep for a sign of life. */
    probe(): void {
        if (this.state.peek().phase === "locked") return;
        if (this.state.peek().phase !== "live") {
            this.connect();
            return;
        }
        this.send({ type: "replay", sinceSeq: this.store.seq });
        this.schedule(() => {
            this.fail();
            this.connect();
        }, PROBE_TIMEOUT_MS);
    }

    /** Asks for a session's logs, until close(). */
    open(id: string): void {
        this.opened.add(id);
        this.send({ type: "open", id });
    }

    close(id: string): void {
        if (this.opened.delete(id)) this.send({ type: "close", id });
    }

    /** Asks for the hooks' figures, until it is called with false. */
    stats(on: boolean): void {
        if (this.statsOn === on) return;
        this.statsOn = on;
        this.send({ type: "stats", on });
    }

    /** Asks for what is on these screens, instead of those named before. */
    thumbnails(terminalIds: readonly string[]): void {
        this.watched = terminalIds;
        this.send({ type: "terminal_thumbnails", terminalIds });
    }

    /** Says what is looked at. It is not said again by itself after a reconnect: by then it may be something else. */
    hello(sessions: Looked): void {
        this.send({ type: "hello", sessions });
    }

    /** Answers a request as it was shown. False when nobody is there to hear it. */
    answer(id: string, ref: number, digest: string, answer: Answer): boolean {
        this.send({ type: "answer", id, ref, digest, ...answer });
        return this.state.peek().phase === "live";
    }

    private send(message: ClientMessage): void {
        // Before the daemon's first state everything waits: `opened` and `seq` say what to ask for then.
        if (this.state.peek().phase === "live") this.socket?.send(JSON.stringify(message));
    }

    /** While live, what arrives between two pictures is taken in together, so that the board is drawn once for all of it. */
    private receive(socket: WebSocket, data: unknown): void {
        if (this.socket !== socket) return;
        this.alive();
        this.arrived.push(data);
        if (this.state.peek().phase !== "live" || this.arrived.length >= ARRIVED_MAX) this.drain();
        else if (!this.awaitsFrame) {
            this.awaitsFrame = true;
            this.env.nextFrame(() => {
                this.awaitsFrame = false;
                this.drain();
            });
        }
    }

    private drain(): void {
        const arrived = this.arrived;
        this.arrived = [];
        batch(() => {
            for (const data of arrived) if (this.socket) this.read(data);
        });
    }

    private read(data: unknown): void {
        const message = typeof data === "string" ? parseServerMessage(data) : new ProtocolError("a binary frame");
        if (message instanceof ProtocolError) {
            this.env.warn(message.message);
            return;
        }
        if (message.type === "welcome") {
            this.greet(message);
            return;
        }
        this.take(message);
        if (message.type === "snapshot" || message.type === "replay") this.settle();
    }

    /** A message that does not fit means that we missed something: ask for everything. */
    private take(message: ServerMessage): void {
        if (message.type === "error") this.env.warn(`the daemon says: ${message.error}`);
        try {
            this.store.apply(message);
        } catch (e) {
            if (!(e instanceof ProtocolError)) throw e;
            this.env.warn(e.message);
            this.send({ type: "replay", sinceSeq: 0 });
        }
    }

    private greet({ schema, version, now, hook }: Extract<ServerMessage, { type: "welcome" }>): void {
        this.store.hook.value = hook;
        const ahead = now === null ? 0 : now - this.env.now();
        this.store.clockOffset.value = Math.abs(ahead) < CLOCK_TOLERANCE_MS ? 0 : ahead;
        if (schema === SCHEMA || this.env.reload(version)) return;
        this.state.value = { phase: "outdated", version };
        this.drop();
    }

    private settle(): void {
        if (this.state.peek().phase === "live") return;
        this.schedule(null);
        this.failures = 0;
        this.state.value = { phase: "live" };
        for (const id of this.opened) this.send({ type: "open", id });
        this.send({ type: "inbox", on: true });
        if (this.statsOn) this.send({ type: "stats", on: true });
        if (this.watched.length > 0) this.send({ type: "terminal_thumbnails", terminalIds: this.watched });
    }

    /** Something was heard, so whoever waits for a sign of life may stop; only the first state ends an attempt. */
    private alive(): void {
        if (this.state.peek().phase === "live") this.schedule(null);
    }

    private fail(): void {
        this.drop();
        if (this.state.peek().phase === "outdated") return;
        const wait = backoff(this.failures++, this.env.random());
        this.state.value = { phase: "lost", retryAt: this.env.now() + this.store.clockOffset.peek() + wait };
        this.schedule(() => this.connect(), wait);
    }

    /** Trying again is of no use until somebody has logged in; what was received stays, for them. */
    private lock(): void {
        this.drop();
        this.failures = 0;
        this.state.value = { phase: "locked" };
    }

    private drop(): void {
        this.schedule(null);
        const socket = this.socket;
        this.socket = null;
        this.arrived = [];
        this.store.inbox.disconnected();
        socket?.close();
    }

    /** There is one timer, for whatever is awaited now. */
    private schedule(run: (() => void) | null, ms = 0): void {
        if (this.timer !== null) this.env.clearTimer(this.timer);
        this.timer = run ? this.env.setTimer(run, ms) : null;
    }
}
