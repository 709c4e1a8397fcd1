/* A session that the daemon has made for us, and that the board is about to hear of. */

import { effect } from "@preact/signals-core";
import type { Summary } from "../core/messages";
import type { Store } from "../core/store";
import type { Environment } from "./socket";

/** It takes no longer than a message takes; when it does, the address will do. */
const ARRIVAL_MS = 3_000;

type Timers = Pick<Environment, "setTimer" | "clearTimer">;

/** The session when it stands on the board; undefined when it does not come. */
export function arrival(store: Store, name: string, timers: Timers): Promise<Summary | undefined> {
    return new Promise((resolve) => {
        let dispose = () => {};
        const finish = (s: Summary | undefined) => {
            timers.clearTimer(timer);
            dispose();
            resolve(s);
        };
        const timer = timers.setTimer(() => finish(undefined), ARRIVAL_MS);
        const here = store.find(name)?.peek();
        if (here) {
            finish(here);
            return;
        }
        dispose = effect(() => {
            const s = store.find(name)?.peek();
            if (s) queueMicrotask(() => finish(s));
        });
    });
}
