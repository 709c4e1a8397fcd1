/* The last requests that ended: how, by whom, from where, when. Each can still be read. */

import { useSignal } from "@preact/signals";
import { endSentence, kindWords, lineOf, whoOf, type Request } from "../core/request";
import { dayTime } from "../core/time";
import { Detail } from "./Detail";
import { ShapeIcon } from "./icons";
import { useServices } from "./services";

/** So many are shown before somebody wants more. */
const FIRST = 12;

export function EndedList() {
    const ended = useServices().store.inbox.ended.value;
    const all = useSignal(false);
    if (ended.length === 0) return null;
    const shown = all.value ? ended : ended.slice(0, FIRST);
    return (
        <section class="ended" aria-labelledby="ended-title">
            <h2 id="ended-title">Ended</h2>
            <ul>
                {shown.map((r) => (
                    <EndedRow key={r.id} r={r} />
                ))}
            </ul>
            {ended.length > shown.length && (
                <button class="button plain" type="button" onClick={() => (all.value = true)}>
                    Show the last {ended.length}
                </button>
            )}
        </section>
    );
}

function EndedRow({ r }: { r: Request }) {
    const { now } = useServices();
    const open = useSignal(false);
    const { project, title } = whoOf(r);
    const line = lineOf(r);
    return (
        <li>
            <details onToggle={(e) => (open.value = e.currentTarget.open)}>
                <summary>
                    <ShapeIcon shape={r.kind} />
                    <span class="ended-what" title={kindWords(r)}>
                        {r.form === "command" ? <code>{line.slice(0, 300)}</code> : line.slice(0, 300)}
                    </span>
                    <span class="ended-who">
                        <b>{project}</b> {title}
                    </span>
                    <span class="ended-how" data-state={r.state}>
                        {endSentence(r)}
                    </span>
                    <time>{r.endedAt === null ? "" : dayTime(r.endedAt, now.peek())}</time>
                </summary>
                {open.value && (
                    <div class="ended-text">
                        {r.detail === null ? <p class="detail-text">{r.text}</p> : <Detail form={r.form} text={r.detail} />}
                        {r.note && <p class="answer-words">{r.note}</p>}
                    </div>
                )}
            </details>
        </li>
    );
}
