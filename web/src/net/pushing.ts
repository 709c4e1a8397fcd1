/*
 * Notifications of this browser: the service worker, the permission, and the subscription that the daemon pushes to. Nothing is
 * asked of the reader before they ask for it. Where there is no push service, notifications come for as long as a page is open.
 */

import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals-core";
import { wishesOf, type NotifyWishes } from "../core/notify";
import { ApiError, type Api } from "./api";
import { keep } from "../worker/kept";

/** off: not asked for. page: only while a page is open. push: also without one. */
export type PushState = "off" | "page" | "push";

const STORED = "ostler.notify";

/* Storage may be forbidden; then the wishes last as long as the page. */
function recallWishes(): string | null {
    try {
        return localStorage.getItem(STORED);
    } catch {
        return null;
    }
}

function rememberWishes(text: string): void {
    try {
        localStorage.setItem(STORED, text);
    } catch {
        // as above
    }
}

export class Pushing {
    readonly wishes: Signal<NotifyWishes>;
    readonly state: ReadonlySignal<PushState>;
    readonly problem: ReadonlySignal<string>;
    readonly busy: ReadonlySignal<boolean>;
    private readonly stateNow = signal<PushState>("off");
    private readonly problemNow = signal("");
    private readonly busyNow = signal(false);
    private id: string | null = null;

    constructor(
        private readonly api: Pick<Api, "push" | "subscribe" | "unsubscribe">,
        stored: string | null = recallWishes(),
    ) {
        this.wishes = signal(wishesOf(stored));
        this.state = this.stateNow;
        this.problem = this.problemNow;
        this.busy = this.busyNow;
        effect(() => rememberWishes(JSON.stringify(this.wishes.value)));
    }

    /** Why it cannot be turned on here; null where it can. */
    readonly obstacle = computed(() => {
        if (!window.isSecureContext) return "Browsers notify only over https: give the board a certificate (see operations.md), or open it at localhost.";
        if (!("Notification" in window) || !navigator.serviceWorker) return "This browser has no notifications. On an iPhone, add the board to the home screen first.";
        this.problemNow.value;
        if (Notification.permission === "denied") return "Notifications are blocked for this page: allow them in the browser's settings.";
        return null;
    });

    /** As it was left, without asking for anything. */
    async resume(): Promise<void> {
        if (this.wishes.peek().on && this.obstacle.peek() === null && Notification.permission === "granted") await this.start();
    }

    /** The reader wants it. */
    async enable(): Promise<void> {
        await this.attempt(async () => {
            if ((await Notification.requestPermission()) !== "granted") throw new ApiError("The browser does not allow it.", 0);
            this.wishes.value = { ...this.wishes.peek(), on: true };
            await this.start();
        });
    }

    async disable(): Promise<void> {
        await this.attempt(async () => {
            this.wishes.value = { ...this.wishes.peek(), on: false };
            this.stateNow.value = "off";
            await keep("wishes", null);
            const registration = await navigator.serviceWorker.getRegistration("/");
            await (await registration?.pushManager?.getSubscription())?.unsubscribe();
            if (this.id !== null) await this.api.unsubscribe(this.id);
            this.id = null;
        });
    }

    /** Other wishes, told to the daemon. */
    async change(change: Partial<NotifyWishes>): Promise<void> {
        this.wishes.value = { ...this.wishes.peek(), ...change };
        if (this.stateNow.peek() === "push") await this.attempt(() => this.start());
    }

    private async start(): Promise<void> {
        const registration = await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
        if (this.stateNow.peek() === "off") this.stateNow.value = "page";
        const { publicKey } = await this.api.push();
        const subscription = publicKey === null ? null : await subscriptionOf(registration, publicKey);
        if (publicKey === null || subscription === null) return;
        const { kinds, quietFrom, quietTo } = this.wishes.peek();
        const body = { kinds, quiet: { from: quietFrom, to: quietTo, timezoneOffset: new Date().getTimezoneOffset() } };
        this.id = await this.api.subscribe({ ...subscription.toJSON(), ...body });
        await keep("wishes", { publicKey, body });
        this.stateNow.value = "push";
    }

    private async attempt(work: () => Promise<void>): Promise<void> {
        this.busyNow.value = true;
        this.problemNow.value = "";
        try {
            await work();
        } catch (e) {
            this.problemNow.value = e instanceof Error ? e.message : "It did not work.";
        } finally {
            this.busyNow.value = false;
        }
    }
}

/** Null where the browser has no push service that it can reach. One that was made with another key is of no use. */
async function subscriptionOf(registration: ServiceWorkerRegistration, publicKey: string): Promise<PushSubscription | null> {
    if (!("pushManager" in registration)) return null;
    const active = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: publicKey };
    try {
        const old = await active.pushManager.getSubscription();
        if (old && sameKey(old.options.applicationServerKey, publicKey)) return old;
        await old?.unsubscribe();
        return await active.pushManager.subscribe(options);
    } catch {
        return null;
    }
}

function sameKey(key: ArrayBuffer | null, text: string): boolean {
    if (!key) return false;
    const ours = btoa(String.fromCharCode(...new Uint8Array(key)));
    return ours.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "") === text;
}
