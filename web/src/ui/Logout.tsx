import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ApiError } from "../net/api";
import { LogoutIcon } from "./icons";
import { BOARD_PATH } from "./routes";
import { useServices } from "./services";

/** Only where there is something to log out of: as an icon, or in words. */
export function LogoutButton({ words = false }: { words?: boolean }) {
    const { door } = useServices();
    const asking = useSignal(false);
    if (!door.hasLock.value) return null;
    return (
        <>
            <button
                class={words ? "button" : "icon-button logout-button"}
                type="button"
                title="Log out"
                aria-label="Log out"
                onClick={() => (asking.value = true)}
            >
                {words ? "Log out" : <LogoutIcon />}
            </button>
            {asking.value && <LogoutDialog onClose={() => (asking.value = false)} />}
        </>
    );
}

/** Here, or everywhere? Afterwards the page begins anew, so that nothing of the board is left in it. */
function LogoutDialog({ onClose }: { onClose: () => void }) {
    const { door } = useServices();
    const ref = useRef<HTMLDialogElement>(null);
    const busy = useSignal(false);
    const problem = useSignal("");
    useEffect(() => ref.current?.showModal(), []);
    const leave = async (everywhere: boolean) => {
        busy.value = true;
        problem.value = "";
        try {
            await door.leave(everywhere);
            location.assign(BOARD_PATH);
        } catch (e) {
            if (!(e instanceof ApiError)) throw e;
            busy.value = false;
            problem.value = `You are still logged in: ${e.message}.`;
        }
    };
    return (
        <dialog
            ref={ref}
            class="dialog"
            aria-labelledby="logout-title"
            onClose={onClose}
            onClick={(e) => {
                if (e.target === ref.current) ref.current?.close();
            }}
        >
            <div class="dialog-body">
                <h2 id="logout-title">Log out?</h2>
                <p>Agents and terminals go on without you. “Everywhere” also closes the boards of other browsers and machines.</p>
                <p class="dialog-problem" role="alert">
                    {problem.value}
                </p>
                <div class="dialog-buttons">
                    <button class="button plain" type="button" disabled={busy.value} onClick={() => ref.current?.close()}>
                        Cancel
                    </button>
                    <button class="button" type="button" disabled={busy.value} onClick={() => void leave(true)}>
                        Everywhere
                    </button>
                    <button class="button" type="button" autofocus disabled={busy.value} onClick={() => void leave(false)}>
                        Log out
                    </button>
                </div>
            </div>
        </dialog>
    );
}
