import { CopyButton } from "./CopyButton";
import { Mark } from "./icons";
import { useServices } from "./services";
import { quoted } from "./words";

/** The events of Claude Code that move a card. */
const EVENTS = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PermissionRequest",
    "Notification",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "Stop",
    "StopFailure",
    "SessionEnd",
];

/** What to put into the agent's settings. */
function snippetFor(command: string): string {
    const entry = `[{ "hooks": [{ "type": "command", "command": ${JSON.stringify(command)} }] }]`;
    return `{\n  "hooks": {\n${EVENTS.map((event) => `    "${event}": ${entry}`).join(",\n")}\n  }\n}`;
}

export function EmptyState() {
    const { store, launching } = useServices();
    const hook = quoted(store.hook.value ?? "ostler-hook");
    const snippet = snippetFor(hook);
    return (
        <div class="empty">
            <Mark lit={false} />
            <h1>The stable is empty</h1>
            <p>
                Start an agent or a shell here; it goes on when you close this page, and when the daemon stops.
            </p>
            <div>
                <button class="button primary" type="button" onClick={() => (launching.value = true)}>
                    New terminal
                </button>
            </div>
            <p>
                Run <code>{hook.replace(/-hook('?)$/, "$1 demo")}</code> to see the board at work. To watch your own agents, put
                this into <code>~/.claude/settings.json</code> and start a session; it appears here with its first event.
            </p>
            <figure class="snippet">
                <figcaption>
                    <span>~/.claude/settings.json</span>
                    <CopyButton text={snippet} />
                </figcaption>
                <pre tabIndex={0}>
                    <code>{snippet}</code>
                </pre>
            </figure>
            <p class="aside">If the file has hooks already, add these entries to its lists.</p>
        </div>
    );
}

/** No daemon, and nothing to show from before. */
export function Unreachable() {
    return (
        <div class="empty">
            <Mark lit={false} />
            <h1>Nobody answers</h1>
            <p>
                The daemon does not run, or not at this address. Start it with <code>ostler serve</code>; this page
                connects by itself.
            </p>
        </div>
    );
}
