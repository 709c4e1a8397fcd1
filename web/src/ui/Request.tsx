/* Why a person is wanted, in the panel: all of it, readable. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { attentionKey, attentionLabel, isRequest, type Attention } from "../core/attention";
import type { Summary } from "../core/messages";
import { kindWords, type Request as Asked } from "../core/request";
import { isBusy, toneOf } from "../core/status";
import { Answer } from "./Answer";
import { Detail } from "./Detail";
import { Elapsed } from "./Elapsed";
import { Fold } from "./Fold";
import { ShapeIcon } from "./icons";
import { RequestText } from "./InboxItem";
import { INBOX_PATH } from "./routes";
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

/** What is asked, with its answer, where the inbox has it; else what is known of it. */
export function Request({ s, hosted }: { s: Summary; hosted: boolean }) {
    const { inbox } = useServices().store;
    const ids = inbox.ofSession(s.id);
    const requests = ids.map((id) => inbox.find(id)).filter((r) => r !== undefined) as Asked[];
    const sent = requests.length === 0 ? inbox.underWay(s.id) : null;
    if (requests.length > 0)
        return (
            <>
                {requests.slice(0, REQUESTS_MAX).map((r) => (
                    <Answerable key={r.id} r={r} />
                ))}
                {requests.length > REQUESTS_MAX && (
                    <p class="request-more">
                        <a href={INBOX_PATH}>{requests.length - REQUESTS_MAX} more are in the inbox</a>
                    </p>
                )}
            </>
        );
    if (sent && s.attention && isRequest(s.attention))
        return (
            <section class="request" data-tone="seen" aria-label="Answered">
                <p class="detail-text">{sent}…</p>
            </section>
        );
    return <Known s={s} hosted={hosted} />;
}

/** More of one session nobody answers here. */
const REQUESTS_MAX = 5;

function Answerable({ r }: { r: Asked }) {
    const { answering } = useServices();
    useLayoutEffect(() => answering.placed("panel", r), [r]);
    useLayoutEffect(() => () => answering.removed("panel", r.id), [r.id]);
    const label = kindWords(r);
    return (
        <section class="request" data-tone="needs" data-guess={!r.certain} aria-label={label}>
            <header>
                <ShapeIcon shape={r.kind} />
                <b>{label}</b>
                {r.tool && r.kind !== "question" && r.kind !== "plan" && <span class="chip">{r.tool}</span>}
                {r.agent && <span class="request-agent">asked by {r.agent}</span>}
                <Elapsed since={r.askedAt} />
            </header>
            <RequestText key={r.digest} r={r} view="panel" />
            <Answer requests={[r]} />
        </section>
    );
}

function Known({ s, hosted }: { s: Summary; hosted: boolean }) {
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
