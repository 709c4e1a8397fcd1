import { APART_MAX } from "../core/order";
import { STATUS_INFO, askOf, sentenceOf, shortTitle, titleOf } from "../core/status";
import { Elapsed } from "./Elapsed";
import { StatusIcon } from "./icons";
import { sessionPath } from "./routes";
import { useServices } from "./services";

/** Who needs you, over all groups. A row is kept for it also when nobody does, so that the board below stays put. */
export function NeedsYou({ ids }: { ids: readonly string[] }) {
    return (
        <section class="needs" aria-label="Needs you">
            {ids.length === 0 ? (
                <p class="needs-none">Nobody needs you.</p>
            ) : (
                <ul>
                    {ids.slice(0, APART_MAX).map((id) => (
                        <li key={id}>
                            <Asking id={id} />
                        </li>
                    ))}
                </ul>
            )}
            {ids.length > APART_MAX && <p class="needs-more">and {ids.length - APART_MAX} more below</p>}
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
            aria-label={`${titleOf(s)}. ${sentenceOf(s)}`}
            title={s.waitingDetail ?? undefined}
        >
            <span class="asking-head">
                <StatusIcon status={s.status} />
                <b>{s.projectName}</b>
                <span>{shortTitle(s).text}</span>
                <Elapsed since={s.statusSince} />
            </span>
            <span class="asking-what">
                {STATUS_INFO[s.status].label}: <code>{askOf(s) || "see its terminal"}</code>
            </span>
        </a>
    );
}
