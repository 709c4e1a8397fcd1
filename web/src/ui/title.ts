/* What a tab in the background shows: how many want you, in its title and in its icon. */

import { effect } from "@preact/signals";
import type { Store } from "../core/store";
import type { Door } from "../net/door";
import asking from "../assets/favicon-asking.svg";
import calm from "../assets/favicon.svg";

export function followTitle(store: Store, door: Door): void {
    effect(() => {
        const needs = door.state.value === "locked" ? 0 : store.counts.value.wanting;
        document.title = needs > 0 ? `(${needs}) ostler` : "ostler";
        const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
        if (icon) icon.href = needs > 0 ? asking : calm;
    });
}
