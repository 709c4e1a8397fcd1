import type { Summary } from "../core/messages";
import { BellIcon } from "./icons";
import { useServices } from "./services";

/** Whether anybody is notified of this session, on any device. */
export function MuteButton({ session }: { session: Summary }) {
    const { api } = useServices();
    const muted = session.muted === true;
    const label = muted ? "Notify me of this session again" : "Do not notify me of this session, on any device";
    return (
        <button
            class="icon-button"
            type="button"
            aria-pressed={muted}
            title={label}
            aria-label={label}
            onClick={() => void api.mute(session.id, !muted).catch(() => {})}
        >
            <BellIcon crossed={muted} />
        </button>
    );
}
