/* Tells the reader of a page in the background what is new: a notification, unless the daemon pushes it, and a short sound. */

import { effect } from "@preact/signals";
import { News, isQuiet, newsKey } from "../core/notify";
import { askOf, labelOf, titleOf } from "../core/status";
import type { Store } from "../core/store";
import type { Pushing } from "../net/pushing";
import { sessionPath, type Router } from "./routes";
import { play } from "./sounds";

export function followNews(store: Store, pushing: Pushing, router: Router): void {
    const news = new News();
    effect(() => {
        if (!store.loaded.value) return;
        const wishes = pushing.wishes.value;
        const sessions = store.asking.value.map((id) => store.find(id)!.value);
        const fresh = news.look(sessions, wishes);
        const now = new Date();
        if (!wishes.on || fresh.length === 0 || isQuiet(wishes, now.getHours() * 60 + now.getMinutes())) return;
        if (wishes.sound) play(fresh[0]!.attention!.kind);
        if (pushing.state.peek() === "page" && document.visibilityState === "hidden") for (const s of fresh) void show(s);
    });
    navigator.serviceWorker?.addEventListener("message", (e: MessageEvent<{ type?: unknown; url?: unknown } | null>) => {
        if (e.data?.type === "go" && typeof e.data.url === "string") router.go(e.data.url);
    });
}

async function show(s: Parameters<typeof titleOf>[0]): Promise<void> {
    const registration = await navigator.serviceWorker.getRegistration("/");
    const tag = newsKey(s) ?? s.id;
    await registration?.showNotification(`${labelOf(s)} ${titleOf(s)}`, { body: askOf(s) ?? "", tag, data: { url: sessionPath(s.id) } });
}
