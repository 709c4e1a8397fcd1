import { Mark } from "./icons";
import { CopyButton } from "./CopyButton";

/** Every event of Claude Code that the board understands. */
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
    "SessionEnd",
];

const ENTRY = '[{ "hooks": [{ "type": "command", "command": "ostler-hook" }] }]';

const SNIPPET = `{
  "hooks": {
${EVENTS.map((event) => `    "${event}": ${ENTRY}`).join(",\n")}
  }
}`;

export function EmptyState() {
    return (
        <div class="empty">
            <Mark lit={false} />
            <h1>The stable is empty</h1>
            <p>
                Run <code>ostler demo</code> to see the board at work. To watch your own agents, put this into{" "}
                <code>~/.claude/settings.json</code> and start a session; it appears here with its first event.
            </p>
            <figure class="snippet">
                <figcaption>
                    <span>~/.claude/settings.json</span>
                    <CopyButton text={SNIPPET} />
                </figcaption>
                <pre tabIndex={0}>
                    <code>{SNIPPET}</code>
                </pre>
            </figure>
            <p class="aside">
                If the file has hooks already, add these entries to its lists. <code>ostler-hook</code> must be on the
                agent's <code>PATH</code>.
            </p>
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
