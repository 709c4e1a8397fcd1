/* What this browser's reader wants to be told of, and when: the same rules for what the daemon pushes and for what a page shows. */

import { ATTENTION_KINDS, attentionKey, type AttentionKind } from "./attention";
import type { Summary } from "./messages";

export interface NotifyWishes {
    on: boolean;
    sound: boolean;
    kinds: readonly AttentionKind[];
    /** Minutes of the day; the same twice: never quiet. */
    quietFrom: number;
    quietTo: number;
}

/** A turn that is over is news at a desk, and a nuisance in a pocket: whoever wants that says so. */
export const NOTIFY_DEFAULT: NotifyWishes = {
    on: false,
    sound: true,
    kinds: ATTENTION_KINDS.filter((kind) => kind !== "finished"),
    quietFrom: 0,
    quietTo: 0,
};

const DAY = 24 * 60;
const minute = (v: unknown, otherwise: number) => (Number.isInteger(v) && (v as number) >= 0 && (v as number) < DAY ? (v as number) : otherwise);

/** What was kept, as far as it makes sense. */
export function wishesOf(text: string | null): NotifyWishes {
    let kept: Record<string, unknown> = {};
    try {
        const v: unknown = JSON.parse(text ?? "{}");
        if (typeof v === "object" && v !== null) kept = v as Record<string, unknown>;
    } catch {
        // nothing of ours
    }
    const { kinds } = kept;
    return {
        on: kept.on === true,
        sound: kept.sound !== false,
        kinds: Array.isArray(kinds) ? ATTENTION_KINDS.filter((kind) => kinds.includes(kind)) : NOTIFY_DEFAULT.kinds,
        quietFrom: minute(kept.quietFrom, 0),
        quietTo: minute(kept.quietTo, 0),
    };
}

/** Whether nothing is to be told at this minute of the day. */
export function isQuiet({ quietFrom, quietTo }: NotifyWishes, now: number): boolean {
    if (quietFrom === quietTo) return false;
    return quietFrom < quietTo ? now >= quietFrom && now < quietTo : now >= quietFrom || now < quietTo;
}

/** "22:30" as minutes, and back. */
export function minutesOf(clock: string): number | null {
    const found = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(clock);
    return found ? Number(found[1]) * 60 + Number(found[2]) : null;
}

export const clockOf = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** What tells one reason from the next. */
export const newsKey = (s: Summary) => (s.attention ? `${s.id} ${s.attention.requestId ?? attentionKey(s.attention)}` : null);

/** Which of these are news: not there at the last look, and wanted. */
export class News {
    private known: ReadonlySet<string> | null = null;

    look(sessions: readonly Summary[], wishes: NotifyWishes): Summary[] {
        const now = new Map<string, Summary>();
        for (const s of sessions) {
            const key = newsKey(s);
            if (key !== null) now.set(key, s);
        }
        const before = this.known;
        this.known = new Set(now.keys());
        if (before === null) return []; // what was so when the page came is no news
        return [...now].filter(([key, s]) => !before.has(key) && wishes.kinds.includes(s.attention!.kind) && !s.muted).map(([, s]) => s);
    }
}
