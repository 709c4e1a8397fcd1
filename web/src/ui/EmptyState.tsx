import { AgentHooks } from "./AgentHooks";
import { Mark } from "./icons";
import { useServices } from "./services";
import { quoted } from "./words";

export function EmptyState() {
    const { store, launching } = useServices();
    const demo = quoted(store.hook.value ?? "ostler-hook").replace(/-hook('?)$/, "$1 demo");
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
            <AgentHooks />
            <p class="aside">
                <code>{demo}</code> shows the board at work; <code>ostler hooks</code> connects agents from the command line.
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
