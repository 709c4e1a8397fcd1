/*
 * The answer to a request: buttons, and the forms behind them. The same in the inbox, in the panel and, shorter, on a card.
 * Requests that are answered together are given together; the first one is what is shown.
 */

import { canBe, editableCommand, isAnswerable, unanswered } from "../core/answer";
import { doingWords, modeWords, type Request } from "../core/request";
import { AlwaysForm, DenyForm, EditForm } from "./AnswerForms";
import { spokenOf } from "./answering";
import { sessionPath } from "./routes";
import { useServices } from "./services";
import { plural } from "./words";

export interface AnswerProps {
    /** One, or several that ask for the same. */
    requests: readonly Request[];
}

/** Why it cannot be answered right now; "" when it can. */
function useHindrance(r: Request): string {
    const { socket, store } = useServices();
    const mine = store.inbox.mineOf(r.id).value;
    if (socket.connection.value.phase !== "live") return "Not connected: it can be answered when the daemon is back.";
    if (mine?.phase === "slow") return `${doingWords(mine.decision, r.kind)}: sent, but not confirmed yet.`;
    if (r.answer) return `${doingWords(r.answer.decision, r.kind)} is on its way${r.answer.by ? `, by ${r.answer.by}` : ""}.`;
    return "";
}

export function Answer({ requests }: AnswerProps) {
    const { answering } = useServices();
    const r = requests[0]!;
    const hindrance = useHindrance(r);
    const form = answering.form.value?.id === r.id ? answering.form.value.name : null;
    if (!isAnswerable(r)) return <NoAnswer r={r} />;
    return (
        <div class="answer" data-busy={hindrance !== ""}>
            <Words r={r} hindrance={hindrance} />
            <fieldset disabled={hindrance !== ""}>
                <legend class="offscreen">Answer</legend>
                {form === "deny" ? (
                    <DenyForm key={r.id} requests={requests} />
                ) : form === "always" ? (
                    <AlwaysForm key={r.id} r={r} />
                ) : form === "edit" ? (
                    <EditForm key={`${r.id} ${r.digest}`} r={r} />
                ) : (
                    <Buttons requests={requests} />
                )}
            </fieldset>
        </div>
    );
}

/** What is to be said about an answer: what became of ours, or of an earlier one, and why none can be given now. */
function Words({ r, hindrance }: { r: Request; hindrance: string }) {
    const { store, answering } = useServices();
    const mine = store.inbox.mineOf(r.id).value;
    const said = answering.said.value?.id === r.id ? answering.said.value.text : "";
    const back = mine?.phase === "back" ? mine.words : "";
    return (
        <>
            {back && (
                <p class="answer-words" data-bad="true" role="alert">
                    <b>Not answered.</b> {back}
                </p>
            )}
            {!back && r.note && <p class="answer-words">{r.note}</p>}
            <p class="answer-words answer-said" role="status">
                {hindrance || said}
            </p>
        </>
    );
}

function Buttons({ requests }: AnswerProps) {
    const r = requests[0]!;
    if (r.kind === "question") return <QuestionButtons r={r} />;
    if (r.kind === "plan") return <PlanButtons r={r} />;
    return <ApprovalButtons requests={requests} />;
}

const ofAll = (word: string, n: number) => (n > 1 ? `${word} all ${n}` : word);

function ApprovalButtons({ requests }: AnswerProps) {
    const { answering } = useServices();
    const r = requests[0]!;
    const many = requests.length;
    return (
        <div class="answer-buttons">
            {canBe(r, "allow") && (
                <button
                    class="button go"
                    type="button"
                    title="Allow (a)"
                    aria-label={spokenOf(ofAll("Allow", many), r)}
                    onClick={() => answering.allow(requests)}
                >
                    {ofAll("Allow", many)} <kbd aria-hidden="true">a</kbd>
                </button>
            )}
            {canBe(r, "deny") && (
                <button
                    class="button bad"
                    type="button"
                    title="Deny (d)"
                    aria-label={spokenOf(ofAll("Deny", many), r)}
                    onClick={() => answering.open(r.id, "deny")}
                >
                    {ofAll("Deny", many)}… <kbd aria-hidden="true">d</kbd>
                </button>
            )}
            {canBe(r, "always") && (
                <button
                    class="button"
                    type="button"
                    title="Always allow (A)"
                    aria-label={spokenOf("Always allow", r)}
                    onClick={() => answering.open(r.id, "always")}
                >
                    Always… <kbd aria-hidden="true">A</kbd>
                </button>
            )}
            {many === 1 && editableCommand(r) !== null && (
                <button class="button plain" type="button" aria-label={spokenOf("Edit, then allow", r)} onClick={() => answering.open(r.id, "edit")}>
                    Edit first…
                </button>
            )}
        </div>
    );
}

/** The questions themselves are where the text is; here is what becomes of them. */
function QuestionButtons({ r }: { r: Request }) {
    const { answering } = useServices();
    const questions = r.questions ?? [];
    const chosen = answering.choicesOf(r).value;
    const missing = unanswered(questions, chosen);
    return (
        <div class="answer-buttons">
            {canBe(r, "answers") && questions.length > 0 && (
                <button class="button go" type="button" disabled={missing > 0} onClick={() => answering.allow([r])}>
                    {missing > 0 ? `${plural(missing, "question")} left` : questions.length > 1 ? "Send the answers" : "Send the answer"}{" "}
                    <kbd aria-hidden="true">a</kbd>
                </button>
            )}
            {canBe(r, "deny") && (
                <button class="button bad" type="button" aria-label={spokenOf("Decline", r)} onClick={() => answering.open(r.id, "deny")}>
                    Decline… <kbd aria-hidden="true">d</kbd>
                </button>
            )}
        </div>
    );
}

function PlanButtons({ r }: { r: Request }) {
    const { answering } = useServices();
    const mode = answering.modeOf(r);
    const modes = canBe(r, "mode") ? r.modes : [];
    return (
        <>
            {modes.length > 1 && (
                <label class="answer-mode">
                    <span>Then</span>
                    <select value={mode.value ?? modes[0]} onChange={(e) => (mode.value = e.currentTarget.value)}>
                        {modes.map((it) => (
                            <option key={it} value={it}>
                                {modeWords(it)}
                            </option>
                        ))}
                    </select>
                </label>
            )}
            <div class="answer-buttons">
                {canBe(r, "allow") && (
                    <button class="button go" type="button" onClick={() => answering.allow([r])}>
                        Approve <kbd aria-hidden="true">a</kbd>
                    </button>
                )}
                {canBe(r, "deny") && (
                    <button class="button bad" type="button" onClick={() => answering.open(r.id, "deny")}>
                        Send back… <kbd aria-hidden="true">d</kbd>
                    </button>
                )}
            </div>
        </>
    );
}

/** Where nothing is possible, it says why and leads there. */
function NoAnswer({ r }: { r: Request }) {
    const { store } = useServices();
    const s = r.session === null ? undefined : store.find(r.session)?.value;
    const hosted = s !== undefined && store.terminals.of(s) !== null;
    const where = hosted ? "in its terminal" : "where it runs";
    const why = r.why ?? (r.certain ? `Answer it ${where}.` : `A guess: nothing was heard for a while. Look ${where}.`);
    return (
        <div class="answer">
            {r.note && <p class="answer-words">{r.note}</p>}
            <p class="answer-words answer-why">{why}</p>
            {s && (
                <div class="answer-buttons">
                    <a class="button" href={sessionPath(s.id)}>
                        {hosted ? "Open its terminal" : "Open its session"}
                    </a>
                </div>
            )}
        </div>
    );
}
