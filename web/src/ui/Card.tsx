import { useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Summary } from "../core/messages";
import { STATUS_INFO, askOf, newsOf, sentenceOf, shortTitle, titleOf, toneOf } from "../core/status";
import { Elapsed } from "./Elapsed";
import { useHighlight } from "./highlight";
import { StatusIcon } from "./icons";
import { sessionPath } from "./routes";
import { useServices } from "./services";
import { evidenceOf, modelOf, plural, safeColor } from "./words";

/** One session. All cards are equally high whatever they show, so that news never moves the others. */
export function Card({ id }: { id: string }) {
    const { store, router } = useServices();
    const s = store.find(id)?.value;
    const ref = useRef<HTMLAnchorElement>(null);
    useHighlight(ref, id, s ? `${toneOf(s)} ${s.promptCount}` : "");
    const current = useComputed(() => {
        const { name, params } = router.route.value;
        return name === "session" && store.find(params.id ?? "")?.peek().id === id ? "true" : undefined;
    });
    if (!s) return null;
    const { number, text } = shortTitle(s);
    const color = safeColor(s.accentColor);
    return (
        <a
            ref={ref}
            class="card"
            href={sessionPath(id)}
            data-tone={toneOf(s)}
            aria-label={`${titleOf(s)}. ${sentenceOf(s)}`}
            aria-current={current}
        >
            <span class="card-status" title={evidenceOf(s)}>
                <StatusIcon status={s.status} />
                <span class="card-label">{STATUS_INFO[s.status].label}</span>
                <Elapsed since={s.statusSince} form={s.status === "idle" || s.status === "ended" ? "rough" : "exact"} />
            </span>
            <span class="card-title">
                {color && <i class="swatch" style={{ backgroundColor: color }} />}
                <span>{text}</span>
                {number && <span class="number">{number}</span>}
            </span>
            <span class="card-prompt">{s.currentPrompt ? newsOf(s) : <i>No prompt yet</i>}</span>
            <Activity s={s} />
            <span class="card-meta">
                <span class="chip">{modelOf(s)}</span>
                {s.source && <span class="chip">{s.source}</span>}
                {s.subagentCount > 0 && (
                    <span class="chip" title={s.lastSubagentName ? `Newest: ${s.lastSubagentName}` : undefined}>
                        {plural(s.subagentCount, "subagent")}
                    </span>
                )}
                <span class="card-tools">{plural(s.toolCalls, "tool call")}</span>
            </span>
        </a>
    );
}

/** The line that says what goes on: the question, what broke it off, the tool in flight, or how long ago something did. */
function Activity({ s }: { s: Summary }) {
    const ask = askOf(s);
    if (ask)
        return (
            <span class="card-activity ask" title={s.waitingDetail ?? ask}>
                <code>{ask}</code>
            </span>
        );
    if (s.error)
        return (
            <span class="card-activity failed" title={s.error.detail || s.error.kind}>
                <b>Error</b> <code>{s.error.kind.replaceAll("_", " ")}</code>
            </span>
        );
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
