import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Summary } from "../core/messages";
import { askOf, hasFailed, isAgent, labelOf, newsOf, sentenceOf, shortTitle, titleOf, toneOf } from "../core/status";
import { isRunning } from "../core/terminals";
import { CloseQuestion } from "./CloseQuestion";
import { agentColor, cssColor } from "./colors";
import { Elapsed } from "./Elapsed";
import { useHighlight } from "./highlight";
import { CloseIcon, FailedIcon, StatusIcon } from "./icons";
import { sessionPath } from "./routes";
import { useServices } from "./services";
import { AgentChip, TeamChip } from "./TeamChips";
import { Thumbnail } from "./Thumbnail";
import { TranscriptMark } from "./TranscriptMark";
import { evidenceOf, markWords, modelOf, plural } from "./words";

/**
 * One session, in the group of the directory `within` or in one of a status. All cards are equally high whatever they show,
 * so that news never moves the others.
 */
export function Card({ id, within }: { id: string; within: string }) {
    const { store, open, closing, team, now } = useServices();
    const s = store.find(id)?.value;
    const ref = useRef<HTMLDivElement>(null);
    useHighlight(ref, id, s ? `${toneOf(s)} ${s.promptCount}` : "", s?.startedAt ?? 0);
    const current = useComputed(() => (open.value === id ? "true" : undefined));
    const pointed = useComputed(() => team.value !== null && store.find(id)?.peek().teamId === team.value);
    if (!s) return null;
    const asked = closing.asked.value;
    const history = markWords(s.transcript, now.peek());
    return (
        <div
            ref={ref}
            class="card-frame"
            data-id={id}
            data-tone={toneOf(s)}
            data-failed={hasFailed(s)}
            data-pointed={pointed}
            style={{ "--agent": agentColor(s.agentColor) ?? "", "--accent": cssColor(s.accentColor) ?? "" }}
        >
            <a
                class="card"
                href={sessionPath(id)}
                data-id={id}
                data-tone={toneOf(s)}
                aria-label={`${titleOf(s)}. ${sentenceOf(s)}${history ? `, ${history.text}` : ""}`}
                aria-current={current}
            >
                <CardText s={s} within={within} />
            </a>
            <CardMeta s={s} />
            <button
                class="card-close icon-button"
                type="button"
                title="Close the card (x)"
                aria-label={`Close ${titleOf(s)}`}
                onClick={() => closing.request(id, "card")}
            >
                <CloseIcon />
            </button>
            {asked?.id === id && asked.place === "card" && <CloseQuestion s={s} />}
        </div>
    );
}

function CardText({ s, within }: { s: Summary; within: string }) {
    const { prefs, store } = useServices();
    const { number, text } = shortTitle(s);
    const news = newsOf(s);
    const terminalId = prefs.thumbnails.value && !askOf(s) ? store.terminals.of(s) : null;
    return (
        <>
            <span class="card-status" title={evidenceOf(s)}>
                {hasFailed(s) ? <FailedIcon /> : <StatusIcon status={s.status} />}
                <span class="card-label">{labelOf(s)}</span>
                {s.projectPath !== within && (
                    <span class="card-project" title={s.projectPath}>
                        {s.projectName}
                    </span>
                )}
                <Elapsed since={s.statusSince} form={s.status === "idle" || s.status === "ended" ? "rough" : "exact"} />
            </span>
            <span class="card-title" title={titleOf(s)}>
                {cssColor(s.accentColor) && <i class="swatch" />}
                <span>{text}</span>
                {number && <span class="number">{number}</span>}
            </span>
            {terminalId !== null ? (
                <Thumbnail terminalId={terminalId} />
            ) : !s.currentPrompt && isAgent(s) ? (
                <span class="card-prompt">
                    <i>No prompt yet</i>
                </span>
            ) : (
                news && <span class="card-prompt">{news}</span>
            )}
            {/* The picture says what goes on, too. */}
            {(terminalId === null || s.error) && <Activity s={s} />}
        </>
    );
}

function CardMeta({ s }: { s: Summary }) {
    const { store } = useServices();
    return (
        <div class="card-meta">
            <div class="chips">
                <AgentChip s={s} />
                <TeamChip s={s} />
                {s.label && (
                    <span class="chip label" title={s.label}>
                        {s.label}
                    </span>
                )}
                <span class="chip">{modelOf(s)}</span>
                {s.source && store.terminals.of(s) === null && <span class="chip">{s.source}</span>}
                {s.subagentCount > 0 && (
                    <span class="chip" title={s.lastSubagentName ? `Newest: ${s.lastSubagentName}` : undefined}>
                        {plural(s.subagentCount, "subagent")}
                    </span>
                )}
            </div>
            <TranscriptMark s={s} />
            <ResumeOr s={s}>
                {isAgent(s) && <span class="card-tools">{plural(s.toolCalls, "tool call")}</span>}
            </ResumeOr>
        </div>
    );
}

/** What does not run any more can be brought back. */
function ResumeOr({ s, children }: { s: Summary; children: ComponentChildren }) {
    const { store, commands } = useServices();
    const terminal = store.terminals.find(store.terminals.of(s));
    if (!terminal || isRunning(terminal)) return <>{children}</>;
    return (
        <button class="button card-resume" type="button" aria-label={`Resume ${titleOf(s)}`} onClick={() => void commands.resume(s.id)}>
            Resume
        </button>
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
                <b>Error</b> <code>{errorText(s)}</code>
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

function errorText({ error }: Summary): string {
    const kind = error!.kind.replaceAll("_", " ");
    return error!.detail && error!.detail !== error!.kind ? `${kind} — ${error!.detail}` : kind;
}
