import type { Status } from "../core/messages";
import type { Counts, Tone } from "../core/status";
import type { Connection } from "../net/socket";
import { GroupingToggle } from "./GroupingToggle";
import { KeyboardIcon, Mark, NewTerminalIcon, SearchIcon, StatusIcon, TerminalIcon } from "./icons";
import { LogoutButton } from "./Logout";
import { BOARD_PATH, HEALTH_PATH } from "./routes";
import { useServices } from "./services";
import { ThemeToggle } from "./ThemeToggle";
import { usePolling } from "./ticker";

interface Pill {
    count: keyof Counts;
    label: string;
    /** The label for one, where that is another. */
    one?: string;
    status: Status;
    tone: Tone;
}

const PILLS: readonly Pill[] = [
    { count: "needs", label: "need you", one: "needs you", status: "approval", tone: "needs" },
    { count: "waiting", label: "your turn", status: "waiting", tone: "turn" },
    { count: "working", label: "working", status: "working", tone: "busy" },
    { count: "idle", label: "idle", status: "idle", tone: "idle" },
];

export function Header({ onHelp }: { onHelp: () => void }) {
    const { store } = useServices();
    const counts = store.counts.value;
    return (
        <header class="header">
            <a class="brand" href={BOARD_PATH} aria-label="ostler, the board">
                <Mark lit={counts.needs > 0} />
                <span class="wordmark">ostler</span>
            </a>
            <ul class="pills" aria-label="Sessions by status">
                {PILLS.map(({ count, label, one, status, tone }) => (
                    <li key={count} class="pill" data-tone={tone} data-none={counts[count] === 0}>
                        <StatusIcon status={status} />
                        <b>{counts[count]}</b> <span>{counts[count] === 1 && one ? one : label}</span>
                    </li>
                ))}
            </ul>
            <GroupingToggle />
            <ThumbnailsToggle />
            <Filter />
            <NewButton />
            <div class="tools">
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
    live: "Live",
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
    const word = ill ? "Trouble" : STATE_WORDS[phase];
    return (
        <a
            class="connection"
            href={HEALTH_PATH}
            data-phase={ill ? "ill" : phase}
            title={`${ill ? health.problems.join("\n") : `Connection to the daemon: ${word}`}\nHealth (h)`}
        >
            <i aria-hidden="true" />
            <span role="status">{word}</span>
        </a>
    );
}
