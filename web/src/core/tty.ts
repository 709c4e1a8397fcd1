/*
 * The client's half of `ostler.tty.v1`: what the daemon says about one terminal, and where in its output this page is. Every
 * byte has an offset within an epoch (one incarnation of the program), so that a page that comes back continues exactly where
 * it was, and a byte is never drawn twice.
 */

import { ProtocolError, count, object, oneOf, optional, text, type Guard, type Json } from "./guards";
import { CONNECTIONS, terminalOf, type TerminalConnection, type Terminal } from "./terminals";

export const TTY_SUBPROTOCOL = "ostler.tty.v1";
/** As much may be drawn before the daemon is told; it stops at four times that. */
export const ACK_BYTES = 128 * 1024;
/** And so late at the latest. */
export const ACK_MS = 100;

const HEAD_BYTES = 24;
const KIND_OUTPUT = 1;
const KIND_SNAPSHOT = 2;

export interface TtyFrame {
    kind: "output" | "snapshot";
    cols: number;
    rows: number;
    epoch: number;
    /** Of the first byte of an output; of a snapshot, the first byte that is not in it. */
    offset: number;
    bytes: Uint8Array;
}

/** How a program ended. */
export interface TtyExit {
    exitCode: number | null;
    signal: string | null;
}

export type TtyMessage =
    | ({ type: "hello"; epoch: number; cols: number; rows: number; connection: TerminalConnection; readOnly: boolean } & TtyExit)
    | { type: "resized"; offset: number; cols: number; rows: number }
    | { type: "gap"; from: number; to: number }
    | ({ type: "exit" } & TtyExit)
    | { type: "epoch"; epoch: number }
    | { type: "state"; terminal: Terminal }
    | { type: "deleted" }
    | { type: "activity" }
    | { type: "error"; code: string; message: string };

const exitOf = (o: Json): TtyExit => ({
    exitCode: optional(integer)(o.exitCode, "exitCode"),
    signal: optional(text)(o.signal, "signal"),
});

const integer: Guard<number> = (v, path) => {
    if (!Number.isSafeInteger(v)) throw new ProtocolError(`${path}: expected an integer`);
    return v as number;
};

const MESSAGES: { [T in TtyMessage["type"]]: (o: Json) => Extract<TtyMessage, { type: T }> } = {
    hello: (o) => ({
        type: "hello",
        epoch: count(o.epoch, "epoch"),
        cols: count(o.cols, "cols"),
        rows: count(o.rows, "rows"),
        connection: oneOf(CONNECTIONS)(o.connection, "connection"),
        readOnly: o.readOnly === true,
        ...exitOf(o),
    }),
    resized: (o) => ({
        type: "resized",
        offset: count(o.offset, "offset"),
        cols: count(o.cols, "cols"),
        rows: count(o.rows, "rows"),
    }),
    gap: (o) => ({ type: "gap", from: count(o.from, "from"), to: count(o.to, "to") }),
    exit: (o) => ({ type: "exit", ...exitOf(o) }),
    epoch: (o) => ({ type: "epoch", epoch: count(o.epoch, "epoch") }),
    state: (o) => ({ type: "state", terminal: terminalOf(o.terminal, "terminal") }),
    deleted: () => ({ type: "deleted" }),
    activity: () => ({ type: "activity" }),
    error: (o) => ({ type: "error", code: text(o.code, "code"), message: text(o.message, "message") }),
};

/** Reads one text frame. Never throws. */
export function parseTtyMessage(frame: string): TtyMessage | ProtocolError {
    try {
        const o = object(JSON.parse(frame), "message");
        const type = text(o.type, "type");
        if (!Object.hasOwn(MESSAGES, type)) return new ProtocolError(`type: unknown message ${type.slice(0, 40)}`);
        return MESSAGES[type as TtyMessage["type"]](o);
    } catch (e) {
        return e instanceof ProtocolError ? e : new ProtocolError(`not JSON: ${(e as Error).message}`);
    }
}

