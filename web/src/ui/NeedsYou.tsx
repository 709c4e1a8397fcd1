import { STATUS_INFO, askOf, sentenceOf, shortTitle, titleOf } from "../core/status";
import { Elapsed } from "./Elapsed";
import { StatusIcon } from "./icons";
import { sessionPath } from "./routes";
import { useServices } from "./services";

/** More than these nobody answers at once; the rest stands first in its projects. */
const SHOWN = 12;

/** Who needs you, over all projects. A row is kept for it also when nobody does, so that the board below stays put. */
export function NeedsYou() {
    const { store } = useServices();
    const ids = store.asking.value;
    return (
        <section class="needs" aria-label="Needs you">
            {ids.length === 0 ? (
                <Nobody />
            ) : (
                <ul>
                    {ids.slice(0, SHOWN).map((id) => (
                        <li key={id}>
                            <Asking id={id} />
                        </li>
                    ))}
                </ul>
            )}
            {ids.length > SHOWN && <p class="needs-more">and {ids.length - SHOWN} more in the projects below</p>}
        </section>
    );
}

const Nobody = () => <p class="needs-none">Nobody needs you.</p>;

/** By status, those who need you are the first group; only when there are none this says so in their place. */
export function NobodyNeedsYou() {
    return useServices().store.asking.value.length === 0 ? (
        <section class="needs" aria-label="Needs you">
            <Nobody />
        </section>
    ) : null;
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
