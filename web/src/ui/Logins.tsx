import { useSignal } from "@preact/signals";
import type { Login } from "../core/logins";
import { ago, dayTime, elapsed } from "../core/time";
import { ApiError } from "../net/api";
import { PairPhone } from "./PairPhone";
import { useServices } from "./services";
import { usePolling } from "./ticker";

const POLL_MS = 10_000;

/** Who is logged in, and a way to throw them out; only where there is a password. */
export function Logins() {
    const { door } = useServices();
    return door.hasLock.value ? <LoginList /> : null;
}

function LoginList() {
    const { api, socket } = useServices();
    const logins = useSignal<Login[] | null>(null);
    const busy = useSignal("");
    const problem = useSignal("");
    const attempt = async (work: () => Promise<void>) => {
        try {
            await work();
            problem.value = "";
        } catch (e) {
            if (!(e instanceof ApiError)) throw e;
            problem.value = e.message;
        }
    };
    const refresh = async () => void (logins.value = await api.logins());
    usePolling(socket.connection.value.phase === "live", POLL_MS, () => void attempt(refresh));
    const revoke = async ({ id, current }: Login) => {
        busy.value = id;
        await attempt(async () => {
            await api.revoke(id);
            if (!current) await refresh(); // of its own the connection tells
        });
        busy.value = "";
    };
    return (
        <section class="logins" aria-labelledby="logins-title">
            <h2 id="logins-title">Logged in</h2>
            {logins.value?.length === 0 && <p class="logins-none">Nobody is.</p>}
            <PairPhone />
            <ul>
                {logins.value?.map((login) => (
                    <LoginRow key={login.id} login={login} busy={busy.value === login.id} onRevoke={() => void revoke(login)} />
                ))}
            </ul>
            {problem.value && (
                <p class="dialog-problem" role="alert">
                    {problem.value}
                </p>
            )}
        </section>
    );
}

function LoginRow({ login, busy, onRevoke }: { login: Login; busy: boolean; onRevoke: () => void }) {
    const { now } = useServices();
    const { id, kind, agent, address, user, current, createdAt, lastUsedAt, expiresAt } = login;
    const what = agent ?? (kind === "browser" ? "A browser" : "A program");
    const who = login.name === null ? what : `${login.name} (${what})`;
    return (
        <li data-login={id}>
            <div class="login-who">
                <strong>{who}</strong>
                {current && <span class="login-current">this browser</span>}
                {login.lookOnly && <span class="login-kind">only looks</span>}
                {kind === "token" && <span class="login-kind">with a token</span>}
            </div>
            <p>
                from {address}
                {user !== null && ` (${user})`}, since {dayTime(createdAt, now.value)}
            </p>
            <p>
                used {ago(now.value - lastUsedAt)}, ends in {elapsed(expiresAt - now.value)} <span class="login-id">{id}</span>
            </p>
            <button class="button" type="button" disabled={busy} aria-label={`Revoke the login of ${who}, ${id}`} onClick={onRevoke}>
                {busy ? "Revoking…" : "Revoke"}
            </button>
        </li>
    );
}
