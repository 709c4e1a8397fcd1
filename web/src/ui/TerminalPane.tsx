/* A terminal with its bar. The emulator is loaded when the first one is opened. */

import { effect, useComputed, useSignal, useSignalEffect, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { linkFate } from "../core/links";
import type { Summary } from "../core/messages";
import { titleOf } from "../core/status";
import { paneState } from "../core/terminals";
import { terminalEnvironment } from "../net/browser";
import type { TerminalView } from "../term/view";
import { KeyRow } from "./KeyRow";
import { LinkQuestion } from "./LinkQuestion";
import { sessionPath, terminalPath } from "./routes";
import { useServices, type Services } from "./services";
import { TerminalBar } from "./TerminalBar";
import { TerminalSearch } from "./TerminalSearch";
import { terminalKey, type TerminalAction } from "./terminal_keys";
import { useVisibleHeight } from "./viewport";

interface Props {
    s: Summary;
    terminalId: string;
    full: boolean;
}

export function TerminalPane({ s, terminalId, full }: Props) {
    const services = useServices();
    const { store, router, wanted } = services;
    const host = useRef<HTMLDivElement>(null);
    const view = useSignal<TerminalView | null>(null);
    const failed = useSignal(false);
    const searching = useSignal(false);
    const asked = useSignal<string | null>(null);
    useVisibleHeight();

    const leave = () => {
        if (router.route.peek().name === "terminal") router.go(sessionPath(s.id));
        else document.querySelector<HTMLElement>(".panel")?.focus();
    };
    const actions: Record<TerminalAction, () => void> = {
        search: () => (searching.value = true),
        copy: () => void view.peek()?.copy(),
        leave,
        full: () => router.go(router.route.peek().name === "terminal" ? sessionPath(s.id) : terminalPath(s.id)),
        larger: () => services.prefs.zoom(1),
        smaller: () => services.prefs.zoom(-1),
        normal: () => services.prefs.zoom(0),
    };
    const openLink = (uri: string) => {
        const fate = linkFate(uri);
        if (fate === "open") window.open(uri, "_blank", "noopener,noreferrer");
        else if (fate !== "refuse") asked.value = uri;
    };
    const latest = useRef({ actions, openLink });
    latest.current = { actions, openLink };

    useEffect(() => {
        let opened: TerminalView | null = null;
        let gone = false;
        loadView(services, s.id, terminalId, latest).then(
            (made) => {
                if (gone) made.dispose();
                else {
                    opened = view.value = made;
                    made.open(host.current!);
                }
            },
            () => (failed.value = true),
        );
        return () => {
            gone = true;
            view.value = null;
            opened?.dispose();
        };
    }, [terminalId]);
    useReconnect(view);
    // Not with the next picture, as useSignalEffect does: what is typed next must not overtake it.
    useEffect(
        () =>
            effect(() => {
                const text = services.typed.value;
                if (!view.value || text === "") return;
                services.typed.value = "";
                view.value.send(text);
            }),
        [],
    );

    const state = useComputed(() => {
        const socket = view.value?.socket;
        return socket ? paneState(socket.link.value, socket.program.value?.connection ?? null) : "connecting";
    });
    // Whoever opens a terminal is going to type. On glass that would bring up a keyboard over half of what is to be read, so
    // there only who asked for it, or made it fill the screen. Whoever has moved on meanwhile is left alone.
    useEffect(() => {
        if (!view.value) return;
        const asked = full || wanted.peek() === s.id;
        const hasKeys = !window.matchMedia("(hover: none)").matches;
        const waits = document.activeElement === document.body || document.activeElement?.matches(".panel");
        if (!asked && !(hasKeys && waits)) return;
        wanted.value = null;
        view.value.focus();
    }, [view.value, full]);

    const terminal = store.terminals.find(terminalId);
    return (
        <section class="terminal-pane" data-state={state} data-full={full} aria-label={`Terminal of ${titleOf(s)}`}>
            <TerminalBar s={s} terminalId={terminalId} terminal={terminal} view={view} state={state} full={full} actions={actions} />
            <div class="terminal-stage">
                <div class="terminal-screen" ref={host} />
                {failed.value && <LoadFailed />}
                {searching.value && view.value && <TerminalSearch view={view.value} onClose={() => (searching.value = false)} />}
                {view.value && <Bell count={view.value.bell} />}
            </div>
            {view.value && <KeyRow view={view.value} />}
            {asked.value !== null && <LinkQuestion uri={asked.value} onClose={() => (asked.value = null)} />}
        </section>
    );
}

interface Handlers {
    actions: Record<TerminalAction, () => void>;
    openLink(uri: string): void;
}

async function loadView(
    { environment, theme, prefs, store, commands }: Services,
    id: string,
    terminalId: string,
    handlers: { current: Handlers },
): Promise<TerminalView> {
    const { TerminalView } = await import("../term/view");
    return new TerminalView({
        env: terminalEnvironment(environment, id, terminalId),
        palette: theme.current,
        fontSize: prefs.fontSize,
        spoken: prefs.spoken,
        isAlone: () => (store.terminals.find(terminalId)?.viewers ?? 0) === 0,
        tell: (sentence) => commands.tell(sentence),
        openLink: (uri) => handlers.current.openLink(uri),
        onKey(e) {
            const action = terminalKey(e);
            // The browser's own paste reaches the terminal; its other meanings of these keys are not wanted.
            if (action === null || action === "paste") return action !== null;
            e.preventDefault();
            if (e.type === "keydown") handlers.current.actions[action]();
            return true;
        },
    });
}

/** When the board has come back, or the network, its terminals do not wait for their own time. */
function useReconnect(view: ReadonlySignal<TerminalView | null>): void {
    const { socket } = useServices();
    const live = useRef(socket.connection.peek().phase === "live");
    useSignalEffect(() => {
        const before = live.current;
        live.current = socket.connection.value.phase === "live";
        if (live.current && !before) view.peek()?.socket.renew();
    });
}

/** A program that wants attention gets a breath of colour, never a sound. */
function Bell({ count }: { count: ReadonlySignal<number> }) {
    return count.value > 0 ? <i key={count.value} class="terminal-bell" aria-hidden="true" /> : null;
}

function LoadFailed() {
    return (
        <div class="terminal-failed" role="alert">
            <p>The terminal could not be loaded. The daemon may have been upgraded meanwhile.</p>
            <button class="button" type="button" onClick={() => location.reload()}>
                Reload the page
            </button>
        </div>
    );
}
