import { useSignal } from "@preact/signals";
import type { EventStats, HookStats } from "../core/health";
import { useServices } from "./services";
import { duration, number, plural } from "./words";

/** What the hooks bring and how long it takes, as it happens. */
export function HookTable() {
    const { store } = useServices();
    const stats = store.hookStats.value;
    return (
        <section class="hooks" aria-labelledby="hooks-title">
            <header class="hooks-head">
                <h2 id="hooks-title">Hooks</h2>
                {stats && stats.total + stats.refused > 0 && (
                    <p>
                        {plural(stats.total, "event")}, {number(stats.perMinute)} in the last minute
                    </p>
                )}
                <ResetButton />
            </header>
            {stats && <Refused stats={stats} />}
            {stats && stats.events.length > 0 ? <Events events={stats.events} /> : <NoEvents waiting={stats === null} />}
        </section>
    );
}

const COLUMNS = ["Event", "Count", "Last minute", "Latency avg", "Latency p95", "Processing avg", "Processing p95"];

function figuresOf({ count, rate, latency, processing }: EventStats): string[] {
    return [number(count), number(rate), ...[latency.avg, latency.p95, processing.avg, processing.p95].map(duration)];
}

function Events({ events }: { events: readonly EventStats[] }) {
    return (
        <>
            <table class="hook-table">
                <thead>
                    <tr>
                        {COLUMNS.map((column) => (
                            <th key={column} scope="col">
                                {column}
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {events.map((e) => (
                        <tr key={e.name}>
                            <th scope="row">{e.name}</th>
                            {figuresOf(e).map((figure, i) => (
                                <td key={i} data-label={COLUMNS[i + 1]}>
                                    {figure}
                                </td>
                            ))}
                        </tr>
                    ))}
                </tbody>
            </table>
            <p class="hooks-note">Latency is from the hook to the daemon, processing within it; both over the newest 200 of each.</p>
        </>
    );
}

function Refused({ stats }: { stats: HookStats }) {
    if (stats.refused === 0 && stats.unknown.length === 0) return null;
    return (
        <div class="hooks-refused">
            <p>
                <b>{plural(stats.refused, "payload")} refused.</b>
                {stats.unknown.length > 0 && " Events that this daemon does not know:"}
            </p>
            {stats.unknown.length > 0 && (
                <ul>
                    {stats.unknown.map(({ name, count }) => (
                        <li key={name} class="chip">
                            <code>{name}</code> {number(count)}
                        </li>
                    ))}
                </ul>
            )}
        </div>
    );
}

function NoEvents({ waiting }: { waiting: boolean }) {
    return (
        <p class="hooks-none">
            {waiting
                ? "Waiting for the daemon's figures…"
                : "No hook has fired since the daemon started or the figures were reset. They appear here with the next one."}
        </p>
    );
}

function ResetButton() {
    const { api, commands, store } = useServices();
    const busy = useSignal(false);
    const reset = async () => {
        busy.value = true;
        try {
            await api.resetHookStats();
            store.hookStats.value = await api.hookStats();
        } catch (e) {
            commands.complain("The figures were not reset", e);
        }
        busy.value = false;
    };
    return (
        <button class="button" type="button" disabled={busy.value} onClick={() => void reset()}>
            Reset the figures
        </button>
    );
}
