import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isRequest } from "../core/attention";
import type { Summary } from "../core/messages";
import { hasEnded, isAgent, labelOf, shapeOf, sinceOf, titleOf, toneOf } from "../core/status";
import { dayTime } from "../core/time";
import { AccentPicker } from "./AccentPicker";
import { CloseQuestion } from "./CloseQuestion";
import { Earlier } from "./Earlier";
import { EditText } from "./EditText";
import { Elapsed } from "./Elapsed";
import { CloseIcon, ShapeIcon } from "./icons";
import { InboxLink } from "./InboxLink";
import { NextPrompt } from "./NextPrompt";
import { Policies } from "./Policies";
import { Request } from "./Request";
import { BOARD_PATH, sessionPath } from "./routes";
import { MuteButton } from "./MuteButton";
import { useServices, type Services } from "./services";
import { SessionLogs } from "./SessionLogs";
import { TerminalPane } from "./TerminalPane";
import { TranscriptFact } from "./TranscriptFact";
import { evidenceOf, modelOf, plural } from "./words";

/** One session beside the board; on a phone, instead of it. */
export function SessionPanel({ name, full }: { name: string; full: boolean }) {
    const { store, reading, typed } = useServices();
    const s = store.find(name)?.value;
    const ref = useRef<HTMLElement>(null);
    const view = useSignal<View>("terminal");
    const terminalId = s ? store.terminals.of(s) : null;
    // The panel takes the focus when it opens, so that a reader of the screen learns of it and Esc is at hand. A terminal in it
    // takes it from there.
    useLayoutEffect(() => {
        ref.current?.focus({ preventScroll: true });
        view.value = "terminal";
        typed.value = "";
    }, [s?.id]);
    const read = s !== undefined && reading.value === s.id;
    useLayoutEffect(() => {
        if (!read) return;
        view.value = "details";
        reading.value = null;
    }, [read]);
    return (
        <aside
            class="panel"
            ref={ref}
            tabIndex={-1}
            data-id={s?.id}
            data-view={terminalId === null ? "details" : full ? "terminal" : view.value}
            data-hosted={terminalId !== null}
            data-full={full && terminalId !== null}
            aria-label={s ? `Session ${titleOf(s)}` : "Session"}
        >
            {s ? <Session s={s} terminalId={terminalId} view={view} full={full} /> : store.loaded.value && <Unknown key={name} name={name} />}
        </aside>
    );
}

/** Back to the board, with the focus on the card that was open. */
export function closePanel({ router, board }: Services): void {
    const id = document.querySelector<HTMLElement>(".panel")?.dataset.id;
    router.go(BOARD_PATH);
    if (id) requestAnimationFrame(() => board.focus(id)); // on a phone the cards are hidden until the panel is gone
}

/** Begins to edit the title of the open session. */
export function startRename(): void {
    document.querySelector<HTMLElement>(".panel-title .edit-start")?.click();
}

function CloseButton() {
    const services = useServices();
    return (
        <button
            class="icon-button"
            type="button"
            onClick={() => closePanel(services)}
            title="Back to the board (Esc)"
            aria-label="Back to the board"
        >
            <CloseIcon />
        </button>
    );
}

