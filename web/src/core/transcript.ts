/*
 * What the daemon found out about the file that a conversation is resumed from. It mends what it can by itself; people hear
 * of what it could not.
 */

import { count, object, optional, text, time, type Guard } from "./guards";

export interface Transcript {
    /** `healthy`, `repaired`, `corrupted`, `missing`, `unreadable`, `unrecoverable`, or what a newer daemon says. */
    status: string;
    /** Messages from the last one back to the first that it leads to: what a resume would load. */
    chainDepth: number;
    messageCount: number;
    /** Links that were ever mended. */
    linksFixed: number;
    /** Null when only the outcome is known yet. */
    checkedAt: number | null;
    /** What is wrong and what to do. */
    message: string | null;
}

/** What a check came to, as the daemon answers it to who asked. */
export interface Finding {
    status: string;
    chainDepth: number | null;
    orphansFixed: number;
    message: string | null;
}

export const transcriptOf: Guard<Transcript> = (v, path) => {
    const o = object(v, path);
    return {
        status: text(o.status, `${path}.status`),
        chainDepth: optional(count)(o.chainDepth, `${path}.chainDepth`) ?? 0,
        messageCount: optional(count)(o.messageCount, `${path}.messageCount`) ?? 0,
        linksFixed: optional(count)(o.linksFixed, `${path}.linksFixed`) ?? 0,
        checkedAt: optional(time)(o.checkedAt, `${path}.checkedAt`),
        message: optional(text)(o.message, `${path}.message`),
    };
};

export const findingOf: Guard<Finding> = (v, path) => {
    const o = object(v, path);
    return {
        status: text(o.status, `${path}.status`),
        chainDepth: optional(count)(o.chainDepth, `${path}.chainDepth`),
        orphansFixed: optional(count)(o.orphansFixed, `${path}.orphansFixed`) ?? 0,
        message: optional(text)(o.message, `${path}.message`),
    };
};

/** What was known, with a finding of the time `at` in it. */
export function withFinding(known: Transcript | null, found: Finding, at: number | null): Transcript {
    return {
        status: found.status,
        chainDepth: found.chainDepth ?? known?.chainDepth ?? 0,
        messageCount: known?.messageCount ?? 0,
        // The session counts all of them, and may have counted these already.
        linksFixed: Math.max(known?.linksFixed ?? 0, found.orphansFixed),
        checkedAt: at,
        message: found.message,
    };
}

/** Whether a person has to do something about it. */
export function isBroken(t: Transcript | null): boolean {
    return t?.status === "unrecoverable" || t?.status === "unreadable";
}

/** Who looks in once a day still learns of it. */
const MENDED_SHOWN_MS = 24 * 60 * 60 * 1000;

/** What the card shows of it; nothing is the rule. */
export function markOf(t: Transcript | null, now: number): "mended" | "broken" | null {
    if (isBroken(t)) return "broken";
    return t?.status === "repaired" && now - (t.checkedAt ?? now) < MENDED_SHOWN_MS ? "mended" : null;
}
