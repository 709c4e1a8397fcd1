/* The daemon's HTTP routes. Whatever goes wrong is an ApiError with a sentence for people. */

import { attentionOf, type Attention } from "../core/attention";
import { ProtocolError, count, flag, name, object, optional, text, type Guard } from "../core/guards";
import {
    healthOf,
    hookStatsOf,
    previousSessionsOf,
    queueOf,
    type Health,
    type HookStats,
    type PreviousSession,
    type Queue,
} from "../core/health";
import { hookSetupOf, type HookSetup } from "../core/hook_setup";
import { awayOf, type Away } from "../core/inbox";
import { loginsOf, type Login } from "../core/logins";
import { pairingOf, type Pairing } from "../core/pairing";
import { policiesOf, writtenRulesOf, type Policies, type WrittenRule } from "../core/rules";
import { findingOf, type Finding } from "../core/transcript";
import { keyOf, type Half, type PageKey } from "./key";

/** What to run, and where. An empty command is the user's shell. */
export interface Launch {
    command: string;
    workingDir: string;
    sessionTitle?: string;
}

/** What people may set on a session: its route's last part and what the body calls it. "" takes it away. */
const SETTINGS = { title: "title", label: "label", "accent-color": "color" } as const;
export type Setting = keyof typeof SETTINGS;

export class ApiError extends Error {
    override name = "ApiError";
    constructor(
        message: string,
        /** 0 when there was no answer. */
        readonly status: number,
        /** In how many seconds to try again, when the daemon says so. */
        readonly retryAfter: number | null = null,
    ) {
        super(message);
    }
}

const anything: Guard<unknown> = (v) => v;
const idOf: Guard<string> = (v, path) => name(object(v, path).id, `${path}.id`);
const wholeAttentionOf: Guard<Attention | null> = (v, path) => optional(attentionOf)(object(v, path).attention, `${path}.attention`);
const killedOf: Guard<number | null> = (v, path) => optional(count)(object(v, path).pid, `${path}.pid`);
const startedOf: Guard<string> = (v, path) => name(object(v, path).sessionId, `${path}.sessionId`);
const resumedOf: Guard<string | null> = (v, path) => optional(text)(object(v, path).message, `${path}.message`);

/** Is there a password, and does this browser need it now? */
export interface AuthStatus {
    passwordRequired: boolean;
    authenticated: boolean;
}

const authStatusOf: Guard<AuthStatus> = (v, path) => {
    const { passwordRequired, authenticated } = object(v, path);
    return {
        passwordRequired: flag(passwordRequired, `${path}.passwordRequired`),
        authenticated: flag(authenticated, `${path}.authenticated`),
    };
};

/** Null where there is no password. */
const halfOf: Guard<Half | null> = (v, path) => {
    const { key, renewAfter } = object(v, path);
    if (key === undefined) return null;
    return { key: keyOf(key, `${path}.key`), renewAfter: count(renewAfter, `${path}.renewAfter`) };
};

/** Without a key it was renewed a moment ago, by another tab. */
const renewedOf: Guard<{ key: string | null; renewAfter: number }> = (v, path) => {
    const { key, renewAfter } = object(v, path);
    return { key: optional(keyOf)(key, `${path}.key`), renewAfter: count(renewAfter, `${path}.renewAfter`) };
};

const pushKeyOf: Guard<{ publicKey: string | null }> = (v, path) => ({
    publicKey: optional(name)(object(v, path).publicKey, `${path}.publicKey`),
});

const KEY_HEADER = "x-ostler-key";

export class Api {
    constructor(
        private readonly fetch: (path: string, init: RequestInit) => Promise<Response>,
        private readonly key: Pick<PageKey, "value"> = { value: null },
    ) {}

    authStatus(): Promise<AuthStatus> {
        return this.ask("GET", "/api/auth/status", authStatusOf);
    }

