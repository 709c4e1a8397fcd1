import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { CliHooks, HookSetup } from "../core/hook_setup";
import { agentName } from "../core/launch";
import { ApiError } from "../net/api";
import { useServices } from "./services";
import { plural } from "./words";

/** The agents of this machine, and a way to see those that are started elsewhere: hooks in their settings. */
export function AgentHooks() {
    const { api, socket } = useServices();
    const setup = useSignal<HookSetup | null>(null);
    const busy = useSignal("");
    const problem = useSignal("");
    const ask = async (question: Promise<HookSetup>) => {
        problem.value = "";
        try {
            setup.value = await question;
        } catch (e) {
            if (!(e instanceof ApiError)) throw e;
            problem.value = e.message;
        }
        busy.value = "";
    };
    const live = socket.connection.value.phase === "live";
    useEffect(() => {
        if (live) void ask(api.hookSetup());
    }, [live]);
    if (!setup.value) return problem.value ? <p class="hooks-problem">{problem.value}</p> : null;
    const here = [...setup.value].filter(([, hooks]) => hooks.present || hooks.installed);
    return (
        <section class="agent-hooks" aria-labelledby="hooks-title">
            <h2 id="hooks-title">Agents that you start elsewhere</h2>
            <p>
                {here.length
                    ? "A connected agent tells what it does, through hooks in its settings, and appears here with its first event."
                    : "No agent is installed on this machine yet. Once there is one, it can be connected here."}
            </p>
            {here.length > 0 && (
                <ul>
                    {here.map(([cli, hooks]) => (
                        <li key={cli}>
                            <strong>{agentName(cli)}</strong>
                            <span title={hooks.file}>{stateOf(hooks)}</span>
                            {!hooks.installed && (
                                <button
                                    class="button"
                                    type="button"
                                    disabled={busy.value !== ""}
                                    aria-label={`Connect ${agentName(cli)}`}
                                    onClick={() => {
                                        busy.value = cli;
                                        void ask(api.connect(cli));
                                    }}
                                >
                                    {busy.value === cli ? "Connecting…" : "Connect"}
                                </button>
                            )}
                        </li>
                    ))}
                </ul>
            )}
            {problem.value && (
                <p class="hooks-problem" role="alert">
                    {problem.value}
                </p>
            )}
        </section>
    );
}

function stateOf(hooks: CliHooks): string {
    if (hooks.problems.length) return hooks.problems.join(" ");
    return hooks.installed ? `connected, ${plural(hooks.events.length, "event")}` : "not connected";
}
