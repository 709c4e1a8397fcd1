/*
 * The connection to one terminal. It comes back by itself and continues at the byte where it was; what arrives goes to the
 * screen, and how it stands is a signal. The daemon is told what has been drawn, so that it never sends more than can be.
 */

import { signal, type ReadonlySignal } from "@preact/signals-core";
import { backoff } from "../core/backoff";
import { ProtocolError } from "../core/guards";
import type { TerminalConnection } from "../core/terminals";
import {
    ACK_BYTES,
    ACK_MS,
    TTY_SUBPROTOCOL,
    TtyPosition,
    parseTtyFrame,
    parseTtyMessage,
    type TtyExit,
    type TtyMark,
    type TtyMessage,
} from "../core/tty";
import type { Environment } from "./socket";

export type TtyLink =
    /** Nothing was ever shown. */
    | "connecting"
    /** A snapshot is being drawn; the picture before it is still there. */
    | "restoring"
    | "live"
    /** Lost, or being made anew; what was shown is still there. */
    | "reconnecting"
    /** The daemon does not know it. */
    | "missing"
    /** It is gone for good. */
    | "deleted";

/** How its program does, as this connection heard it last. */
export interface TtyProgram extends TtyExit {
    connection: TerminalConnection;
    readOnly: boolean;
}

/** What is drawn on. Everything is done in the order in which it was asked for. */
export interface TtyScreen {
    /** The whole picture anew; the one before stays until it is complete. */
    restore(cols: number, rows: number, bytes: Uint8Array, done: () => void): void;
    write(bytes: Uint8Array, done: () => void): void;
    resize(cols: number, rows: number): void;
}

/** An attempt that has not been greeted by then is given up. */
const CONNECT_TIMEOUT_MS = 10_000;
/** How the daemon closes a connection to what it does not have. */
const NOT_FOUND = 4404;
/** The daemon takes no larger message; keys are never that many, a pasted text may be. */
const INPUT_BYTES = 32 * 1024;
/** What is typed while nobody listens is kept for a moment, as a restart takes; later it would only surprise. */
const KEEP_MS = 5_000;
const KEEP_BYTES = 4 * 1024;

export type TtyEnvironment = Pick<Environment, "url" | "open" | "now" | "random" | "setTimer" | "clearTimer" | "warn">;

export class TtySocket {
    readonly link: ReadonlySignal<TtyLink>;
    readonly program: ReadonlySignal<TtyProgram | null>;
    private readonly linkNow = signal<TtyLink>("connecting");
    private readonly programNow = signal<TtyProgram | null>(null);
    private readonly position = new TtyPosition();
    private socket: WebSocket | null = null;
    private greeted = false;
    private failures = 0;
    private timer: number | null = null;
    private ackTimer: number | null = null;
    private kept: { at: number; bytes: Uint8Array<ArrayBuffer> }[] = [];

    constructor(
        private readonly screen: TtyScreen,
        private readonly env: TtyEnvironment,
        /** Called on every new connection, when the daemon has said how large the terminal is. */
        private readonly onHello: (cols: number, rows: number) => void = () => {},
        /** Something that was asked for did not come to pass, in a sentence. */
        private readonly onRefused: (sentence: string) => void = () => {},
    ) {
        this.link = this.linkNow;
        this.program = this.programNow;
    }

    connect(): void {
        if (this.socket || this.linkNow.peek() === "deleted") return;
        this.schedule(null);
        const query = this.position.resume();
        const socket = this.env.open(query ? `${this.env.url}?${query}` : this.env.url, TTY_SUBPROTOCOL);
        socket.binaryType = "arraybuffer";
        this.socket = socket;
        this.greeted = false;
        this.schedule(() => this.fail(), CONNECT_TIMEOUT_MS);
        socket.onmessage = (e) => this.receive(socket, e.data);
        socket.onclose = (e) => {
            if (this.socket !== socket) return;
            this.fail();
            // Asked for again nevertheless, after a while: it may be on its way.
            if (e.code === NOT_FOUND) this.linkNow.value = "missing";
        };
    }

    /** The connection may have died unnoticed: another one, which costs nothing but what was missed. */
    renew(): void {
        if (this.linkNow.peek() === "deleted") return;
        this.drop();
        this.lose();
        this.connect();
    }

    close(): void {
        this.drop();
        this.kept = [];
    }

    /** False when it could not even be kept. */
    input(data: string | Uint8Array): boolean {
        const bytes = typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(data);
        if (this.greeted) {
            for (let at = 0; at < bytes.length; at += INPUT_BYTES) this.socket?.send(bytes.subarray(at, at + INPUT_BYTES));
            return true;
        }
        const held = this.kept.reduce((sum, k) => sum + k.bytes.length, bytes.length);
        if (held > KEEP_BYTES) return false;
        this.kept.push({ at: this.env.now(), bytes });
        return true;
    }

