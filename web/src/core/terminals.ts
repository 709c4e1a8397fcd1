/* What the board knows of every terminal, and what is on the screens that somebody looks at. */

import { signal, type ReadonlySignal, type Signal } from "@preact/signals-core";
import { count, flag, listOf, name, object, oneOf, optional, text, time, type Guard } from "./guards";
import type { Summary } from "./messages";

export const CONNECTIONS = ["starting", "live", "restored", "ended"] as const;
export const TERMINAL_KINDS = ["shell", "agent", "command"] as const;

export type TerminalConnection = (typeof CONNECTIONS)[number];
export type TerminalKind = (typeof TERMINAL_KINDS)[number];

export interface Terminal {
    terminalId: string;
    /** The stable id of its session; null while it has none. */
    id: string | null;
    kind: TerminalKind;
    connection: TerminalConnection;
    command: string;
    directory: string;
    startedAt: number;
    lastOutputAt: number | null;
    endedAt: number | null;
    viewers: number;
    exitCode: number | null;
    signal: string | null;
    /** What the program calls itself. */
    screenTitle: string;
    /** Why what it prints cannot be kept; null: all is well. */
    trouble: string | null;
    /** What of its files was damaged or gone when a daemon started; null: nothing. */
    lost: string | null;
    /** When it will be put to rest, because nothing runs in it and nobody looks; null: it will not. */
    restsAt: number | null;
}

/** The text of a screen. */
export interface ScreenText {
    cols: number;
    rows: number;
    cursor: { col: number; row: number; visible: boolean };
    lines: string[];
}

export const terminalOf: Guard<Terminal> = (v, path) => {
    const o = object(v, path);
    const at = (field: string) => `${path}.${field}`;
    return {
        terminalId: name(o.terminalId, at("terminalId")),
        id: optional(text)(o.id, at("id")),
        kind: oneOf(TERMINAL_KINDS)(o.kind, at("kind")),
        connection: oneOf(CONNECTIONS)(o.connection, at("connection")),
        command: optional(text)(o.command, at("command")) ?? "",
        directory: optional(text)(o.directory, at("directory")) ?? optional(text)(o.workingDir, at("workingDir")) ?? "",
        startedAt: time(o.startedAt, at("startedAt")),
        lastOutputAt: optional(time)(o.lastOutputAt, at("lastOutputAt")),
        endedAt: optional(time)(o.endedAt, at("endedAt")),
        viewers: optional(count)(o.viewers, at("viewers")) ?? 0,
        exitCode: typeof o.exitCode === "number" ? o.exitCode : null,
        signal: optional(text)(o.signal, at("signal")),
        screenTitle: optional(text)(o.screenTitle, at("screenTitle")) ?? "",
        trouble: optional(text)(o.trouble, at("trouble")),
        lost: optional(text)(o.lost, at("lost")),
        restsAt: optional(time)(o.restsAt, at("restsAt")),
    };
};

export const screenTextOf: Guard<ScreenText> = (v, path) => {
    const o = object(v, path);
    const cursor = object(o.cursor, `${path}.cursor`);
    return {
        cols: count(o.cols, `${path}.cols`),
        rows: count(o.rows, `${path}.rows`),
        cursor: {
            col: count(cursor.col, `${path}.cursor.col`),
            row: count(cursor.row, `${path}.cursor.row`),
            visible: optional(flag)(cursor.visible, `${path}.cursor.visible`) ?? true,
        },
        lines: listOf(text)(o.lines, `${path}.lines`),
    };
};

/** The last rows of a screen that have something on them, or those around its cursor when that is further up. */
export function excerpt({ lines, cursor }: ScreenText, rows: number): { from: number; lines: string[] } {
    let last = lines.length - 1;
    while (last > cursor.row && lines[last] === "") last--;
    // A full-screen program's status line is the last row, and its cursor may be anywhere.
    const end = Math.max(rows, Math.min(Math.max(last, cursor.row) + 1, cursor.row + rows));
    const from = Math.max(0, end - rows);
    return { from, lines: lines.slice(from, end) };
}

/** How a pane stands, of its connection and its program. */
export type PaneState = "connecting" | "starting" | "live" | "reconnecting" | "restoring" | "restored" | "ended" | "deleted";

export function paneState(
    link: "connecting" | "restoring" | "live" | "reconnecting" | "missing" | "deleted",
    connection: TerminalConnection | null,
): PaneState {
    if (link === "missing") return "deleted";
    if (link !== "live") return link;
    return connection ?? "live";
}

/** Whether something runs in it, or soon will. */
export function isRunning(t: Terminal | undefined): boolean {
    return t?.connection === "live" || t?.connection === "starting";
}

/** `exit code 1`, `SIGHUP`; "" for one that did what it should, or of which nobody knows. */
export function exitWords({ exitCode, signal }: { exitCode: number | null; signal: string | null }): string {
    if (signal !== null) return signal;
    return exitCode === null || exitCode === 0 ? "" : `exit code ${exitCode}`;
}

/** Every terminal by its id; each a signal of its own, also for one that is still to come. */
export class Terminals {
    readonly size: ReadonlySignal<number>;
    private readonly slots = new Map<string, Signal<Terminal | undefined>>();
    private readonly screens = new Map<string, Signal<ScreenText | null>>();
    private readonly count = signal(0);

    constructor() {
        this.size = this.count;
    }

    find(id: string | null): Terminal | undefined {
        return id === null ? undefined : this.slot(id).value;
    }

    /** The terminal that a session runs in, or the one it ran in as long as the daemon has it. */
    of(s: Summary): string | null {
        return s.terminalId ?? (this.find(s.lastTerminalId) ? s.lastTerminalId : null);
    }

    /** What is on its screen, as far as the daemon was asked for it. */
    screen(id: string): ReadonlySignal<ScreenText | null> {
        return this.screenSlot(id);
    }

    update(terminal: Terminal): void {
        const slot = this.slot(terminal.terminalId);
        if (!slot.peek()) this.count.value++;
        slot.value = terminal;
    }

    paint(id: string, screen: ScreenText): void {
        this.screenSlot(id).value = screen;
    }

    remove(id: string): void {
        const slot = this.slots.get(id);
        if (slot?.peek()) {
            this.count.value--;
            slot.value = undefined;
        }
        const screen = this.screens.get(id);
        if (screen) screen.value = null;
    }

    private slot(id: string): Signal<Terminal | undefined> {
        let slot = this.slots.get(id);
        if (!slot) this.slots.set(id, (slot = signal<Terminal | undefined>(undefined)));
        return slot;
    }

    private screenSlot(id: string): Signal<ScreenText | null> {
        let slot = this.screens.get(id);
        if (!slot) this.screens.set(id, (slot = signal<ScreenText | null>(null)));
        return slot;
    }
}
