/*
 * Who opens a session has seen what it was finished with: it is told, so that no other browser goes on about it. A page that
 * stands open before an empty chair sees nothing: what happens there is seen by whoever comes back to it.
 */

import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { attentionKey, isRequest } from "../core/attention";
import type { Store } from "../core/store";
import { ApiError, type Api } from "../net/api";

/** Told again after a failure no sooner than this. */
const RETRY_MS = 5000;

/** Who has touched nothing for so long may have gone. */
const AWAY_MS = 60_000;
const SIGNS = ["pointermove", "pointerdown", "wheel", "keydown", "focus"] as const;

/** Whether somebody sits before the page, as far as it can tell. Whoever opens a session does. */
function followPresence(open: ReadonlySignal<string | null>): ReadonlySignal<boolean> {
    const here = signal(true);
    let last = 0;
    let timer = 0;
    const look = () => {
        const left = last + AWAY_MS - performance.now();
        here.value = left > 0;
        timer = left > 0 ? window.setTimeout(look, left) : 0;
    };
    const sign = () => {
        last = performance.now();
        if (timer === 0) look();
    };
    for (const type of SIGNS) window.addEventListener(type, sign, { capture: true, passive: true });
    effect(() => {
        open.value;
        sign();
    });
    return here;
}

export function followSeen(store: Store, api: Api, open: ReadonlySignal<string | null>): void {
    const visible = signal(document.visibilityState === "visible");
    const here = followPresence(open);
    const again = signal(0);
    const told = new Set<string>();
    document.addEventListener("visibilitychange", () => {
        visible.value = document.visibilityState === "visible";
    });
    effect(() => {
        again.value;
        const s = visible.value && here.value && open.value !== null ? store.find(open.value)?.value : undefined;
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
