import { plainOf } from "../core/markdown";
import type { Summary } from "../core/messages";
import { APART_MAX } from "../core/order";
import { askOf, labelOf, sentenceOf, shapeOf, shortTitle, sinceOf, titleOf, toneOf } from "../core/status";
import { Elapsed } from "./Elapsed";
import { ShapeIcon } from "./icons";
import { NotifyHint } from "./NotifyHint";
import { sessionPath } from "./routes";
import { useServices } from "./services";

/** Who wants you, over all groups. A row is kept for it also when nobody does, so that the board below stays put. */
export function NeedsYou({ ids }: { ids: readonly string[] }) {
    const { store } = useServices();
    return (
        <section class="needs" aria-label="Needs you">
            {ids.length === 0 ? (
                <p class="needs-none">
                    Nobody needs you. <NotifyHint />
                </p>
            ) : (
                <ul>
                    {ids.slice(0, APART_MAX).map((id) => (
                        <li key={id}>
                            <Asking id={id} />
                        </li>
                    ))}
                </ul>
            )}
            {ids.length > APART_MAX && (
                <button class="needs-more" type="button" onClick={() => (store.only.value = "wanting")}>
                    and {ids.length - APART_MAX} more: show all {ids.length}
                </button>
            )}
        </section>
    );
}

function Asking({ id }: { id: string }) {
    const { store } = useServices();
    const s = store.find(id)?.value;
    if (!s) return null;
    return (
        <a
            class="asking"
            href={sessionPath(id)}
            data-id={id}
            data-tone={toneOf(s)}
            data-kind={s.attention?.kind}
            data-guess={s.attention?.certain === false}
            aria-label={`${titleOf(s)}. ${sentenceOf(s)}`}
            title={s.attention?.text}
        >
            <span class="asking-head">
                <ShapeIcon shape={shapeOf(s)} />
                <b>{s.projectName}</b>
                <span>{shortTitle(s).text}</span>
                <Elapsed since={sinceOf(s)} />
            </span>
            <span class="asking-what">
                {labelOf(s)} {what(s)}
            </span>
        </a>
    );
}

const firstLine = (text: string) => text.trimStart().split("\n", 1)[0]!;

/** One line of it; where that is cut, an ellipsis says so, and the panel has it whole. */
function what(s: Summary) {
    const a = s.attention;
    if (a?.form === "command" && a.detail !== null) return <code>{a.detail.slice(0, 300)}</code>;
    const line = a?.kind === "plan" && a.detail !== null ? firstLine(a.detail) : askOf(s);
    return line && <span>{a?.form === "markdown" ? plainOf(line) : line}</span>;
}