/** A name that the board does not know may be one from before a resume: the daemon knows those. */
function Unknown({ name }: { name: string }) {
    const { api, store, router } = useServices();
    const asked = useSignal(false);
    useEffect(() => {
        let gone = false;
        const resolve = (id: string | null) => {
            if (gone) return;
            if (id !== null && store.find(id)) router.rename(sessionPath(id));
            else asked.value = true;
        };
        api.stableId(name).then(resolve, () => resolve(null));
        return () => {
            gone = true;
        };
    }, [name]);
    if (!asked.value) return null;
    return (
        <>
            <header class="panel-head">
                <h2>Unknown session</h2>
                <div class="panel-tools">
                    <CloseButton />
                </div>
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

type View = "terminal" | "details";

interface SessionProps {
    s: Summary;
    terminalId: string | null;
    view: Signal<View>;
    full: boolean;
}

function Session({ s, terminalId, view, full }: SessionProps) {
    const asked = useServices().closing.asked.value;
    return (
        <>
            <PanelHead s={s} view={terminalId === null ? null : view} />
            {asked?.id === s.id && asked.place === "panel" && <CloseQuestion s={s} />}
            {terminalId !== null && <TerminalPane key={terminalId} s={s} terminalId={terminalId} full={full} />}
            {(terminalId === null || view.value === "details") && <Details s={s} hosted={terminalId !== null} />}
        </>
    );
}

function Details({ s, hosted }: { s: Summary; hosted: boolean }) {
    const { store, socket } = useServices();
    const logs = store.logs(s.id).value;
    useEffect(() => {
        socket.open(s.id);
        return () => {
            socket.close(s.id);
            store.dropLogs(s.id);
        };
    }, [s.id]);
    return (
        <>
            <Request key={s.id} s={s} hosted={hosted} />
            {hosted && isAgent(s) && <NextPrompt key={`next ${s.id}`} s={s} />}
            {s.error && s.attention?.kind !== "error" && (
                <div class="panel-failed">
                    <b>{s.error.kind.replaceAll("_", " ")}</b>
                    {s.error.detail && <p>{s.error.detail}</p>}
                </div>
            )}
            {toneOf(s) === "busy" && s.tool && (
                <div class="panel-tool">
                    <b>{s.tool.tool}</b> <code>{s.tool.input}</code>
                    <Elapsed since={s.tool.since} />
                </div>
            )}
            <Facts s={s} hosted={hosted} />
            {isAgent(s) && !hasEnded(s) && <Policies key={`policies ${s.id}`} session={s.id} />}
            <Earlier key={s.sessionId} id={s.id} />
            <SessionLogs key={s.id} logs={logs} />
        </>
    );
}

function PanelHead({ s, view }: { s: Summary; view: Signal<View> | null }) {
    const { commands, closing } = useServices();
    return (
        <header class="panel-head" data-tone={toneOf(s)} data-guess={s.attention?.certain === false}>
            <div class="panel-status" title={evidenceOf(s)}>
                <ShapeIcon shape={shapeOf(s)} />
                <span>{labelOf(s)}</span>
                <Elapsed since={sinceOf(s)} />
            </div>
            <EditText
                key={`title ${s.id}`}
                class="panel-title"
                what="title"
                value={s.title}
                shown={titleOf(s)}
                max={500}
                save={(title) => (title ? commands.set(s.id, "title", title) : Promise.resolve(true))}
            />
            <div class="panel-own">
                <EditText
                    key={`label ${s.id}`}
                    class="panel-label"
                    what="label"
                    value={s.label ?? ""}
                    shown={s.label ?? "Add a label"}
                    max={200}
                    save={(label) => commands.set(s.id, "label", label)}
                />
                <AccentPicker value={s.accentColor} choose={(color) => void commands.set(s.id, "accent-color", color)} />
            </div>
            <div class="panel-tools">
                <InboxLink />
                <MuteButton session={s} />
                {view && <ViewSwitch view={view} asked={s.attention !== null && isRequest(s.attention)} />}
                <button class="button plain panel-close-card" type="button" title="Close the card (x)" onClick={() => closing.request(s.id, "panel")}>
                    Close the card
                </button>
                <CloseButton />
            </div>
        </header>
    );
}

/** What is asked stands above the details: then that is what they are opened for. */
function ViewSwitch({ view, asked }: { view: Signal<View>; asked: boolean }) {
    const views: [View, string][] = [
        ["terminal", "Terminal"],
        ["details", asked ? "Request" : "Details"],
    ];
    return (
        <div class="segments panel-views" role="group" aria-label="Show" data-asked={asked}>
            {views.map(([name, words]) => (
                <button key={name} type="button" aria-pressed={view.value === name} onClick={() => (view.value = name)}>
                    {words}
                </button>
            ))}
        </div>
    );
}

/** `researcher (Explore) in harbor-team`. */
function teamOf(s: Summary): string | null {
    if (s.teamId === null) return null;
    const who = s.agentName ?? (s.teamRole === "leader" ? "leader" : "member");
    return `${who}${s.agentType ? ` (${s.agentType})` : ""}${s.teamName ? ` in ${s.teamName}` : ""}`;
}

function Facts({ s, hosted }: { s: Summary; hosted: boolean }) {
    const { now } = useServices();
    const facts: [string, string | null, boolean?][] = [
        ["Project", s.projectPath || s.projectName, true],
        [isAgent(s) ? "Agent" : "Command", modelOf(s)],
        ["Team", teamOf(s)],
        ["Runs in", hosted ? "a terminal of ostler" : s.source],
        ["Permissions", s.permissionMode],
        ["Started", dayTime(s.startedAt, now.peek())],
        ["So far", isAgent(s) ? `${plural(s.promptCount, "prompt")}, ${plural(s.toolCalls, "tool call")}` : null],
        ["Known by", evidenceOf(s)],
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
            {s.cli === "claude" && isAgent(s) && <TranscriptFact key={s.id} s={s} />}
        </dl>
    );
}
