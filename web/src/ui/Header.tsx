import type { Status } from "../core/messages";
import type { Counts, Tone } from "../core/status";
import type { Connection } from "../net/socket";
import { KeyboardIcon, Mark, SearchIcon, StatusIcon } from "./icons";
import { BOARD_PATH } from "./routes";
import { useServices } from "./services";
import { ThemeToggle } from "./ThemeToggle";

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
            <Filter />
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
            </div>
        </header>
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
    outdated: "Outdated",
};

function ConnectionState() {
    const { phase } = useServices().socket.connection.value;
    const word = STATE_WORDS[phase];
    return (
        <span class="connection" data-phase={phase} role="status" title={`Connection to the daemon: ${word}`}>
            <i aria-hidden="true" />
            {word}
        </span>
    );
}
