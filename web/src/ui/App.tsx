import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Announcer } from "./Announcer";
import { Board } from "./Board";
import { ConnectionBanner } from "./ConnectionBanner";
import { Header } from "./Header";
import { HelpDialog } from "./HelpDialog";
import { installKeys, stepCard, stepRow, type Shortcut } from "./keys";
import { SessionPanel, closePanel } from "./SessionPanel";
import { useServices, type Services } from "./services";

export function App() {
    const services = useServices();
    const { router, socket } = services;
    const help = useSignal(false);
    const shortcuts = useMemo(() => shortcutsOf(services, () => (help.value = true)), [services]);
    useEffect(() => installKeys(shortcuts, (typing) => escape(services, typing)), [services, shortcuts]);

    const { name, params } = router.route.value;
    const stale = socket.connection.value.phase !== "live";
    return (
        <div class="app" data-panel={name === "session"}>
            <Header onHelp={() => (help.value = true)} />
            <ConnectionBanner />
            <div class="stage">
                <main data-stale={stale} aria-label="Sessions">
                    <Board />
                </main>
                {name === "session" && <SessionPanel name={params.id ?? ""} />}
            </div>
            <Announcer />
            {help.value && <HelpDialog shortcuts={shortcuts} onClose={() => (help.value = false)} />}
        </div>
    );
}

function shortcutsOf({ theme }: Services, showHelp: () => void): Shortcut[] {
    const enter = () => (document.activeElement as HTMLElement | null)?.click();
    return [
        { keys: ["j", "ArrowRight"], shown: ["j", "→"], what: "Next session", run: () => stepCard(1) },
        { keys: ["k", "ArrowLeft"], shown: ["k", "←"], what: "Previous session", run: () => stepCard(-1) },
        { keys: ["ArrowDown"], shown: ["↓"], what: "Row below", run: () => stepRow(1) },
        { keys: ["ArrowUp"], shown: ["↑"], what: "Row above", run: () => stepRow(-1) },
        { keys: ["o"], shown: ["Enter", "o"], what: "Open the session", run: enter },
        { keys: [], shown: ["Esc"], what: "Close the panel, leave the filter", run: () => {} },
        { keys: ["/"], shown: ["/"], what: "Filter", run: () => document.getElementById("filter")?.focus() },
        { keys: ["t"], shown: ["t"], what: "Light or dark", run: theme.toggle },
        { keys: ["?"], shown: ["?"], what: "This help", run: showHelp },
    ];
}

/** Leaves what was entered last: first the filter, then the panel. */
function escape({ store, router }: Services, typing: boolean): void {
    if (typing) {
        store.filter.value = "";
        (document.activeElement as HTMLElement).blur();
    } else if (router.route.peek().name === "session") closePanel(router);
    else store.filter.value = "";
}