    /** One half comes as a cookie, the other is this page's to keep. */
    login(password: string): Promise<Half | null> {
        return this.ask("POST", "/api/auth/login", halfOf, { password, split: true });
    }

    /** Other halves instead of ours. */
    renew(): Promise<{ key: string | null; renewAfter: number }> {
        return this.ask("POST", "/api/auth/renew", renewedOf);
    }

    /** Who is logged in. */
    logins(): Promise<Login[]> {
        return this.ask("GET", "/api/auth/logins", loginsOf);
    }

    /** A code for a phone, and where it is to go. */
    pair(lookOnly: boolean): Promise<Pairing> {
        return this.ask("POST", "/api/auth/pair", pairingOf, { lookOnly });
    }

    /** Logs in with the code that a picture brought. */
    claim(code: string): Promise<Half | null> {
        return this.ask("POST", "/api/auth/paired", halfOf, { code });
    }

    /** The key that a browser subscribes to pushes with; null when there can be none. */
    push(): Promise<{ publicKey: string | null }> {
        return this.ask("GET", "/api/push", pushKeyOf);
    }

    subscribe(subscription: object): Promise<string> {
        return this.ask("POST", "/api/push/subscriptions", idOf, subscription);
    }

    async unsubscribe(id: string): Promise<void> {
        await this.ask("DELETE", `/api/push/subscriptions/${encodeURIComponent(id)}`, anything);
    }

    async testPush(): Promise<void> {
        await this.ask("POST", "/api/push/test", anything);
    }

    async revoke(id: string): Promise<void> {
        await this.ask("DELETE", `/api/auth/logins/${encodeURIComponent(id)}`, anything);
    }

    /** Of this browser, or of all of them. */
    async logout(everywhere: boolean): Promise<void> {
        await this.ask("POST", "/api/auth/logout", anything, { everywhere });
    }

    health(): Promise<Health> {
        return this.ask("GET", "/api/health", healthOf);
    }

    queue(): Promise<Queue> {
        return this.ask("GET", "/api/mq-stats", queueOf);
    }

    hookStats(): Promise<HookStats> {
        return this.ask("GET", "/api/hook-stats", hookStatsOf);
    }

    async resetHookStats(): Promise<void> {
        await this.ask("POST", "/api/hook-stats/reset", anything);
    }

    /** Which CLIs have our hooks. */
    hookSetup(): Promise<HookSetup> {
        return this.ask("GET", "/api/hooks/status", hookSetupOf);
    }

    /** Registers our hooks in a CLI's settings. */
    connect(cli: string): Promise<HookSetup> {
        return this.ask("POST", "/api/hooks/install", hookSetupOf, { clis: [cli] });
    }

    previousSessions(id: string): Promise<PreviousSession[]> {
        return this.ask("GET", sessionRoute(id), previousSessionsOf);
    }

    /** The stable id behind any name of a session, also one from before a resume. */
    stableId(alias: string): Promise<string> {
        return this.ask("GET", sessionRoute(alias), idOf);
    }

    /** Why a person is wanted there, with the whole of its detail. */
    attention(id: string): Promise<Attention | null> {
        return this.ask("GET", sessionRoute(id), wholeAttentionOf);
    }

    /** Somebody has seen what is so since then. */
    async seen(id: string, since: number): Promise<void> {
        await this.ask("POST", `${sessionRoute(id)}/seen`, anything, { since });
    }

    /** Has the transcript checked, and mended if need be. */
    repair(id: string): Promise<Finding> {
        return this.ask("POST", `${sessionRoute(id)}/repair`, findingOf);
    }

    /** Takes the card off the board, for everybody; its agent goes on. */
    async remove(id: string): Promise<void> {
        await this.ask("DELETE", sessionRoute(id), anything);
    }

    /** Ends the agent's process and answers its number, or null when nobody knows which one it is. */
    kill(id: string): Promise<number | null> {
        return this.ask("POST", `${sessionRoute(id)}/kill`, killedOf, { confirm: true });
    }

