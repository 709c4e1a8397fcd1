/*
 * Says when a transcript could not be mended: once for each session and each outcome while the page lives. What is open
 * needs no notice, and one whose session is opened, mended or gone is taken back.
 */

import { effect, untracked, type ReadonlySignal } from "@preact/signals-core";
import type { Summary } from "../core/messages";
import { nameOf } from "../core/status";
import type { Store } from "../core/store";
import type { Commands } from "./commands";

/** As many at once are told one by one; more are one sentence, and their cards tell the rest. */
const SINGLE_MAX = 2;

export function brokenWords(s: Summary): string {
    return s.transcript?.status === "unreadable"
        ? `The history of ${nameOf(s)} cannot be read.`
        : `The history of ${nameOf(s)} could not be mended.`;
}

/** Goes on until what it answers is called. */
export function tellBroken(store: Store, commands: Commands, open: ReadonlySignal<string | null>): () => void {
    const told = new Set<string>();
    return effect(() => {
        const here = open.value;
        const broken = store.broken.value;
        const ids = new Set(broken.map((s) => s.id));
        const fresh = broken.filter(({ id, transcript }) => {
            const key = `${id} ${transcript?.status}`;
            return !told.has(key) && told.add(key) && id !== here;
        });
        untracked(() => {
            commands.withdraw((id) => id === here || !ids.has(id));
            if (fresh.length > SINGLE_MAX)
                commands.tell(`The histories of ${fresh.length} sessions could not be mended. Their cards are marked.`);
            else for (const s of fresh) commands.tell(brokenWords(s), s.id);
        });
    });
}
