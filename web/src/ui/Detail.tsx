/* The whole of what is asked or said, drawn as what it is. */

import { diffLines, questionsOf, type Form, type Question } from "../core/attention";
import { Markdown } from "./Markdown";

export function Detail({ form, text }: { form: Form; text: string }) {
    switch (form) {
        case "command":
            return (
                <pre class="detail-command">
                    <code>{text}</code>
                </pre>
            );
        case "diff":
            return <Diff text={text} />;
        case "markdown":
            return <Markdown text={text} />;
        case "question":
            return <Questions questions={questionsOf(text)} />;
        case "text":
            return <p class="detail-text">{text}</p>;
    }
}

const SIGNS = { file: "", hunk: "", added: "+", removed: "−", same: "" };
const SPOKEN = { file: null, hunk: null, added: "added: ", removed: "removed: ", same: null };

function Diff({ text }: { text: string }) {
    return (
        <div class="diff">
            {diffLines(text).map(({ mark, text: line }, i) => (
                <div key={i} class="diff-line" data-mark={mark}>
                    <i aria-hidden="true">{SIGNS[mark]}</i>
                    <code>
                        {SPOKEN[mark] && <span class="offscreen">{SPOKEN[mark]}</span>}
                        {line}
                    </code>
                </div>
            ))}
        </div>
    );
}

function Questions({ questions }: { questions: Question[] }) {
    return (
        <>
            {questions.map((q, i) => (
                <div key={i} class="question">
                    <p>{q.text}</p>
                    {q.any && <p class="question-any">Any number of them may be chosen.</p>}
                    <ul>
                        {q.options.map((option) => (
                            <li key={option.label}>
                                <b>{option.label}</b>
                                {option.description && <span>{option.description}</span>}
                            </li>
                        ))}
                    </ul>
                </div>
            ))}
        </>
    );
}
