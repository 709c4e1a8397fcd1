/* One clock for every elapsed time on the page. It rests while nobody looks. */

import { signal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** The daemon's time: its clock may differ from a phone's. */
export function startTicker(offset: ReadonlySignal<number>): ReadonlySignal<number> {
    const now = signal(Date.now());
    let timer = 0;
    const tick = () => {
        now.value = Date.now() + offset.peek();
    };
    const sync = () => {
        window.clearInterval(timer);
        if (document.visibilityState === "hidden") return;
        tick();
        timer = window.setInterval(tick, 1000);
    };
    document.addEventListener("visibilitychange", sync);
    sync();
    offset.subscribe(tick);
    return now;
}

/** Calls `run` now and every `ms` while `on` and the page is looked at. */
export function usePolling(on: boolean, ms: number, run: () => void): void {
    useEffect(() => {
        if (!on) return;
        const poll = () => {
            if (document.visibilityState === "visible") run();
        };
        poll();
        const timer = window.setInterval(poll, ms);
        document.addEventListener("visibilitychange", poll);
        return () => {
            window.clearInterval(timer);
            document.removeEventListener("visibilitychange", poll);
        };
    }, [on, ms]);
}
