import { useLayoutEffect, useRef } from "preact/hooks";
import type { Summary } from "../core/messages";
import { statusLabel, toneOf } from "../core/status";
import { isRunning } from "../core/terminals";
import { useServices } from "./services";

/** Asks what closing a card shall mean while its agent is at work. */
export function CloseQuestion({ s }: { s: Summary }) {
    const { closing, store } = useServices();
    const terminalId = store.terminals.of(s);
    const first = useRef<HTMLButtonElement>(null);
    // Before it is painted: an Enter right behind the x must not go to the card.
    useLayoutEffect(() => first.current?.focus(), []);
    const onKey = (e: KeyboardEvent) => {
        if (e.key !== "Escape") return;
        e.preventDefault();
        closing.cancel();
    };
    const doing = toneOf(s) === "needs" ? "waits for you" : `is ${statusLabel(s).toLowerCase()}`;
    return (
        <div class="close-question" role="alertdialog" aria-label="Close the card?" onKeyDown={onKey}>
            {terminalId === null ? (
                <p>
                    The agent <b>{doing}</b>. Without its card it goes on, and its next event brings a new one.
                </p>
            ) : (
                <p>
                    Closing the card <b>ends what runs</b> in its terminal and forgets its screen.
                </p>
            )}
            <div class="close-buttons">
                <button ref={first} class={terminalId === null ? "button" : "button bad"} type="button" onClick={() => closing.close(s.id)}>
                    {terminalId === null ? "Close the card" : "End and close"}
                </button>
                {(terminalId === null || isRunning(store.terminals.find(terminalId))) && (
                    <button class={terminalId === null ? "button bad" : "button"} type="button" onClick={() => closing.end(s.id)}>
                        {terminalId === null ? "End the agent" : "Only end it"}
                    </button>
                )}
                <button class="button plain" type="button" onClick={() => closing.cancel()}>
                    Cancel
                </button>
            </div>
        </div>
    );
}
