import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Announcer } from "./Announcer";
import { allowKey, formKey } from "./answer_keys";
import { Board } from "./Board";
import { ConnectionBanner } from "./ConnectionBanner";
import { Header } from "./Header";
import { HealthView } from "./HealthView";
import { HelpDialog } from "./HelpDialog";
import { InboxLink } from "./InboxLink";
import { InboxView } from "./InboxView";
import { enterTerminal, installKeys, sessionHere, type Shortcut } from "./keys";
import { NewTerminal } from "./NewTerminal";
import { Notices } from "./Notices";
import { BOARD_PATH, HEALTH_PATH, INBOX_PATH, sessionPath, terminalPath, type RouteName } from "./routes";
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
                <main data-stale={stale} aria-label={VIEW_NAMES[name] ?? "Sessions"}>
                    {name === "health" ? <HealthView /> : name === "inbox" ? <InboxView /> : <Board />}
                </main>
                {panel && <SessionPanel name={params.id ?? ""} full={name === "terminal"} />}
            </div>
            <InboxLink afloat />
            <Notices />
            <Announcer />
            {launching.value && <NewTerminal onClose={() => (launching.value = false)} />}
            {help.value && <HelpDialog shortcuts={shortcuts} onClose={() => (help.value = false)} />}
        </div>
    );
}

/** Views that take the board's place. */
const VIEW_NAMES: Partial<Record<RouteName, string>> = { health: "Health", inbox: "Inbox" };

function shortcutsOf(services: Services, showHelp: () => void): Shortcut[] {
    const { theme, store, router, closing, launching, prefs, open, board, answering } = services;
    const inInbox = () => router.route.peek().name === "inbox";
    const enter = () => {
        const session = inInbox() ? store.inbox.peek(answering.current.peek()?.key ?? "")?.session : null;
        if (session) router.go(sessionPath(session));
        else (document.activeElement as HTMLElement | null)?.click();
    };
    // In the inbox the arrows scroll.
    const step = (by: 1 | -1) => (key: string) => {
        if (!inInbox()) board.step(by);
        else if (key.startsWith("Arrow")) return false;
        else stepInbox(services, by);
        return true;
    };
    const stepRow = (by: 1 | -1) => () => (inInbox() ? false : board.stepRow(by));
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
    const toggle = (name: RouteName, path: string) => () => router.go(router.route.peek().name === name ? BOARD_PATH : path);
    return [
        { keys: ["j", "ArrowRight"], shown: ["j", "→"], what: "Next session, or request", run: step(1) },
        { keys: ["k", "ArrowLeft"], shown: ["k", "←"], what: "Previous session, or request", run: step(-1) },
        { keys: ["ArrowDown"], shown: ["↓"], what: "Row below", run: stepRow(1) },
        { keys: ["ArrowUp"], shown: ["↑"], what: "Row above", run: stepRow(-1) },
        { keys: ["o"], shown: ["Enter", "o"], what: "Open the session", run: enter },
        { keys: ["x", "Delete"], shown: ["x", "Del"], what: "Close the card", run: close },
        { keys: ["n"], shown: ["n"], what: "New terminal", run: () => (launching.value = true) },
        { keys: ["i"], shown: ["i"], what: "The inbox: everything that is asked", about: "requests", run: toggle("inbox", INBOX_PATH) },
        { keys: ["a"], shown: ["a"], what: "Allow, approve, send the answers", about: "requests", run: () => allowKey(services) },
        { keys: ["d"], shown: ["d"], what: "Deny, with a reason", about: "requests", run: () => formKey(services, "deny") },
        { keys: ["A"], shown: ["A"], what: "Always allow: shows the rule first", about: "requests", run: () => formKey(services, "always") },
        { keys: ["w"], shown: ["w"], what: "Type into the open terminal", run: () => void enterTerminal() },
        { keys: ["f"], shown: ["f"], what: "Full screen for the open terminal", run: full },
        { keys: ["v"], shown: ["v"], what: "Terminals on the cards, or not", run: glance },
        { keys: ["e"], shown: ["e"], what: "Rename the open session", run: startRename },
        { keys: [], shown: ["Esc"], what: "Close the panel, leave the filter", run: () => {} },
        { keys: ["/"], shown: ["/", "Ctrl+F"], what: "Filter", run: focusFilter },
        { keys: ["g"], shown: ["g"], what: "Group by project or by status", run: regroup },
        { keys: ["h"], shown: ["h"], what: "Health of the daemon and the hooks", run: toggle("health", HEALTH_PATH) },
        { keys: ["t"], shown: ["t"], what: "Light or dark", run: theme.toggle },
        { keys: ["?"], shown: ["?"], what: "This help", run: showHelp },
    ];
}

/** The next one gets the focus, so that it is read, and is where it can be seen. */
function stepInbox({ answering }: Services, by: 1 | -1): void {
    answering.step(by);
    requestAnimationFrame(() => {
        const item = document.querySelector<HTMLElement>('.inbox-item[data-selected="true"]');
        item?.focus({ preventScroll: true });
        item?.scrollIntoView({ block: "nearest" });
    });
}

const focusFilter = () => document.getElementById("filter")?.focus();

/** Into the filter, where the board is larger than what is drawn of it. */
function find({ board, router }: Services): boolean {
    if (VIEW_NAMES[router.route.peek().name] !== undefined || !board.isPartial()) return false;
    focusFilter();
    return true;
}

/** Leaves what was entered last: a question, the filter, the panel. */
function escape(services: Services, typing: boolean): void {
    const { store, router, closing, open, answering } = services;
    if (answering.cancel()) return;
    if (closing.asked.peek() !== null) closing.cancel();
    else if (typing) {
        store.filter.value = "";
        (document.activeElement as HTMLElement).blur();
    } else if (router.route.peek().name === "terminal") router.go(sessionPath(open.peek() ?? ""));
    else if (router.route.peek().name === "session") closePanel(services);
    else if (VIEW_NAMES[router.route.peek().name] !== undefined) router.go(BOARD_PATH);
    else {
        store.filter.value = "";
        store.only.value = null;
    }
}
