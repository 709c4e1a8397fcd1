/* Whether one is away from the desk: in the header a switch, in the inbox the same with what it means. */

import type { Away } from "../core/inbox";
import { dayTime } from "../core/time";
import { AwayIcon } from "./icons";
import { useServices } from "./services";

/** Since when, and why. */
function stateOf({ away, since, by, auto, afterMinutes }: Away, now: number): string {
    const when = since === null ? "" : ` since ${dayTime(since, now)}`;
    if (!away) return "You are at the desk.";
    if (auto) return `You count as away${when}: no key was typed for ${afterMinutes ?? "some"} minutes.`;
    return `You are away${when}${by === null ? "" : `, said ${by}`}.`;
}

export function AwaySwitch() {
    const { store, answers, now } = useServices();
    const away = store.inbox.away.value;
    if (away === null) return null;
    return (
        <button
            class="icon-button away-switch"
            type="button"
            role="switch"
            aria-checked={away.away}
            aria-label="Away from the desk"
            title={`${stateOf(away, now.peek())}\nAway, agents that would show a dialog at the desk (Codex) wait for an answer from here.`}
            onClick={() => void answers.setAway(!away.away)}
        >
            <AwayIcon />
            {away.away && <span>Away</span>}
        </button>
    );
}

export function AwayCard() {
    const { store, answers, socket, now } = useServices();
    const away = store.inbox.away.value;
    if (away === null) return null;
    return (
        <section class="away" aria-labelledby="away-title">
            <h2 id="away-title">Away from the desk</h2>
            <div class="segments" role="group" aria-labelledby="away-title">
                {[false, true].map((it) => (
                    <button
                        key={String(it)}
                        type="button"
                        aria-pressed={away.away === it}
                        disabled={socket.connection.value.phase !== "live"}
                        onClick={() => void answers.setAway(it)}
                    >
                        {it ? "Away" : "At the desk"}
                    </button>
                ))}
            </div>
            <p>
                {stateOf(away, now.peek())} Some agents show no dialog of their own while they ask here: Codex asks here only while you
                are away. A key typed in the agent's terminal gives its question back to the desk at once.
                {away.afterMinutes !== null && !away.auto && ` Without a key for ${away.afterMinutes} minutes you count as away by yourself.`}
            </p>
        </section>
    );
}
