import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Announcer } from "./Announcer";
import { Board } from "./Board";
import { ConnectionBanner } from "./ConnectionBanner";
import { Header } from "./Header";
import { HealthView } from "./HealthView";
import { HelpDialog } from "./HelpDialog";
import { enterTerminal, installKeys, sessionHere, type Shortcut } from "./keys";
import { NewTerminal } from "./NewTerminal";
import { Notices } from "./Notices";
import { BOARD_PATH, HEALTH_PATH, sessionPath, terminalPath } from "./routes";
import { SessionPanel, closePanel, startRename } from "./SessionPanel";
import { useServices, type Services } from "./services";

export function App() {
    const services = useServices();
    const { router, socket, launching, motion } = services;
    const help = useSignal(false);
    const shortcuts = useMemo(() => shortcutsOf(services, () => (help.value = true)), [services]);
    useEffect(
        () =>
            installKeys({
                shortcuts,
                escape: (typing) => escape(services, typing),
                type: (text) => (services.typed.value += text),
                find: () => find(services),
            }),
        [services, shortcuts],
    );

    const { name, params } = router.route.value;
    const panel = name === "session" || name === "terminal";
    const stale = socket.connection.value.phase !== "live";
    return (
        <div class="app" data-panel={panel} data-full={name === "terminal"} data-still={motion.still}>
            <Header onHelp={() => (help.value = true)} />
            <ConnectionBanner />
            <div class="stage">
                <main data-stale={stale} aria-label={name === "health" ? "Health" : "Sessions"}>
                    {name === "health" ? <HealthView /> : <Board />}
                </main>
                {panel && <SessionPanel name={params.id ?? ""} full={name === "terminal"} />}
            </div>
            <Notices />
            <Announcer />
            {launching.value && <NewTerminal onClose={() => (launching.value = false)} />}
            {help.value && <HelpDialog shortcuts={shortcuts} onClose={() => (help.value = false)} />}
        </div>
    );
}

function shortcutsOf({ theme, store, router, closing, launching, prefs, open, board }: Services, showHelp: () => void): Shortcut[] {
    const enter = () => (document.activeElement as HTMLElement | null)?.click();
    const close = () => {
        const here = sessionHere();
        if (here) closing.request(here.id, here.place);
    };
    const regroup = () => {
        store.grouping.value = store.grouping.peek() === "project" ? "status" : "project";
    };
    const glance = () => {
        prefs.thumbnails.value = !prefs.thumbnails.peek();
    };
    const full = () => {
        const id = open.peek();
        if (id !== null && document.querySelector(".terminal-pane")) router.go(terminalPath(id));
    };
    const health = () => router.go(router.route.peek().name === "health" ? BOARD_PATH : HEALTH_PATH);
    return [
        { keys: ["j", "ArrowRight"], shown: ["j", "→"], what: "Next session", run: () => board.step(1) },
        { keys: ["k", "ArrowLeft"], shown: ["k", "←"], what: "Previous session", run: () => board.step(-1) },
        { keys: ["ArrowDown"], shown: ["↓"], what: "Row below", run: () => board.stepRow(1) },
        { keys: ["ArrowUp"], shown: ["↑"], what: "Row above", run: () => board.stepRow(-1) },
        { keys: ["o"], shown: ["Enter", "o"], what: "Open the session", run: enter },
        { keys: ["x", "Delete"], shown: ["x", "Del"], what: "Close the card", run: close },
        { keys: ["n"], shown: ["n"], what: "New terminal", run: () => (launching.value = true) },
        { keys: ["i"], shown: ["i"], what: "Type into the open terminal", run: () => void enterTerminal() },
        { keys: ["f"], shown: ["f"], what: "Full screen for the open terminal", run: full },
        { keys: ["v"], shown: ["v"], what: "Terminals on the cards, or not", run: glance },
        { keys: ["e"], shown: ["e"], what: "Rename the open session", run: startRename },
        { keys: [], shown: ["Esc"], what: "Close the panel, leave the filter", run: () => {} },
        { keys: ["/"], shown: ["/", "Ctrl+F"], what: "Filter", run: focusFilter },
        { keys: ["g"], shown: ["g"], what: "Group by project or by status", run: regroup },
        { keys: ["h"], shown: ["h"], what: "Health of the daemon and the hooks", run: health },
        { keys: ["t"], shown: ["t"], what: "Light or dark", run: theme.toggle },
        { keys: ["?"], shown: ["?"], what: "This help", run: showHelp },
    ];
}

const focusFilter = () => document.getElementById("filter")?.focus();

/** Into the filter, where the board is larger than what is drawn of it. */
function find({ board, router }: Services): boolean {
    if (router.route.peek().name === "health" || !board.isPartial()) return false;
    focusFilter();
    return true;
}

/** Leaves what was entered last: a question, the filter, the panel. */
function escape(services: Services, typing: boolean): void {
    const { store, router, closing, open } = services;
    if (closing.asked.peek() !== null) closing.cancel();
    else if (typing) {
        store.filter.value = "";
        (document.activeElement as HTMLElement).blur();
    } else if (router.route.peek().name === "terminal") router.go(sessionPath(open.peek() ?? ""));
    else if (router.route.peek().name === "session") closePanel(services);
    else if (router.route.peek().name === "health") router.go(BOARD_PATH);
    else {
        store.filter.value = "";
        store.only.value = null;
    }
}
