/*
 * What a person tells the daemon to do with a session. A card that is closed goes at once; whatever does not come to pass is
 * told in a notice that says why.
 */

import { signal, type ReadonlySignal } from "@preact/signals-core";
import type { Patch } from "../core/messages";
import { nameOf } from "../core/status";
import type { Store } from "../core/store";
import { isRunning } from "../core/terminals";
import { ApiError, type Api, type Setting } from "./api";

/** Something that went wrong, to be read and put away. */
export interface Notice {
    key: number;
    text: string;
    /** The session to open for more; such a notice stays until somebody reacts. */
    about: string | null;
}

/** More than these nobody reads at once. */
const NOTICES_MAX = 4;

/** What the board shows of a setting. */
const SHOWN: Record<Setting, (value: string) => Patch> = {
    title: (title) => ({ title }),
    label: (label) => ({ label: label || null }),
    "accent-color": (color) => ({ accentColor: color || null }),
};

export class Commands {
    readonly notices: ReadonlySignal<readonly Notice[]>;
    private readonly list = signal<readonly Notice[]>([]);
    private nextKey = 1;

    constructor(
        private readonly store: Store,
        private readonly api: Api,
    ) {
        this.notices = this.list;
    }

    /** Takes the card away now. It returns only when the daemon refuses; one that the daemon does not have stays away. */
    async close(id: string): Promise<void> {
        const name = this.nameOf(id);
        this.store.hide(id);
        try {
            await this.api.remove(id);
        } catch (e) {
            if (e instanceof ApiError && e.status === 404) return;
            this.store.reveal(id);
            this.complain(`${name} was not closed`, e);
        }
    }

    /** Ends the agent; its card says so by itself. */
    async end(id: string): Promise<void> {
        const name = this.nameOf(id);
        try {
            const pid = await this.api.kill(id);
            if (pid === null) this.tell(`${name} is marked as ended. Its process is not known; end it in its terminal.`);
        } catch (e) {
            this.complain(`${name} was not ended`, e);
        }
    }

    /** Hangs up on the program of a terminal; its card says so by itself. */
    async endTerminal(id: string, terminalId: string): Promise<void> {
        try {
            await this.api.endTerminal(terminalId);
        } catch (e) {
            this.complain(`${this.nameOf(id)} was not ended`, e);
        }
    }

    /** Puts the rest of a terminal off; its card says so by itself. */
    async keepTerminal(id: string, terminalId: string): Promise<void> {
        try {
            await this.api.keepTerminal(terminalId);
        } catch (e) {
            this.complain(`${this.nameOf(id)} was not kept`, e);
        }
    }

    /** Brings back what does not run any more; when somebody else was faster, so much the better. */
    async resume(id: string): Promise<void> {
        try {
            const message = await this.api.resume(id);
            if (message) this.tell(message);
        } catch (e) {
            const s = this.store.find(id)?.peek();
            const faster = e instanceof ApiError && e.status === 409 && s && isRunning(this.store.terminals.find(s.terminalId));
            if (!faster) this.complain(`${this.nameOf(id)} was not resumed`, e);
        }
    }

    /** False when it was not taken; the notice says why. */
    async set(id: string, what: Setting, value: string): Promise<boolean> {
        try {
            await this.api.set(id, what, value);
            this.store.edit(id, SHOWN[what](value));
            return true;
        } catch (e) {
            this.complain(`${this.nameOf(id)} was not changed`, e);
            return false;
        }
    }

    complain(what: string, e: unknown): void {
        this.tell(`${what}: ${e instanceof Error ? e.message : String(e)}`);
    }

    tell(text: string, about: string | null = null): void {
        const notice = { key: this.nextKey++, text, about };
        this.list.value = [...this.list.peek(), notice].slice(-NOTICES_MAX);
    }

    dismiss(key: number): void {
        this.list.value = this.list.peek().filter((n) => n.key !== key);
    }

    /** Takes away what is about sessions of which there is nothing more to say. */
    withdraw(settled: (id: string) => boolean): void {
        const list = this.list.peek();
        const kept = list.filter((n) => n.about === null || !settled(n.about));
        if (kept.length < list.length) this.list.value = kept;
    }

    private nameOf(id: string): string {
        const s = this.store.find(id)?.peek();
        return s ? nameOf(s) : "The session";
    }
}
