/*
 * The page's half of its login. A cookie goes to every port of the host, so the daemon wants this as well: it is in the storage
 * of this very origin, which no other port can read, and is never part of an address. All tabs share it. Only this file knows
 * where it is kept. The service worker cannot read localStorage: it finds a copy in IndexedDB, put there by this file.
 */

import { signal, type ReadonlySignal } from "@preact/signals-core";
import { keep as keepForWorker } from "../worker/kept";
import { ProtocolError, count, object, text, type Guard } from "../core/guards";

/** What the daemon gives to a page that logs in, or whose halves it renews. */
export interface Half {
    key: string;
    /** In so many seconds it should be renewed. */
    renewAfter: number;
}

/** A place for one text. `watch` tells when another tab has changed it. */
export interface KeyStorage {
    read(): string | null;
    write(text: string | null): void;
    watch(run: () => void): void;
}

interface Kept {
    key: string;
    /** In this machine's time. */
    renewAt: number;
}

const FORM = /^[0-9a-f]{64}$/;

export const keyOf: Guard<string> = (v, path) => {
    if (!FORM.test(text(v, path))) throw new ProtocolError(`${path}: expected a key`);
    return v as string;
};

export class PageKey {
    /** Counts the changes, by this tab and by others. */
    readonly changes: ReadonlySignal<number>;
    private readonly changesNow = signal(0);

    constructor(private readonly storage: KeyStorage) {
        this.changes = this.changesNow;
        storage.watch(() => this.tell());
    }

    /** Read anew each time: another tab may have renewed it a moment ago. */
    get value(): string | null {
        return this.kept()?.key ?? null;
    }

    get renewAt(): number | null {
        return this.kept()?.renewAt ?? null;
    }

    keep(key: string, renewAt: number): void {
        const kept: Kept = { key, renewAt };
        this.storage.write(JSON.stringify(kept));
        this.tell();
    }

    /** It is of no use any more. With `key` only if it is still that one: another tab may have logged in meanwhile. */
    forget(key?: string | null): void {
        const now = this.value;
        if (now === null || (key !== undefined && key !== now)) return;
        this.storage.write(null);
        this.tell();
    }

    private kept(): Kept | null {
        try {
            const { key, renewAt } = object(JSON.parse(this.storage.read() ?? "null"), "key");
            return { key: keyOf(key, "key"), renewAt: count(renewAt, "renewAt") };
        } catch {
            return null; // nothing is there, or nothing of ours
        }
    }

    private tell(): void {
        this.changesNow.value = this.changesNow.peek() + 1;
    }
}

const NAME = "ostler.key";

/** The copy for the service worker. Without IndexedDB it has none, and is none the worse for it until its subscription changes. */
function leaveForWorker(value: string | null): void {
    let key: string | null = null;
    try {
        key = value === null ? null : keyOf(object(JSON.parse(value), "key").key, "key");
        keepForWorker("key", key).catch(() => {});
    } catch {
        // no IndexedDB here
    }
}

/** This origin's localStorage. It may be forbidden: then one is logged in for as long as the page lives. */
export function browserStorage(): KeyStorage {
    let unkept: string | null = null;
    return {
        read() {
            try {
                return unkept ?? localStorage.getItem(NAME);
            } catch {
                return unkept;
            }
        },
        write(value) {
            unkept = null;
            leaveForWorker(value);
            try {
                if (value === null) localStorage.removeItem(NAME);
                else localStorage.setItem(NAME, value);
            } catch {
                unkept = value;
            }
        },
        watch(run) {
            // A key of null: everything was cleared.
            window.addEventListener("storage", (e) => {
                if (e.key === NAME || e.key === null) run();
            });
        },
    };
}