    /** Nobody is notified of it any more, or again, on any device. */
    async mute(id: string, muted: boolean): Promise<void> {
        await this.ask("PUT", `${sessionRoute(id)}/muted`, anything, { muted });
    }

    async set(id: string, what: Setting, value: string): Promise<void> {
        await this.ask("PUT", `${sessionRoute(id)}/${what}`, anything, { [SETTINGS[what]]: value });
    }

    /** Starts a terminal; answers the name of its session. */
    startTerminal(launch: Launch): Promise<string> {
        return this.ask("POST", "/api/terminals", startedOf, launch);
    }

    /** Hangs up on its program; the card stays. */
    async endTerminal(id: string): Promise<void> {
        await this.ask("DELETE", `/api/terminals/${encodeURIComponent(id)}`, anything);
    }

    /** Puts its rest off. */
    async keepTerminal(id: string): Promise<void> {
        await this.ask("POST", `/api/terminals/${encodeURIComponent(id)}/keep`, anything);
    }

    /** Brings back what does not run any more. Answers what else is to be said about that, if anything. */
    resume(id: string): Promise<string | null> {
        return this.ask("POST", `${sessionRoute(id)}/resume`, resumedOf);
    }

    /** Whether the person is away from the desk. */
    setAway(away: boolean): Promise<Away> {
        return this.ask("PUT", "/api/away", awayOf, { away });
    }

    /** What was written into the CLIs' settings from here. */
    rules(): Promise<WrittenRule[]> {
        return this.ask("GET", "/api/rules", writtenRulesOf);
    }

    async undoRule(id: string): Promise<void> {
        await this.ask("DELETE", `/api/rules/${encodeURIComponent(id)}`, anything);
    }

    /** What a session may be allowed for good, and the rules that would do it. */
    policies(id: string): Promise<Policies> {
        return this.ask("GET", `${sessionRoute(id)}/policies`, policiesOf);
    }

    /** Writes its rules, or takes them out. */
    async setPolicy(id: string, policy: string, on: boolean): Promise<void> {
        await this.ask("POST", `${sessionRoute(id)}/policies`, anything, { name: policy, on });
    }

    /** Types the next prompt into the agent's terminal. */
    async prompt(id: string, words: string): Promise<void> {
        await this.ask("POST", `${sessionRoute(id)}/prompt`, anything, { text: words });
    }

    /** Esc in the agent's terminal. */
    async interrupt(id: string): Promise<void> {
        await this.ask("POST", `${sessionRoute(id)}/interrupt`, anything);
    }

    private async ask<T>(method: string, path: string, guard: Guard<T>, body?: object): Promise<T> {
        const init: RequestInit = { method, cache: "no-store" };
        // A change that was asked for is carried out also when the page goes away before the answer.
        if (method !== "GET") init.keepalive = true;
        const key = this.key.value;
        init.headers = { ...(key !== null && { [KEY_HEADER]: key }), ...(body && { "content-type": "application/json" }) };
        if (body) init.body = JSON.stringify(body);
        const answer = await this.fetch(path, init).catch(() => {
            throw new ApiError("the daemon does not answer", 0);
        });
        const json: unknown = await answer.json().catch(() => null);
        if (!answer.ok) throw new ApiError(reasonOf(json) ?? `the daemon answers ${answer.status}`, answer.status, retryAfterOf(answer));
        try {
            return guard(json, path);
        } catch (e) {
            if (!(e instanceof ProtocolError)) throw e;
            throw new ApiError(`the daemon's answer is not understood: ${e.message}`, answer.status);
        }
    }
}

const sessionRoute = (id: string) => `/api/sessions/${encodeURIComponent(id)}`;

function reasonOf(json: unknown): string | null {
    try {
        return text(object(json, "answer").error, "error") || null;
    } catch {
        return null;
    }
}

function retryAfterOf(answer: Response): number | null {
    const seconds = Number(answer.headers.get("retry-after") ?? NaN);
    return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : null;
}
