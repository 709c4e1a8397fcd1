/* What a card has to say below its title: what is asked, what was said, what goes on. It always fills the same room. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { diffLines, questionsOf, type Attention } from "../core/attention";
import { plainOf } from "../core/markdown";
import type { Summary } from "../core/messages";
import type { Request } from "../core/request";
import { hasEnded, hasFailed, isAgent, lastWordsOf, newsOf, toneOf } from "../core/status";
import { Elapsed } from "./Elapsed";
import { useServices } from "./services";
import { Thumbnail } from "./Thumbnail";

/** More of a text than a card has room for. */
const SHOWN_MAX = 600;

export function CardBody({ s, request }: { s: Summary; request: Request | null }) {
    const { prefs, store } = useServices();
    const tone = toneOf(s);
    if (tone === "needs" || hasFailed(s)) return <Ask s={s} request={request} />;
    const terminalId = prefs.thumbnails.value && s.attention === null ? store.terminals.of(s) : null;
    if (terminalId !== null) return <Thumbnail terminalId={terminalId} />;
    return (
        <>
            <Said s={s} />
            {s.attention === null && !hasEnded(s) && <Activity s={s} />}
        </>
    );
}

/** What is asked, or what broke it off; where there is not enough room, the card says so and leads to the rest. */
function Ask({ s, request }: { s: Summary; request: Request | null }) {
    const { reading, answering } = useServices();
    const box = useRef<HTMLSpanElement>(null);
    // What can be answered on this card is what is shown on it, to the letter.
    const a = s.attention && request ? { ...s.attention, text: request.text, detail: request.detail, form: request.form, cut: false } : s.attention;
    const shown = a ? asked(a) : errorText(s);
    useLayoutEffect(() => {
        const text = box.current!.firstElementChild!;
        const longer = (a !== null && isPart(a)) || text.scrollHeight > text.clientHeight + 1;
        box.current!.dataset.longer = String(longer);
        if (request) answering.setPart("card", request, longer);
    });
    return (
        <span class="card-ask" ref={box} onClick={() => (reading.value = s.id)}>
            <span class="card-ask-text">{shown}</span>
            <span class="card-more">… show all</span>
        </span>
    );
}

/** Whether what `asked` shows is less than all of it. */
function isPart({ cut, detail, form, text }: Attention): boolean {
    if (cut || detail === null) return cut;
    if (form === "question") return questionsOf(detail).length > 1;
    if (form === "text") return detail.replace(/\s+/g, " ").trim() !== text.trim();
    return detail.length > SHOWN_MAX;
}

function asked(a: Attention): ComponentChildren {
    if (a.detail === null) return a.text;
    if (a.form === "command") return <code>{a.detail.slice(0, SHOWN_MAX)}</code>;
    if (a.form === "markdown") return plainOf(a.detail.slice(0, SHOWN_MAX));
    if (a.form === "diff") return <Changes text={a.text} lines={diffLines(a.detail.slice(0, SHOWN_MAX))} />;
    if (a.form !== "question") return a.text;
    const first = questionsOf(a.detail)[0];
    if (!first) return a.text;
    return (
        <>
            {first.text}
            <span class="card-options">
                {first.options.map((option) => (
                    <i key={option.label}>{option.label}</i>
                ))}
            </span>
        </>
    );
}

/** Of an edit, what is taken away and what is put there. */
function Changes({ text, lines }: { text: string; lines: ReturnType<typeof diffLines> }) {
    const changed = lines.filter(({ mark }) => mark === "added" || mark === "removed");
    return (
        <>
            {text}
            {changed.map(({ mark, text: line }, i) => (
                <code key={i} class="card-change" data-mark={mark}>
                    {mark === "added" ? "+" : "−"} {line}
                </code>
            ))}
        </>
    );
}

function errorText({ error }: Summary): string {
    if (!error) return "";
    const kind = error.kind.replaceAll("_", " ");
    return error.detail && error.detail !== error.kind ? `${kind} — ${error.detail}` : kind;
}

/** What was said there last: by you, and what the agent said to it. While it is at it, what it said is not about that yet. */
function Said({ s }: { s: Summary }) {
    const prompt = newsOf(s);
    const words = s.attention?.kind === "exited" ? s.attention.text : lastWordsOf(s)?.slice(0, SHOWN_MAX);
    const answered = words && !(prompt && toneOf(s) === "busy");
    if (!prompt && !answered) return isAgent(s) && !s.currentPrompt ? <NothingSaid /> : null;
    return (
        <span class="card-said">
            {prompt && <span data-by="you">{prompt}</span>}
            {answered && <span data-by="agent">{plainOf(words)}</span>}
        </span>
    );
}

const NothingSaid = () => (
    <span class="card-said">
        <i>No prompt yet</i>
    </span>
);

/** The line that says what goes on: the tool in flight, or how long ago something did. */
function Activity({ s }: { s: Summary }) {
    if (s.tool)
        return (
            <span class="card-activity tool-now" title={`${s.tool.tool} ${s.tool.input}`}>
                <b>{s.tool.tool}</b> <code>{s.tool.input}</code>
                <Elapsed since={s.tool.since} />
            </span>
        );
    return (
        <span class="card-activity quiet">
            Last activity <Elapsed since={s.lastActivityAt} form="ago" />
        </span>
    );
}
