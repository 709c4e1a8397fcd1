/*
 * Has the halves of the login renewed, about once an hour. Every tab tries when it is time; the daemon gives new ones to the
 * first, the others find them in the storage that they share. The old ones are good until the new ones are in use.
 */

import { effect } from "@preact/signals-core";
import { ApiError, type Api } from "./api";
import type { PageKey } from "./key";
import type { Environment } from "./socket";

/** When nobody answers. */
const RETRY_MS = 60_000;

export class Renewal {
    private timer: number | null = null;

    constructor(
        private readonly api: Pick<Api, "renew">,
        private readonly key: Pick<PageKey, "changes" | "renewAt" | "keep" | "forget" | "value">,
        private readonly world: Pick<Environment, "now" | "setTimer" | "clearTimer">,
    ) {
        effect(() => {
            key.changes.value;
            this.plan();
        });
    }

    private plan(): void {
        const at = this.key.renewAt;
        if (at === null) this.wait(null);
        else this.wait(Math.max(0, at - this.world.now()));
    }

    private wait(ms: number | null): void {
        if (this.timer !== null) this.world.clearTimer(this.timer);
        this.timer = ms === null ? null : this.world.setTimer(() => void this.renew(), ms);
    }

    private async renew(): Promise<void> {
        this.timer = null;
        const at = this.key.renewAt;
        if (at === null || at > this.world.now()) {
            this.plan(); // another tab has done it
            return;
        }
        const old = this.key.value;
        try {
            const half = await this.api.renew();
            if (half.key === null) this.wait(half.renewAfter * 1000);
            // Unless this tab slept so long that another has renewed it once more, or has logged out.
            else if (this.key.value === old) this.key.keep(half.key, this.world.now() + half.renewAfter * 1000);
            else this.plan();
        } catch (e) {
            if (!(e instanceof ApiError)) throw e;
            if (e.status === 401) this.key.forget(old);
            else this.wait(RETRY_MS);
        }
    }
}