    resize(cols: number, rows: number): void {
        this.say({ type: "resize", cols, rows });
    }

    private say(message: object): void {
        if (this.greeted) this.socket?.send(JSON.stringify(message));
    }

    private receive(socket: WebSocket, data: unknown): void {
        if (this.socket !== socket) return;
        if (typeof data !== "string") {
            this.takeFrame(data as ArrayBuffer);
            return;
        }
        const message = parseTtyMessage(data);
        if (message instanceof ProtocolError) this.env.warn(message.message);
        else this.takeMessage(message);
    }

    private takeMessage(message: TtyMessage): void {
        const program = this.programNow.peek();
        switch (message.type) {
            case "hello":
                this.greet(message);
                break;
            case "resized":
                this.screen.resize(message.cols, message.rows);
                break;
            case "gap":
                this.position.tear();
                break;
            case "epoch":
                this.position.tear();
                if (program) this.programNow.value = { ...program, connection: "live", exitCode: null, signal: null };
                break;
            case "exit":
                if (program)
                    this.programNow.value = { ...program, connection: "ended", exitCode: message.exitCode, signal: message.signal };
                break;
            case "state": {
                const { connection, exitCode, signal } = message.terminal;
                if (program) this.programNow.value = { ...program, connection, exitCode, signal };
                break;
            }
            case "deleted":
                this.drop();
                this.linkNow.value = "deleted";
                break;
            case "error":
                // Before the hello it says why there will be none, and closes with NOT_FOUND.
                if (this.greeted) this.onRefused(message.message);
                break;
            case "activity":
                break;
        }
    }

    private greet({ epoch, cols, rows, connection, readOnly, exitCode, signal }: Extract<TtyMessage, { type: "hello" }>): void {
        this.schedule(null);
        this.failures = 0;
        this.greeted = true;
        this.programNow.value = { connection, readOnly, exitCode, signal };
        if (this.position.holds(epoch)) this.linkNow.value = "live";
        this.onHello(cols, rows);
        const since = this.env.now() - KEEP_MS;
        for (const { at, bytes } of this.kept) if (at >= since) this.socket?.send(bytes);
        this.kept = [];
    }

    private takeFrame(data: ArrayBuffer): void {
        const frame = parseTtyFrame(data);
        if (frame instanceof ProtocolError) {
            this.env.warn(frame.message);
            return;
        }
        const step = this.position.take(frame);
        switch (step.kind) {
            case "restore":
                this.linkNow.value = "restoring";
                this.screen.restore(step.cols, step.rows, step.bytes, () => {
                    this.drawn(step.mark);
                    if (this.greeted && this.linkNow.peek() === "restoring") this.linkNow.value = "live";
                });
                break;
            case "write":
                this.screen.write(step.bytes, () => this.drawn(step.mark));
                break;
            case "hole":
                this.env.warn("output is missing: the terminal is asked for anew");
                this.renew();
                break;
            case "nothing":
                break;
        }
    }

    private drawn(mark: TtyMark): void {
        this.position.drawn(mark);
        const left = this.position.unacknowledged;
        if (left === null || !this.greeted) return;
        if (left >= ACK_BYTES) this.acknowledge();
        else this.ackTimer ??= this.env.setTimer(() => this.acknowledge(), ACK_MS);
    }

    private acknowledge(): void {
        if (this.ackTimer !== null) this.env.clearTimer(this.ackTimer);
        this.ackTimer = null;
        if (this.position.unacknowledged !== null) this.say({ type: "ack", offset: this.position.acknowledge() });
    }

    private fail(): void {
        this.drop();
        this.lose();
        if (this.linkNow.peek() !== "deleted") this.schedule(() => this.connect(), backoff(this.failures++, this.env.random()));
    }

    private lose(): void {
        const link = this.linkNow.peek();
        if (link === "live" || link === "restoring") this.linkNow.value = "reconnecting";
    }

    private drop(): void {
        this.schedule(null);
        if (this.ackTimer !== null) this.env.clearTimer(this.ackTimer);
        this.ackTimer = null;
        this.greeted = false;
        const socket = this.socket;
        this.socket = null;
        socket?.close();
    }

    private schedule(run: (() => void) | null, ms = 0): void {
        if (this.timer !== null) this.env.clearTimer(this.timer);
        this.timer = run ? this.env.setTimer(run, ms) : null;
    }
}
