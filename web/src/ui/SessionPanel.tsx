import { useEffect, useRef } from "preact/hooks";
import type { Summary } from "../core/messages";
import { STATUS_INFO, askOf, titleOf, toneOf } from "../core/status";
import { dayTime } from "../core/time";
import { Elapsed } from "./Elapsed";
import { CloseIcon, StatusIcon } from "./icons";
import { focusCard } from "./keys";
import { BOARD_PATH, type Router } from "./routes";
import { useServices } from "./services";
import { SessionLogs } from "./SessionLogs";
import { evidenceOf, modelOf, plural } from "./words";

/** One session beside the board; on a phone, instead of it. */
export function SessionPanel({ name }: { name: string }) {
    const { store } = useServices();
    const s = store.find(name)?.value;
    const ref = useRef<HTMLElement>(null);
    // The panel takes the focus when it opens, so that a reader of the screen learns of it and Esc is at hand.
    useEffect(() => ref.current?.focus({ preventScroll: true }), [s?.id]);
    return (
        <aside class="panel" ref={ref} tabIndex={-1} aria-label={s ? `Session ${titleOf(s)}` : "Session"}>
            {s ? <Details s={s} /> : store.loaded.value && <Unknown name={name} />}
        </aside>
    );
}

/** Back to the board, with the focus on the card that was open. */
export function closePanel(router: Router): void {
    const path = location.pathname;
    router.go(BOARD_PATH);
    requestAnimationFrame(() => focusCard(path)); // on a phone the cards are hidden until the panel is gone
}

function CloseButton() {
    const { router } = useServices();
    return (
        <button
            class="icon-button close"
            type="button"
            onClick={() => closePanel(router)}
            title="Close (Esc)"
            aria-label="Close"
        >
            <CloseIcon />
        </button>
    );
}

function Unknown({ name }: { name: string }) {
    return (
        <>
            <header class="panel-head">
                <h2>Unknown session</h2>
                <CloseButton />
            </header>
            <div class="notice">
                <p>
                    The board has no session <code>{name}</code>. It may have ended and been cleared away.
                </p>
                <a class="button" href={BOARD_PATH}>
                    Back to the board
                </a>
            </div>
        </>
    );
}

function Details({ s }: { s: Summary }) {
    const { store, socket } = useServices();
    const logs = store.logs(s.id).value;
    useEffect(() => {
        socket.open(s.id);
        return () => {
            socket.close(s.id);
            store.dropLogs(s.id);
        };
    }, [s.id]);
    const ask = askOf(s);
    return (
        <>
            <header class="panel-head" data-tone={toneOf(s)}>
                <div class="panel-status" title={evidenceOf(s)}>
                    <StatusIcon status={s.status} />
                    <span>{STATUS_INFO[s.status].label}</span>
                    <Elapsed since={s.statusSince} />
                </div>
                <h2>{titleOf(s)}</h2>
                <CloseButton />
            </header>
            {ask && (
                <div class="panel-ask">
                    <code>{ask}</code>
                    <p>Answer in the agent's own terminal.</p>
                </div>
            )}
            {!ask && s.tool && (
                <div class="panel-tool">
                    <b>{s.tool.tool}</b> <code>{s.tool.input}</code>
                    <Elapsed since={s.tool.since} />
                </div>
            )}
            <Facts s={s} />
            <SessionLogs key={s.id} logs={logs} />
        </>
    );
}

function Facts({ s }: { s: Summary }) {
    const { now } = useServices();
    const facts: [string, string | null, boolean?][] = [
        ["Project", s.projectPath || s.projectName, true],
        ["Agent", modelOf(s)],
        ["Runs in", s.source],
        ["Permissions", s.permissionMode],
        ["Started", dayTime(s.startedAt, now.peek())],
        ["So far", `${plural(s.promptCount, "prompt")}, ${plural(s.toolCalls, "tool call")}`],
        ["Status", evidenceOf(s)],
        ["Session", s.sessionId, true],
    ];
    return (
        <dl class="facts">
            {facts.map(
                ([term, value, mono]) =>
                    value && (
                        <div key={term}>
                            <dt>{term}</dt>
                            <dd class={mono ? "mono" : undefined}>{value}</dd>
                        </div>
                    ),
            )}
        </dl>
    );
}
