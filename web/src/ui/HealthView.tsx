import { useEffect } from "preact/hooks";
import { ago, elapsed } from "../core/time";
import { HookTable } from "./HookTable";
import { Logins } from "./Logins";
import { LogoutButton } from "./Logout";
import { NotifySettings } from "./NotifySettings";
import { BOARD_PATH } from "./routes";
import { useServices } from "./services";
import { usePolling } from "./ticker";
import { number, plural } from "./words";

const POLL_MS = 3000;

/** How the daemon, the way of the events and the hooks do. */
export function HealthView() {
    const { socket, vitals } = useServices();
    useEffect(() => {
        socket.stats(true);
        return () => socket.stats(false);
    }, []);
    usePolling(socket.connection.value.phase === "live", POLL_MS, () => void vitals.refresh(true));
    return (
        <div class="health">
            <header class="health-head">
                <h1>Health</h1>
                <div class="health-actions">
                    <LogoutButton words />
                    <a class="button" href={BOARD_PATH} title="Back to the board (Esc)">
                        Back to the board
                    </a>
                </div>
            </header>
            <div class="health-row">
                <DaemonHealth />
                <QueueHealth />
            </div>
            <NotifySettings />
            <Logins />
            <HookTable />
        </div>
    );
}

function DaemonHealth() {
    const { socket, vitals } = useServices();
    const { phase } = socket.connection.value;
    const health = vitals.health.value;
    const well = phase === "live" && (health?.ok ?? true);
    return (
        <section class="vital" data-well={well} aria-labelledby="vital-daemon">
            <h2 id="vital-daemon">Daemon</h2>
            {phase !== "live" ? (
                <p class="vital-word">The daemon does not answer. What stands here may be old.</p>
            ) : health === null ? (
                <p class="vital-word">Asking…</p>
            ) : health.ok ? (
                <p class="vital-word">All is well.</p>
            ) : (
                <ul class="vital-word">
                    {health.problems.map((problem) => (
                        <li key={problem}>{sentence(problem)}</li>
                    ))}
                </ul>
            )}
            {health && health.hints.length > 0 && (
                <ul class="vital-word vital-hints">
                    {health.hints.map((hint) => (
                        <li key={hint}>{sentence(hint)}</li>
                    ))}
                </ul>
            )}
            {health && (
                <Figures
                    list={[
                        ["Version", health.version],
                        ["Process", String(health.pid)],
                        ["Up for", elapsed(health.uptimeMs)],
                    ]}
                />
            )}
        </section>
    );
}

function QueueHealth() {
    const { vitals, now } = useServices();
    const queue = vitals.queue.value;
    if (!queue) return <section class="vital" aria-hidden="true" />;
    const lost = queue.torn + queue.oversized + queue.dropped;
    const last = queue.lastProcessedAt === null ? "" : `, the last one ${ago(now.value - queue.lastProcessedAt)}`;
    const word = !queue.running
        ? "The spool cannot be read; events wait in it until it can."
        : lost > 0
          ? `${plural(lost, "record")} could not be taken in.`
          : `Nothing is lost: ${plural(queue.processed, "event")} taken in${last}.`;
    return (
        <section class="vital" data-well={queue.running && lost === 0} aria-labelledby="vital-queue">
            <h2 id="vital-queue">Events on their way</h2>
            <p class="vital-word">{word}</p>
            <Figures
                list={[
                    ["Taken in", number(queue.processed)],
                    ["Refused", number(queue.errored), "Payloads that are no event the daemon knows"],
                    ["Duplicates", number(queue.duplicates), "Sent again with the same Idempotency-Key"],
                    ["Torn", number(queue.torn), "Records that were cut off while being written"],
                    ["Too large", number(queue.oversized), "Payloads above 8 MiB, left out"],
                    ["Dropped", number(queue.dropped), "Segments that had to go because no daemon came for them"],
                ]}
            />
            <p class="vital-file" title={queue.file}>
                {queue.file}
            </p>
        </section>
    );
}

function Figures({ list }: { list: [string, string, string?][] }) {
    return (
        <dl class="figures">
            {list.map(([term, value, why]) => (
                <div key={term} title={why}>
                    <dt>{term}</dt>
                    <dd>{value}</dd>
                </div>
            ))}
        </dl>
    );
}

/** The daemon's own words as a sentence. */
function sentence(words: string): string {
    const text = words.charAt(0).toUpperCase() + words.slice(1);
    return /[.!?]$/.test(text) ? text : `${text}.`;
}
