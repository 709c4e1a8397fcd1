/* What is filled in before an answer is given: a reason, a rule, another command. Each can be left without having done anything. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { MESSAGE_MAX, canBe, editableCommand, withCommand } from "../core/answer";
import { PLACES, PLACE_WORDS, type Place, type Request } from "../core/request";
import { useServices } from "./services";

/** The field that is written in gets the keyboard, before it is painted: the next key must not go to the board. */
function useFirst<T extends HTMLElement>() {
    const ref = useRef<T>(null);
    useLayoutEffect(() => {
        ref.current?.focus({ preventScroll: true });
        if (ref.current instanceof HTMLTextAreaElement) ref.current.setSelectionRange(ref.current.value.length, ref.current.value.length);
    }, []);
    return ref;
}

function FormFrame({ label, submit, children, buttons }: { label: string; submit: () => void; children: ComponentChildren; buttons: ComponentChildren }) {
    const { answering } = useServices();
    const leave = (e: KeyboardEvent) => {
        const item = (e.currentTarget as HTMLElement).closest<HTMLElement>("[tabindex]");
        if (e.key !== "Escape" || !answering.cancel()) return;
        e.preventDefault();
        item?.focus({ preventScroll: true });
    };
    return (
        <form
            class="answer-form"
            aria-label={label}
            onKeyDown={leave}
            onSubmit={(e) => {
                e.preventDefault();
                submit();
            }}
        >
            {children}
            <div class="answer-buttons">
                {buttons}
                <button class="button plain" type="button" onClick={() => answering.cancel()}>
                    Cancel
                </button>
            </div>
        </form>
    );
}

/** Enter sends; with Shift it is a line break. */
const onEnter = (run: () => void) => (e: KeyboardEvent) => {
    if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
    e.preventDefault();
    run();
};

const DENY_WORDS: Record<Request["kind"], { button: string; ask: string }> = {
    approval: { button: "Deny", ask: "Why not, or what to do instead? (may be empty)" },
    question: { button: "Decline", ask: "What should it do without an answer? (may be empty)" },
    plan: { button: "Send back", ask: "What should be different?" },
};

export function DenyForm({ requests }: { requests: readonly Request[] }) {
    const { answering } = useServices();
    const r = requests[0]!;
    const words = useSignal("");
    const button = useFirst<HTMLButtonElement>();
    const first = useFirst<HTMLTextAreaElement>(); // behind the button's: where there is a field, it is the one
    const { button: name, ask } = DENY_WORDS[r.kind];
    const all = requests.length > 1 ? ` all ${requests.length}` : "";
    const submit = () => answering.deny(requests, words.peek());
    return (
        <FormFrame
            label={name}
            submit={submit}
            buttons={
                <>
                    <button ref={button} class="button bad" type="submit">
                        {name}
                        {all} <kbd aria-hidden="true">Enter</kbd>
                    </button>
                    {canBe(r, "stop") && (
                        <button class="button bad" type="button" title="The agent's turn ends" onClick={() => answering.deny(requests, words.peek(), true)}>
                            {name} and stop
                        </button>
                    )}
                </>
            }
        >
            {canBe(r, "message") && (
                <label class="answer-field">
                    <span>{ask}</span>
                    <textarea
                        ref={first}
                        rows={2}
                        maxLength={MESSAGE_MAX}
                        value={words.value}
                        onInput={(e) => (words.value = e.currentTarget.value)}
                        onKeyDown={onEnter(submit)}
                    />
                </label>
            )}
        </FormFrame>
    );
}

/** The rule is read, and can be changed, before it is written. */
export function AlwaysForm({ r }: { r: Request }) {
    const { answering } = useServices();
    const editable = canBe(r, "rule");
    const rule = useSignal(r.rules[0]?.rule ?? "");
    const where = useSignal<Place>(r.rules[0]?.where ?? "session");
    const button = useFirst<HTMLButtonElement>();
    const first = useFirst<HTMLTextAreaElement>(); // behind the button's: where there is a field, it is the one
    const submit = () => {
        if (rule.peek().trim() === "" && editable) return;
        answering.allow([r], { decision: "always", ...(editable && { rule: rule.peek().trim(), where: where.peek() }) });
    };
    return (
        <FormFrame
            label="Always allow"
            submit={submit}
            buttons={
                <button ref={button} class="button go" type="submit" disabled={editable && rule.value.trim() === ""}>
                    Allow, and write this rule <kbd aria-hidden="true">Enter</kbd>
                </button>
            }
        >
            {r.rules.length > 1 && (
                <ul class="answer-rules" aria-label="Rules">
                    {r.rules.map((it) => (
                        <li key={`${it.where} ${it.rule}`}>
                            <label>
                                <input
                                    type="radio"
                                    name={`rule ${r.id}`}
                                    checked={rule.value === it.rule && where.value === it.where}
                                    disabled={!editable}
                                    onChange={() => {
                                        rule.value = it.rule;
                                        where.value = it.where;
                                    }}
                                />
                                <code>{it.rule}</code>
                            </label>
                        </li>
                    ))}
                </ul>
            )}
            {editable ? (
                <>
                    <label class="answer-field">
                        <span>What matches this rule is not asked about any more</span>
                        <textarea
                            ref={first}
                            class="mono"
                            rows={1}
                            spellcheck={false}
                            value={rule.value}
                            onInput={(e) => (rule.value = e.currentTarget.value)}
                            onKeyDown={onEnter(submit)}
                        />
                    </label>
                    <label class="answer-field">
                        <span>It holds for</span>
                        <select value={where.value} onChange={(e) => (where.value = e.currentTarget.value as Place)}>
                            {PLACES.map((place) => (
                                <option key={place} value={place}>
                                    {PLACE_WORDS[place]}
                                </option>
                            ))}
                        </select>
                    </label>
                </>
            ) : (
                <p class="answer-words">
                    {r.rules.length === 0 ? (
                        "The agent decides itself what it will not ask about any more."
                    ) : (
                        <>
                            <code>{rule.value}</code> for {PLACE_WORDS[where.value]}
                        </>
                    )}
                </p>
            )}
        </FormFrame>
    );
}

export function EditForm({ r }: { r: Request }) {
    const { answering } = useServices();
    const command = useSignal(editableCommand(r) ?? "");
    const first = useFirst<HTMLTextAreaElement>();
    const changed = command.value !== editableCommand(r);
    const rows = Math.min(12, Math.max(2, command.value.split("\n").length));
    const submit = () => {
        if (command.peek().trim() !== "") answering.allow([r], withCommand(r, command.peek()));
    };
    return (
        <FormFrame
            label="Edit, then allow"
            submit={submit}
            buttons={
                <button class="button go" type="submit" disabled={command.value.trim() === ""}>
                    {changed ? "Allow this instead" : "Allow as it is"}
                </button>
            }
        >
            <label class="answer-field">
                <span>Runs instead of what was asked</span>
                <textarea
                    class="mono"
                    ref={first}
                    rows={rows}
                    spellcheck={false}
                    value={command.value}
                    onInput={(e) => (command.value = e.currentTarget.value)}
                />
            </label>
        </FormFrame>
    );
}
