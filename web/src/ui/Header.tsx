import type { Counts, Only, Shape, Tone } from "../core/status";
import type { Connection } from "../net/socket";
import { AwaySwitch } from "./Away";
import { GroupingToggle } from "./GroupingToggle";
import { InboxLink } from "./InboxLink";
import { KeyboardIcon, Mark, NewTerminalIcon, SearchIcon, ShapeIcon, TerminalIcon } from "./icons";
import { LogoutButton } from "./Logout";
import { BOARD_PATH, HEALTH_PATH } from "./routes";
import { useServices } from "./services";
import { ThemeToggle } from "./ThemeToggle";
import { usePolling } from "./ticker";

interface Pill {
    only: Only;
    label: string;
    /** The label for one, where that is another. */
    one?: string;
    shape: Shape;
    tone: Tone;
}

const PILLS: readonly Pill[] = [
    { only: "wanting", label: "need you", one: "needs you", shape: "approval", tone: "needs" },
    { only: "failed", label: "errors", one: "error", shape: "error", tone: "failed" },
    { only: "done", label: "finished", shape: "finished", tone: "done" },
    { only: "busy", label: "working", shape: "working", tone: "busy" },
    { only: "running", label: "running", shape: "running", tone: "running" },
    { only: "idle", label: "idle", shape: "idle", tone: "idle" },
    { only: "ended", label: "ended", shape: "ended", tone: "ended" },
];

export function Header({ onHelp }: { onHelp: () => void }) {
    const { store } = useServices();
    const counts = store.counts.value;
    return (
        <header class="header">
            <a class="brand" href={BOARD_PATH} aria-label="ostler, the board">
                <Mark lit={counts.wanting > 0} />
                <span class="wordmark">ostler</span>
            </a>
            <Pills counts={counts} />
            <GroupingToggle />
            <ThumbnailsToggle />
            <Filter />
            <NewButton />
            <InboxLink />
            <div class="tools">
                <AwaySwitch />
                <ConnectionState />
                <button
                    class="icon-button keyboard-only"
                    type="button"
                    onClick={onHelp}
                    title="Keyboard (?)"
                    aria-label="Keyboard"
                >
                    <KeyboardIcon />
                </button>
                <ThemeToggle />
                <LogoutButton />
            </div>
        </header>
    );
}

/** How many there are of each; pressed, one of them is all that the board shows. */
function Pills({ counts }: { counts: Counts }) {
    const { store, router } = useServices();
    const chosen = store.only.value;
    const choose = (only: Only) => {
        store.only.value = chosen === only ? null : only;
        if (["health", "inbox"].includes(router.route.peek().name)) router.go(BOARD_PATH);
    };
    return (
        <ul class="pills" aria-label="Show only">
            {PILLS.map(({ only, label, one, shape, tone }) => (
                <li key={only}>
                    <button
                        class="pill"
                        type="button"
                        data-tone={tone}
                        data-none={counts[only] === 0}
                        aria-pressed={chosen === only}
                        onClick={() => choose(only)}
                    >
                        <ShapeIcon shape={shape} />
                        <b>{counts[only]}</b> <span>{counts[only] === 1 && one ? one : label}</span>
                    </button>
                </li>
            ))}
        </ul>
    );
}

function NewButton() {
    const { launching } = useServices();
    return (
        <button class="button new-button" type="button" title="New terminal (n)" onClick={() => (launching.value = true)}>
            <NewTerminalIcon /> <span>New terminal</span>
        </button>
    );
}

function ThumbnailsToggle() {
    const { prefs, store } = useServices();
    const on = prefs.thumbnails.value;
    return (
        <button
            class="icon-button thumbnails-toggle"
            type="button"
            data-none={store.terminals.size.value === 0}
            aria-pressed={on}
            title={`Terminals on the cards: ${on ? "shown" : "hidden"} (v)`}
            aria-label="Terminals on the cards"
            onClick={() => (prefs.thumbnails.value = !on)}
        >
            <TerminalIcon />
        </button>
    );
}

function Filter() {
    const { store } = useServices();
    return (
        <search class="filter">
            <SearchIcon />
            <input
                id="filter"
                type="search"
                placeholder="Filter sessions"
                aria-label="Filter sessions by project, title or prompt"
                autocomplete="off"
                spellcheck={false}
                value={store.filter.value}
                onInput={(e) => {
                    store.filter.value = e.currentTarget.value;
                }}
            />
            <kbd aria-hidden="true">/</kbd>
        </search>
    );
}

const STATE_WORDS: Record<Connection["phase"], string> = {
    connecting: "Connecting",
    live: "Connected",
    lost: "Offline",
    locked: "Locked",
    outdated: "Outdated",
};

/** How often the daemon is asked how it does while nobody looks at the health view. */
const HEALTH_MS = 30_000;

/** The light that says how the daemon does; it leads to the reasons. */
function ConnectionState() {
    const { socket, vitals } = useServices();
    const { phase } = socket.connection.value;
    const live = phase === "live";
    usePolling(live, HEALTH_MS, () => void vitals.refresh());
    const health = vitals.health.value;
    const ill = live && health !== null && !health.ok;
    const hints = live && health !== null && !ill ? health.hints : [];
    const word = ill ? "Trouble" : hints.length > 0 ? "See health" : STATE_WORDS[phase];
    return (
        <a
            class="connection"
            href={HEALTH_PATH}
            data-phase={ill ? "ill" : phase}
            title={`${ill ? health.problems.join("\n") : hints.length > 0 ? hints.join("\n") : `Connection to the daemon: ${word}`}\nHealth (h)`}
        >
            <i aria-hidden="true" />
            <span role="status">{word}</span>
        </a>
    );
}
