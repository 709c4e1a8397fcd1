import { useServices } from "./services";

/** Says why the board stands still, and for how long. The cards stay as they were. */
export function ConnectionBanner() {
    const { socket, now } = useServices();
    const state = socket.connection.value;
    if (state.phase === "live" || state.phase === "locked" || (state.phase === "connecting" && state.failures === 0)) return null;
    if (state.phase === "outdated")
        return (
            <div class="banner" role="alert">
                <span>This page does not fit the daemon {state.version}. Reload it without the browser's cache.</span>
                <button type="button" onClick={() => location.reload()}>
                    Reload
                </button>
            </div>
        );
    const left = state.phase === "lost" ? Math.max(0, Math.ceil((state.retryAt - now.value) / 1000)) : 0;
    return (
        <div class="banner">
            <span role="alert">Daemon not reachable</span>
            <span class="banner-when"> — {left > 0 ? `retrying in ${left} s` : "retrying now"}</span>
            <button type="button" disabled={state.phase === "connecting"} onClick={() => socket.connect()}>
                Retry now
            </button>
        </div>
    );
}
