/* What the daemon pushes, and what a notification shows of it. Pure. */

/** A push: something to tell, or one that is over. */
export type Push =
    | { gone: true; tag: string }
    | {
          gone: false;
          kind: string;
          title: string;
          project: string;
          text: string;
          /** Whether `text` is all that is asked, and short enough to be seen whole. */
          whole: boolean;
          can: readonly string[];
          token: string | null;
          tag: string;
          url: string;
          at: number;
      };

const HEADS: Record<string, string> = {
    approval: "Approve?",
    question: "Question",
    plan: "Plan to review",
    error: "Error",
    finished: "Finished",
    exited: "Ended",
    test: "It works",
};

const text = (v: unknown) => (typeof v === "string" ? v : "");

/** An address within the board, whatever a push says. */
export function safePath(v: unknown): string {
    const path = text(v);
    return /^\/(?![/\\])[\w\-./~%]*$/.test(path) ? path : "/";
}

/** Null when it is none of ours. */
export function pushOf(v: unknown): Push | null {
    if (typeof v !== "object" || v === null) return null;
    const o = v as Record<string, unknown>;
    const tag = text(o.tag);
    if (tag === "") return null;
    if (o.gone === true) return { gone: true, tag };
    if (!Object.hasOwn(HEADS, text(o.kind))) return null;
    return {
        gone: false,
        kind: text(o.kind),
        title: text(o.title),
        project: text(o.project),
        text: text(o.text),
        whole: o.whole === true,
        can: Array.isArray(o.can) ? o.can.filter((c) => typeof c === "string") : [],
        token: typeof o.token === "string" ? o.token : null,
        tag,
        url: safePath(o.url),
        at: typeof o.at === "number" ? o.at : 0,
    };
}

export interface Shown {
    title: string;
    body: string;
    tag: string;
    actions: { action: "allow" | "deny"; title: string }[];
    /** It stays until somebody has done something about it. */
    stays: boolean;
    data: { url: string; token: string | null; title: string };
}

/** What is shown of a push. Allow is offered only where all that would be allowed is on the notification. */
export function shownOf(push: Push & { gone: false }): Shown {
    const title = `${HEADS[push.kind]} ${push.title || push.project}`.trim();
    const actions: Shown["actions"] = [];
    if (push.token !== null && push.whole && push.can.includes("allow")) actions.push({ action: "allow", title: "Allow" });
    if (push.token !== null && push.can.includes("deny")) actions.push({ action: "deny", title: "Deny" });
    return {
        title,
        body: push.text,
        tag: push.tag,
        actions,
        stays: push.kind === "approval" || push.kind === "question" || push.kind === "plan",
        data: { url: push.url, token: push.token, title },
    };
}