function u64(view: DataView, at: number): number {
    const value = view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
    if (!Number.isSafeInteger(value)) throw new ProtocolError("a number beyond 2^53");
    return value;
}

/** Reads one binary frame; its bytes are borrowed from it. Never throws. */
export function parseTtyFrame(frame: ArrayBuffer): TtyFrame | ProtocolError {
    if (frame.byteLength < HEAD_BYTES) return new ProtocolError("a binary frame without its head");
    const view = new DataView(frame);
    const kind = view.getUint8(0);
    if (kind !== KIND_OUTPUT && kind !== KIND_SNAPSHOT) return new ProtocolError(`a binary frame of kind ${kind}`);
    try {
        return {
            kind: kind === KIND_OUTPUT ? "output" : "snapshot",
            cols: view.getUint16(2, true),
            rows: view.getUint16(4, true),
            epoch: u64(view, 8),
            offset: u64(view, 16),
            bytes: new Uint8Array(frame, HEAD_BYTES),
        };
    } catch (e) {
        if (e instanceof ProtocolError) return e;
        throw e;
    }
}

/** What a frame asks of the screen. */
export type TtyStep =
    /** The whole picture anew. `mark` goes back to drawn() when it is there. */
    | { kind: "restore"; cols: number; rows: number; bytes: Uint8Array; mark: TtyMark }
    | { kind: "write"; bytes: Uint8Array; mark: TtyMark }
    /** Known already. */
    | { kind: "nothing" }
    /** Something between is missing: only another connection helps. */
    | { kind: "hole" };

export interface TtyMark {
    /** Counts snapshots: what was drawn before the newest one says nothing about what is drawn after it. */
    picture: number;
    end: number;
}

/** Where this page is in a terminal's output. It outlives its connections. */
export class TtyPosition {
    private epoch: number | null = null;
    /** The byte that comes next, and the one that is to be drawn next. */
    private next = 0;
    private shown = 0;
    private picture = 0;
    private acked: number | null = null;
    /** The stream goes on behind bytes that are lost; a snapshot brings the picture. */
    private torn = true;

    /** What a new connection says so that it continues; "" for one that begins with a snapshot. */
    resume(): string {
        this.acked = null;
        return this.torn ? "" : `epoch=${this.epoch}&offset=${this.next}`;
    }

    /** Whether what is on the screen is the program's that `epoch` means. */
    holds(epoch: number): boolean {
        return !this.torn && this.epoch === epoch;
    }

    /** A snapshot follows: what is here cannot be continued. */
    tear(): void {
        this.torn = true;
    }

    take({ kind, epoch, offset, bytes, cols, rows }: TtyFrame): TtyStep {
        if (kind === "snapshot") {
            this.epoch = epoch;
            this.next = offset;
            this.picture++;
            this.torn = false;
            return { kind: "restore", cols, rows, bytes, mark: this.mark() };
        }
        if (this.torn || epoch !== this.epoch || offset > this.next) {
            this.torn = true;
            return { kind: "hole" };
        }
        const known = this.next - offset;
        if (known >= bytes.length) return { kind: "nothing" };
        this.next = offset + bytes.length;
        return { kind: "write", bytes: known > 0 ? bytes.subarray(known) : bytes, mark: this.mark() };
    }

    /** Everything up to the mark is on the screen. */
    drawn({ picture, end }: TtyMark): void {
        if (picture === this.picture) this.shown = end;
    }

    /** How much is drawn that the daemon does not know of; null when it knows all of it. */
    get unacknowledged(): number | null {
        if (this.picture === 0 || this.shown === this.acked) return null;
        return this.acked === null ? 0 : Math.abs(this.shown - this.acked);
    }

    /** The offset to acknowledge; it counts as said. */
    acknowledge(): number {
        return (this.acked = this.shown);
    }

    private mark(): TtyMark {
        return { picture: this.picture, end: this.next };
    }
}
