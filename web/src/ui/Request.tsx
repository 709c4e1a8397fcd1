/* Why a person is wanted, in the panel: all of it, readable. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { attentionKey, attentionLabel, isRequest, type Attention } from "../core/attention";
import type { Summary } from "../core/messages";
import { isBusy, toneOf } from "../core/status";
import { Detail } from "./Detail";
import { Elapsed } from "./Elapsed";
import { Fold } from "./Fold";
import { ShapeIcon } from "./icons";
import { useServices } from "./services";
import { plural } from "./words";

/**
 * What somebody reads does not vanish because reading it was what it waited for: it stays in this panel until the agent
 * goes on, or another session is opened.
 */
function useLately(s: Summary): { attention: Attention | null; seen: boolean } {
    const last = useRef<{ id: string; attention: Attention } | null>(null);
    if (s.attention) last.current = { id: s.id, attention: s.attention };
    else if (last.current && (last.current.id !== s.id || isRequest(last.current.attention) || isBusy(s))) last.current = null;
    return { attention: last.current?.attention ?? null, seen: s.attention === null };
}

/** The whole text: from the board's message, or fetched where that has only its beginning. */
function useWhole(id: string, a: Attention | null): { text: string | null; missing: boolean } {
    const { api } = useServices();
    const fetched = useSignal<{ key: string; text: string } | null>(null);
    const failed = useSignal("");
    const key = a ? attentionKey(a) : "";
    useEffect(() => {
        if (!a?.cut || fetched.peek()?.key === key) return;
        failed.value = "";
        api.attention(id).then(
            (whole) => {
                if (whole?.detail && attentionKey(whole) === key) fetched.value = { key, text: whole.detail };
            },
            () => (failed.value = key),
        );
    }, [id, key]);
    const whole = fetched.value?.key === key ? fetched.value.text : null;
    return { text: whole ?? a?.detail ?? null, missing: a?.cut === true && whole === null };
}

export function Request({ s, hosted }: { s: Summary; hosted: boolean }) {
    const { attention: a, seen } = useLately(s);
    const { text, missing } = useWhole(s.id, a);
    if (!a) return null;
    const label = attentionLabel(a);
    // What is drawn as what it is says it better than the line about it.
    const lead = text === null || (a.form === "text" && !text.startsWith(a.text.replace(/…$/, "")));
    return (
        <section class="request" data-tone={seen ? "seen" : toneOf(s)} data-guess={!a.certain} aria-label={label}>
            <header>
                <ShapeIcon shape={a.kind} />
                <b>{label}</b>
                {a.tool && a.kind === "approval" && <span class="chip">{a.tool}</span>}
                {a.agent && <span class="request-agent">asked by {a.agent}</span>}
                <Elapsed since={a.since} />
            </header>
            {lead && a.text !== label && <p class="request-text">{a.text}</p>}
            {text !== null && (
                <Fold key={`${attentionKey(a)} ${missing}`}>
                    <Detail form={a.form} text={text} />
                </Fold>
            )}
            {missing && <p class="request-hint">This is the beginning; the rest is being fetched.</p>}
            {a.more > 0 && <p class="request-hint">{plural(a.more, "more request")} of this session {a.more === 1 ? "waits" : "wait"} behind it.</p>}
            {isRequest(a) && <p class="request-hint">{hintOf(a, hosted)}</p>}
        </section>
    );
}

function hintOf(a: Attention, hosted: boolean): string {
    const where = hosted ? "in its terminal" : "in the agent's own terminal";
    return a.certain ? `Answer ${where}.` : `A guess: nothing was heard for a while. Look ${where}.`;
}
