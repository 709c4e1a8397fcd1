/* The browser's side of a BoardSocket: its address, its timers, and the moments when trying again makes sense. */

import type { Door } from "./door";
import type { PageKey } from "./key";
import type { BoardSocket, Environment } from "./socket";

/** A hidden page draws nothing, and its title still has to be right. */
const UNDRAWN_MS = 250;

const RELOADED_FOR = "ostler.reloadedFor";

/** How a socket offers the page's half of the login: browsers let no other header be set. The daemon never chooses it. */
const KEY_PROTOCOL = "ostler.key.";

export function browserEnvironment(key: Pick<PageKey, "value">): Environment {
    const { protocol, host } = window.location;
    return {
        url: `${protocol === "https:" ? "wss:" : "ws:"}//${host}/ws`,
        open(url, name) {
            const half = key.value;
            return new WebSocket(url, half === null ? [name] : [name, KEY_PROTOCOL + half]);
        },
        now: () => Date.now(),
        random: () => Math.random(),
        setTimer: (run, ms) => window.setTimeout(run, ms),
        clearTimer: (timer) => window.clearTimeout(timer),
        nextFrame(run) {
            const go = () => {
                window.cancelAnimationFrame(frame);
                window.clearTimeout(timer);
                run();
            };
            const frame = window.requestAnimationFrame(go);
            const timer = window.setTimeout(go, UNDRAWN_MS);
        },
        reload(version) {
            if (sessionStorage.getItem(RELOADED_FOR) === version) return false;
            sessionStorage.setItem(RELOADED_FOR, version);
            window.location.reload();
            return true;
        },
        warn: (text) => console.warn(`ostler: ${text}`),
    };
}

/** For the terminal of a session: the same world at another address. */
export function terminalEnvironment(env: Environment, sessionId: string, terminalId: string): Environment {
    const path = `/session/${encodeURIComponent(sessionId)}/worker/${encodeURIComponent(terminalId)}`;
    return { ...env, url: env.url + path };
}

/** Connects, and again whenever the network or the reader comes back; before a locked door it looks whether it still is. */
export function keepConnected(socket: BoardSocket, door: Door, key: PageKey): void {
    const again = () => {
        if (door.state.peek() === "locked") void door.check();
        else socket.probe();
    };
    window.addEventListener("online", again);
    document.addEventListener("visibilitychange", () => {
        if (document.visibilityState === "visible") again();
    });
    // Another tab has logged in, perhaps.
    key.changes.subscribe(() => {
        if (door.state.peek() === "locked" && key.value !== null) void door.check();
    });
    void door.check();
    socket.connect();
}
