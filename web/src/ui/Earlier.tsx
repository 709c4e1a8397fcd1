import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { PreviousSession } from "../core/health";
import { dayTime } from "../core/time";
import { useServices } from "./services";
import { plural } from "./words";

/** The conversations that the session held before this one. */
export function Earlier({ id }: { id: string }) {
    const { api, now } = useServices();
    const list = useSignal<PreviousSession[]>([]);
    useEffect(() => {
        let gone = false;
        api.previousSessions(id).then(
            (found) => {
                if (!gone) list.value = found;
            },
            () => {}, // without them the panel is none the worse
        );
        return () => {
            gone = true;
        };
    }, [id]);
    if (list.value.length === 0) return null;
    return (
        <details class="earlier">
            <summary>{plural(list.value.length, "earlier conversation")}</summary>
            <ul>
                {list.value.map((p) => (
                    <li key={p.sessionId}>
                        <p>{p.lastPrompt || <i>No prompt</i>}</p>
                        <span>
                            {dayTime(p.startedAt, now.peek())} · {plural(p.promptCount, "prompt")},{" "}
                            {plural(p.toolCalls, "tool call")} · <code>{p.sessionId}</code>
                        </span>
                    </li>
                ))}
            </ul>
        </details>
    );
}
