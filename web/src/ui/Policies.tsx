/* What a session need not ask about: few choices, each with the rules that it writes, shown before they are written. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { PLACE_WORDS } from "../core/request";
import type { Policy } from "../core/rules";
import { attempt } from "../net/answers";
import { ApiError } from "../net/api";
import { useServices } from "./services";
import { plural } from "./words";

export function Policies({ session }: { session: string }) {
    const { api, commands } = useServices();
    const policies = useSignal<readonly Policy[]>([]);
    const asked = useSignal(false);
    const why = useSignal<string | null>(null);
    const none = useSignal(false);
    const writing = useSignal("");
    const refresh = async () => {
        try {
            const found = await api.policies(session);
            policies.value = found.policies;
            why.value = found.why;
        } catch (e) {
            if (!(e instanceof ApiError)) throw e;
            none.value = e.status === 404; // a daemon that knows of none
            if (!none.peek()) commands.complain("What it may do is not known", e);
        }
        asked.value = true;
    };
    const set = async (policy: Policy, on: boolean) => {
        // Nobody is told that a file has been written before it has.
        const mark = (name: string) => () => (writing.value = name);
        await attempt(mark(policy.name), () => api.setPolicy(session, policy.name, on), mark(""), (e) => commands.complain("The rules were not changed", e));
        await refresh();
        writing.value = "";
    };
    if (none.value) return null;
    return (
        <details class="policies" onToggle={(e) => e.currentTarget.open && !asked.peek() && void refresh()}>
            <summary>What it may do without asking</summary>
            <p>It asks you about everything that is not allowed below, or by its own settings.</p>
            {asked.value && policies.value.length === 0 && <p>{why.value ?? "Nothing can be allowed for good from here."}</p>}
            {policies.value.map((policy) => (
                <PolicyRow key={policy.name} policy={policy} busy={writing.value === policy.name} set={(on) => void set(policy, on)} />
            ))}
        </details>
    );
}

function PolicyRow({ policy, busy, set }: { policy: Policy; busy: boolean; set: (on: boolean) => void }) {
    const open = useSignal(false);
    const { name, text, rules, file, on } = policy;
    useEffect(() => {
        open.value = false;
    }, [on]);
    return (
        <div class="policy">
            <label>
                {/* On, the rules are looked at first; off, they are only taken out. */}
                <input type="checkbox" checked={on || open.value} disabled={busy} onChange={() => (on ? set(false) : (open.value = !open.peek()))} />
                <span>{text}</span>
            </label>
            {(on || open.value) && (
                <div class="policy-rules">
                    <p>
                        {on ? "Written" : "Writes"} {plural(rules.length, "rule")}
                        {file === null ? "" : ` ${on ? "in" : "to"} ${file}`}:
                    </p>
                    <ul>
                        {rules.map((rule) => (
                            <li key={`${rule.where} ${rule.rule}`}>
                                <code>{rule.rule}</code> <span>{PLACE_WORDS[rule.where]}</span>
                            </li>
                        ))}
                    </ul>
                    {!on && (
                        <div class="answer-buttons">
                            <button class="button go" type="button" disabled={busy} onClick={() => set(true)} aria-label={`Write the rules of ${name}`}>
                                {busy ? "Writing…" : rules.length === 1 ? "Write this rule" : "Write these rules"}
                            </button>
                            <button class="button plain" type="button" onClick={() => (open.value = false)}>
                                Cancel
                            </button>
                        </div>
                    )}
                </div>
            )}
        </div>
    );
}
