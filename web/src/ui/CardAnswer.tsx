import { useLayoutEffect } from "preact/hooks";
import { canBe } from "../core/answer";
import type { Request } from "../core/request";
import { spokenOf } from "./answering";
import { INBOX_PATH } from "./routes";
import { useServices } from "./services";

/** On a card there is room for yes and no; for more it leads to the inbox. What is shown in part is not allowed from here. */
export function CardAnswer({ r }: { r: Request }) {
    const { answering, socket, store } = useServices();
    useLayoutEffect(() => answering.placed("card", r), [r]);
    useLayoutEffect(() => () => answering.removed("card", r.id), [r.id]);
    const mine = store.inbox.mineOf(r.id).value;
    const off = socket.connection.value.phase !== "live" || r.answer !== null || mine?.phase === "slow";
    const said = answering.said.value?.id === r.id;
    const simple = r.kind === "approval" && canBe(r, "allow");
    return (
        <div class="card-answer">
            {simple && (
                <button class="button go card-allow" type="button" disabled={off} aria-label={spokenOf("Allow", r)} onClick={() => answering.allow([r])}>
                    Allow
                </button>
            )}
            {simple && canBe(r, "deny") && (
                <button class="button bad" type="button" disabled={off} aria-label={spokenOf("Deny", r)} onClick={() => answering.deny([r])}>
                    Deny
                </button>
            )}
            <a
                class={mine?.phase === "back" ? "button bad" : "button"}
                href={INBOX_PATH}
                title={mine?.phase === "back" ? mine.words : "Open in the inbox"}
                onClick={() => answering.select(r.id)}
            >
                {mine?.phase === "back" ? "Not answered: why?" : said ? "Look again" : wayWords(r)}
            </a>
        </div>
    );
}

function wayWords(r: Request): string {
    if (r.kind === "plan") return "Review the plan";
    if (r.kind === "question") return "Answer";
    return canBe(r, "allow") ? "More…" : "Read it";
}
