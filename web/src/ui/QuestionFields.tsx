/* The questions of a request as choices; what becomes of them is in Answer. */

import { NOTHING_CHOSEN, canBe, choose, chooseOther, type Choices } from "../core/answer";
import type { Asked, Request } from "../core/request";
import { useServices } from "./services";

export function QuestionFields({ r }: { r: Request }) {
    const { answering } = useServices();
    const questions = r.questions ?? [];
    const all = answering.choicesOf(r);
    const change = (i: number, next: Choices) => {
        all.value = questions.map((_, at) => (at === i ? next : (all.peek()[at] ?? NOTHING_CHOSEN)));
    };
    return (
        <>
            {questions.map((q, i) => (
                <Question
                    key={i}
                    name={`${r.id} ${i}`}
                    q={q}
                    chosen={all.value[i] ?? NOTHING_CHOSEN}
                    off={!canBe(r, "answers") || r.answer !== null}
                    change={(next) => change(i, next)}
                />
            ))}
        </>
    );
}

interface QuestionProps {
    name: string;
    q: Asked;
    chosen: Choices;
    off: boolean;
    change: (next: Choices) => void;
}

function Question({ name, q, chosen, off, change }: QuestionProps) {
    const type = q.multiSelect ? "checkbox" : "radio";
    return (
        <fieldset class="choices" disabled={off}>
            <legend>
                {q.header && <span class="chip">{q.header}</span>}
                <span>{q.question}</span>
                {q.multiSelect && <small>Any number of them may be chosen.</small>}
            </legend>
            {q.options.map((option) => (
                <label key={option.label} class="choice">
                    <input type={type} name={name} checked={chosen.labels.has(option.label)} onChange={() => change(choose(q, chosen, option.label))} />
                    <span>
                        <b>{option.label}</b>
                        {option.description && <small>{option.description}</small>}
                    </span>
                </label>
            ))}
            <label class="choice" data-other="true">
                <input type={type} name={name} checked={chosen.other} onChange={(e) => change(chooseOther(q, chosen, e.currentTarget.checked))} />
                <span>
                    <b>Other</b>
                    <input
                        type="text"
                        aria-label="In your own words"
                        placeholder="In your own words"
                        autocomplete="off"
                        value={chosen.words}
                        onInput={(e) => change({ ...chooseOther(q, chosen, e.currentTarget.value !== ""), words: e.currentTarget.value })}
                    />
                </span>
            </label>
        </fieldset>
    );
}
