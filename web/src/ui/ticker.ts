/* One clock for every elapsed time on the page. It rests while nobody looks. */

import { signal, type ReadonlySignal } from "@preact/signals";

export function startTicker(): ReadonlySignal<number> {
    const now = signal(Date.now());
    let timer = 0;
    const tick = () => {
        now.value = Date.now();
    };
    const sync = () => {
        window.clearInterval(timer);
        if (document.visibilityState === "hidden") return;
        tick();
        timer = window.setInterval(tick, 1000);
    };
    document.addEventListener("visibilitychange", sync);
    sync();
    return now;
}
