/* The rules that were written from here into an agent's settings; each can be taken out again. */

import { useSignal } from "@preact/signals";
import { PLACE_WORDS } from "../core/request";
import { ruleStateWords, type WrittenRule } from "../core/rules";
import { dayTime } from "../core/time";
import { attempt } from "../net/answers";
import { ApiError } from "../net/api";
import { useServices } from "./services";
import { usePolling } from "./ticker";

const POLL_MS = 20_000;

export function Rules() {
    const { api, socket, commands } = useServices();
    const rules = useSignal<readonly WrittenRule[] | null>(null);
    const none = useSignal(false);
    const undoing = useSignal("");
    const refresh = async () => {
        try {
            rules.value = await api.rules();
        } catch (e) {
            if (!(e instanceof ApiError)) throw e;
            none.value = e.status === 404; // a daemon that writes none
        }
    };
    usePolling(socket.connection.value.phase === "live" && !none.value, POLL_MS, () => void refresh());
    if (!rules.value || rules.value.length === 0) return null;
    const undo = async ({ id, rule }: WrittenRule) => {
        // Nobody is told that a file has been written before it has.
        const mark = (busy: string) => () => (undoing.value = busy);
        await attempt(mark(id), () => api.undoRule(id), mark(""), (e) => commands.complain(`${rule} is still there`, e));
        await refresh();
        undoing.value = "";
    };
    return (
        <section class="rules" aria-labelledby="rules-title">
            <h2 id="rules-title">Rules written from here</h2>
            <ul>
                {rules.value.map((rule) => (
                    <RuleRow key={rule.id} rule={rule} busy={undoing.value === rule.id} onUndo={() => void undo(rule)} />
                ))}
            </ul>
        </section>
    );
}

function RuleRow({ rule, busy, onUndo }: { rule: WrittenRule; busy: boolean; onUndo: () => void }) {
    const { now } = useServices();
    return (
        <li data-state={rule.state}>
            <div>
                <code>{rule.rule}</code>
                <p>
                    {PLACE_WORDS[rule.where]}
                    {rule.project && `, ${rule.project}`} · {dayTime(rule.writtenAt, now.peek())}
                    {rule.by && ` by ${rule.by}`}
                    {rule.state !== "there" && ` · ${ruleStateWords(rule)}`}
                </p>
                {rule.file && <p class="rules-file">{rule.file}</p>}
            </div>
            {rule.state === "there" && (
                <button class="button" type="button" disabled={busy} aria-label={`Undo ${rule.rule}`} onClick={onUndo}>
                    {busy ? "Undoing…" : "Undo"}
                </button>
            )}
        </li>
    );
}
