/* How the daemon says it does. Asked for while it is connected: without it, the connection says all there is to say. */

import { signal, type ReadonlySignal } from "@preact/signals-core";
import type { Health, Queue } from "../core/health";
import type { Api } from "./api";

export class Vitals {
    readonly health: ReadonlySignal<Health | null>;
    readonly queue: ReadonlySignal<Queue | null>;
    private readonly healthNow = signal<Health | null>(null);
    private readonly queueNow = signal<Queue | null>(null);

    constructor(private readonly api: Api) {
        this.health = this.healthNow;
        this.queue = this.queueNow;
    }

    /** What was known stays when there is no answer. */
    async refresh(withQueue = false): Promise<void> {
        const keep = () => null;
        const [health, queue] = await Promise.all([
            this.api.health().catch(keep),
            withQueue ? this.api.queue().catch(keep) : null,
        ]);
        if (health) this.healthNow.value = health;
        if (queue) this.queueNow.value = queue;
    }
}
