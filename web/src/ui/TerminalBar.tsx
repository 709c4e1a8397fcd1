import { useSignal, type ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Summary } from "../core/messages";
import { titleOf } from "../core/status";
import { exitWords, isRunning, type PaneState, type Terminal } from "../core/terminals";
import type { TerminalView } from "../term/view";
import { Elapsed } from "./Elapsed";
import { FullIcon, LargerIcon, LeaveIcon, SearchIcon, SmallerIcon } from "./icons";
import { useServices } from "./services";
import type { TerminalAction } from "./terminal_keys";
import { plural } from "./words";

interface Props {
    s: Summary;
    terminalId: string;
    terminal: Terminal | undefined;
    view: ReadonlySignal<TerminalView | null>;
    state: ReadonlySignal<PaneState>;
    full: boolean;
    actions: Record<TerminalAction, () => void>;
}

const WORDS: Record<PaneState, string> = {
    connecting: "Connecting",
    starting: "Starting",
    live: "Running",
    reconnecting: "Reconnecting",
    restoring: "Restoring",
    restored: "Restored",
    ended: "Exited",
    deleted: "Gone",
};

/** What goes on and what can be done about it; always one line, so that the screen below never moves. */
export function TerminalBar(props: Props) {
    const { s, terminalId, full } = props;
    const asking = useSignal(false);
    return (
        <header class="terminal-bar">
            {asking.value ? (
                <EndQuestion s={s} terminalId={terminalId} onClose={() => (asking.value = false)} />
            ) : (
                <>
                    {full && <h2 class="terminal-title">{titleOf(s)}</h2>}
                    <TerminalState {...props} />
                    <Tools {...props} onEnd={() => (asking.value = true)} />
                </>
            )}
        </header>
    );
}

function TerminalState({ terminal, view, state }: Props) {
    const now = state.value;
    const program = view.value?.socket.program.value ?? terminal;
    const exit = now === "ended" && program ? exitWords(program) : "";
    return (
        <div class="terminal-state" title={terminal && aboutOf(terminal)}>
            <i aria-hidden="true" />
            <b role="status">{WORDS[now]}</b>
            {exit && <span class="terminal-exit">{exit}</span>}
            {terminal && <Circumstances terminal={terminal} state={now} />}
        </div>
    );
}

/** What is worth knowing, but not always worth showing. */
function aboutOf({ trouble, lost, screenTitle, command, directory }: Terminal): string {
    return [trouble, lost, screenTitle || command, directory].filter(Boolean).join("\n");
}

function Circumstances({ terminal, state }: { terminal: Terminal; state: PaneState }) {
    if (state === "restored") return <span>as it was when the machine went down</span>;
    if (state === "ended" && terminal.endedAt !== null)
        return (
            <span>
                <Elapsed since={terminal.endedAt} form="ago" />
            </span>
        );
    if (state !== "live") return null;
    return (
        <>
            {terminal.trouble !== null && <span class="terminal-trouble">not kept on disk</span>}
            {terminal.lost !== null && <span class="terminal-trouble">files damaged</span>}
            <span class="terminal-since">
                started <Elapsed since={terminal.startedAt} form="ago" />
            </span>
            {terminal.lastOutputAt !== null && (
                <span class="terminal-last">
                    output <Elapsed since={terminal.lastOutputAt} form="ago" />
                </span>
            )}
            {terminal.viewers > 1 && <span>{plural(terminal.viewers, "viewer")}</span>}
        </>
    );
}

function Tools({ s, terminal, view, state, full, actions, onEnd }: Props & { onEnd: () => void }) {
    const { prefs, commands } = useServices();
    const resuming = useSignal(false);
    const over = state.value === "ended" || state.value === "restored";
    const resume = async () => {
        resuming.value = true;
        await commands.resume(s.id);
        resuming.value = false;
        view.peek()?.focus();
    };
    return (
        <div class="terminal-tools">
            <button class="spoken-toggle" type="button" aria-pressed={prefs.spoken.value} onClick={() => (prefs.spoken.value = !prefs.spoken.peek())}>
                Screen reader mode
            </button>
            {over ? (
                <button class="button primary" type="button" disabled={resuming.value} onClick={() => void resume()}>
                    Resume
                </button>
            ) : (
                <button class="button plain terminal-end" type="button" disabled={!isRunning(terminal)} onClick={onEnd}>
                    End
                </button>
            )}
            <Tool label="Search" keys="Ctrl+Shift+F" run={actions.search}>
                <SearchIcon />
            </Tool>
            <Tool label="Smaller letters" keys="Ctrl+Shift+−" run={actions.smaller}>
                <SmallerIcon />
            </Tool>
            <Tool label="Larger letters" keys="Ctrl+Shift++" run={actions.larger}>
                <LargerIcon />
            </Tool>
            {full ? (
                <button class="button terminal-leave" type="button" aria-label="Leave full screen" onClick={actions.leave}>
                    <LeaveIcon /> <span>Leave full screen</span> <kbd>Ctrl+Shift+L</kbd>
                </button>
            ) : (
                <Tool label="Full screen" keys="Ctrl+Shift+Enter" run={actions.full}>
                    <FullIcon />
                </Tool>
            )}
        </div>
    );
}

function Tool({ label, keys, run, children }: { label: string; keys: string; run: () => void; children: ComponentChildren }) {
    return (
        <button class="icon-button" type="button" title={`${label} (${keys})`} aria-label={label} onClick={run}>
            {children}
        </button>
    );
}

/** Ending cannot be undone for what the program has in its head. */
function EndQuestion({ s, terminalId, onClose }: { s: Summary; terminalId: string; onClose: () => void }) {
    const { commands } = useServices();
    const first = useRef<HTMLButtonElement>(null);
    useEffect(() => first.current?.focus(), []);
    const end = () => {
        onClose();
        void commands.endTerminal(s.id, terminalId);
    };
    const onKey = (e: KeyboardEvent) => {
        if (e.key !== "Escape") return;
        e.preventDefault();
        onClose();
    };
    return (
        <div class="terminal-question" role="alertdialog" aria-label="End the program?" onKeyDown={onKey}>
            <span>End what runs here? Its screen stays.</span>
            <button ref={first} class="button plain" type="button" onClick={onClose}>
                Cancel
            </button>
            <button class="button bad" type="button" onClick={end}>
                End it
            </button>
        </div>
    );
}
