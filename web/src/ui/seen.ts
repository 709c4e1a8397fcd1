/* Who opens a session has seen what it was finished with: it is told, so that no other browser goes on about it. */

import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { attentionKey, isRequest } from "../core/attention";
import type { Store } from "../core/store";
import { ApiError, type Api } from "../net/api";

/** Told again after a failure no sooner than this. */
const RETRY_MS = 5000;

export function followSeen(store: Store, api: Api, open: ReadonlySignal<string | null>): void {
    const visible = signal(document.visibilityState === "visible");
    const again = signal(0);
    const told = new Set<string>();
    document.addEventListener("visibilitychange", () => {
        visible.value = document.visibilityState === "visible";
    });
    effect(() => {
        again.value;
        const s = visible.value && open.value !== null ? store.find(open.value)?.value : undefined;
        const a = s?.attention;
        if (!s || !a || isRequest(a)) return;
        const key = `${s.id} ${attentionKey(a)}`;
        if (told.has(key)) return;
        told.add(key);
        api.seen(s.id, a.since).catch((e: unknown) => {
            if (e instanceof ApiError && e.status >= 400 && e.status < 500) return; // it will not do better next time
            window.setTimeout(() => {
                told.delete(key);
                again.value++;
            }, RETRY_MS);
        });
    });
}
