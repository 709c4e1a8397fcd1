import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { isAnswerable } from "../core/answer";
import type { Summary } from "../core/messages";
import type { Request } from "../core/request";
import { isAgent, labelOf, needsYou, sentenceOf, shapeOf, shortTitle, sinceOf, titleOf, toneOf } from "../core/status";
import { isRunning } from "../core/terminals";
import { minuteTime } from "../core/time";
import { CardAnswer } from "./CardAnswer";
import { CardBody } from "./CardBody";
import { CloseQuestion } from "./CloseQuestion";
import { agentColor, cssColor } from "./colors";
import { Elapsed } from "./Elapsed";
import { useHighlight } from "./highlight";
import { CloseIcon, ShapeIcon } from "./icons";
import { sessionPath } from "./routes";
import { useServices } from "./services";
import { AgentChip, TeamChip } from "./TeamChips";
import { TranscriptMark } from "./TranscriptMark";
import { evidenceOf, markWords, modelOf, plural } from "./words";

/**
 * One session, in the group of the directory `within` or in one of a status. All cards are equally high whatever they show,
 * so that news never moves the others.
 */
export function Card({ id, within }: { id: string; within: string }) {
    const { store, open, closing, team, now } = useServices();
    const s = store.find(id)?.value;
    const asks = useComputed(() => store.inbox.ofSession(id)[0]).value;
    const request = asks === undefined ? undefined : store.inbox.find(asks);
    const answerable = s !== undefined && toneOf(s) === "needs" && request !== undefined && isAnswerable(request) ? request : null;
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
            data-kind={s.attention?.kind}
            data-guess={s.attention?.certain === false}
            data-pointed={pointed}
            data-answerable={answerable !== null}
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
                <CardText s={s} within={within} request={answerable} />
            </a>
            {answerable ? <CardAnswer r={answerable} /> : <CardMeta s={s} />}
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

function CardText({ s, within, request }: { s: Summary; within: string; request: Request | null }) {
    const { number, text } = shortTitle(s);
    const still = !needsYou(s) && ["idle", "ended", "running"].includes(toneOf(s));
    return (
        <>
            <span class="card-status" title={evidenceOf(s)}>
                <ShapeIcon shape={shapeOf(s)} />
                <span class="card-label">{labelOf(s)}</span>
                {s.projectPath !== within && (
                    <span class="card-project" title={s.projectPath}>
                        {s.projectName}
                    </span>
                )}
                <Elapsed since={sinceOf(s)} form={still ? "rough" : "exact"} />
            </span>
            <span class="card-title" title={titleOf(s)}>
                {cssColor(s.accentColor) && <i class="swatch" />}
                <span>{text}</span>
                {number && <span class="number">{number}</span>}
            </span>
            <CardBody s={s} request={request} />
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

/** What does not run any more can be brought back, and what is about to be put to rest can be kept. */
function ResumeOr({ s, children }: { s: Summary; children: ComponentChildren }) {
    const { store, commands } = useServices();
    const terminal = store.terminals.find(store.terminals.of(s));
    if (terminal && terminal.restsAt !== null)
        return (
            <>
                <span class="card-rests">Rests at {minuteTime(terminal.restsAt)}</span>
                <button
                    class="button card-resume"
                    type="button"
                    title="Nothing runs in it and nobody looks. It can be resumed afterwards."
                    aria-label={`Keep ${titleOf(s)}, which rests at ${minuteTime(terminal.restsAt)} because nothing runs in it`}
                    onClick={() => void commands.keepTerminal(s.id, terminal.terminalId)}
                >
                    Keep
                </button>
            </>
        );
    if (!terminal || isRunning(terminal)) return <>{children}</>;
    return (
        <button class="button card-resume" type="button" aria-label={`Resume ${titleOf(s)}`} onClick={() => void commands.resume(s.id)}>
            Resume
        </button>
    );
}
