/*
 * The board's service worker: shows what the daemon pushes, also with no page open, takes back what is over, and carries a tap on
 * Allow or Deny to the daemon with the ticket that came with the push. It keeps no pages and answers no requests of theirs.
 */

import { kept } from "./kept";
import { pushOf, shownOf, type Shown } from "./message";

declare const self: ServiceWorkerGlobalScope;

const ICON = "/icons/192.png";
const BADGE = "/icons/badge.png";

self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (e) => e.waitUntil(self.clients.claim()));

self.addEventListener("push", (e) => e.waitUntil(take(e.data)));

async function take(data: PushMessageData | null): Promise<void> {
    let said: unknown = null;
    try {
        said = data?.json();
    } catch {
        // not ours
    }
    const push = pushOf(said);
    if (!push) return;
    if (push.gone) await takeBack(push.tag);
    else await show(shownOf(push));
}

/** Safari takes the right to push from whoever shows nothing for a push: there, a quiet word stands in its place. */
async function takeBack(tag: string): Promise<void> {
    for (const one of await self.registration.getNotifications({ tag })) one.close();
    if (/^((?!chrome|android|firefox).)*safari/i.test(self.navigator.userAgent))
        await self.registration.showNotification("Answered elsewhere", { tag, silent: true });
}

function show({ title, body, tag, actions, stays, data }: Shown): Promise<void> {
    const options = { body, tag, actions, data, icon: ICON, badge: BADGE, requireInteraction: stays, renotify: true };
    return self.registration.showNotification(title, options as NotificationOptions);
}

/* ---- what is done with them -------------------------------------------------------------------------------------- */

self.addEventListener("notificationclick", (e) => {
    const { notification, action } = e;
    const { url, token } = dataOf(notification.data);
    notification.close();
    const decided = (action === "allow" || action === "deny") && token !== null;
    e.waitUntil(decided ? answer(notification, token, action) : openBoard(url));
});

const dataOf = (v: unknown): { url: string; token: string | null } => {
    const o = (typeof v === "object" && v !== null ? v : {}) as Record<string, unknown>;
    return { url: typeof o.url === "string" ? o.url : "/", token: typeof o.token === "string" ? o.token : null };
};

/** What went wrong stands in the notification's place: nothing is said to be done that is not. */
async function answer(notification: Notification, token: string, decision: "allow" | "deny"): Promise<void> {
    let trouble = "The daemon does not answer: open the board.";
    try {
        const reply = await fetch("/api/push/answer", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ token, decision }),
        });
        if (reply.ok) return;
        const { error } = (await reply.json()) as { error?: unknown };
        trouble = `Not ${decision === "allow" ? "allowed" : "denied"}: ${typeof error === "string" ? error : `the daemon answers ${reply.status}`}`;
    } catch {
        // as it stands
    }
    const { url } = dataOf(notification.data);
    await self.registration.showNotification(notification.title, {
        body: trouble, tag: notification.tag, icon: ICON, badge: BADGE, data: { url, token: null },
    });
}

/** In a window that is there, or in one of its own. */
async function openBoard(url: string): Promise<void> {
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const [first] = windows;
    if (!first) {
        await self.clients.openWindow(url);
        return;
    }
    first.postMessage({ type: "go", url });
    await first.focus();
}

/* ---- the browser has given the subscription another address ------------------------------------------------------- */

self.addEventListener("pushsubscriptionchange", (e) => (e as ExtendableEvent).waitUntil(subscribeAgain()));

async function subscribeAgain(): Promise<void> {
    const wishes = (await kept("wishes")) as { publicKey: string; body: object } | undefined;
    const key = await kept("key");
    if (!wishes) return;
    const subscription = await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: wishes.publicKey });
    await fetch("/api/push/subscriptions", {
        method: "POST",
        headers: { "content-type": "application/json", ...(typeof key === "string" && { "x-ostler-key": key }) },
        body: JSON.stringify({ ...subscription.toJSON(), ...wishes.body }),
    });
}
