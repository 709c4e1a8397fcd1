import { useLayoutEffect, useRef } from "preact/hooks";
import type { Summary } from "../core/messages";
import { STATUS_INFO, needsYou } from "../core/status";
import { useServices } from "./services";

/** Asks what closing a card shall mean while its agent is at work. */
export function CloseQuestion({ s }: { s: Summary }) {
    const { closing } = useServices();
    const first = useRef<HTMLButtonElement>(null);
    // Before it is painted: an Enter right behind the x must not go to the card.
    useLayoutEffect(() => first.current?.focus(), []);
    const onKey = (e: KeyboardEvent) => {
        if (e.key !== "Escape") return;
        e.preventDefault();
        closing.cancel();
    };
    const doing = needsYou(s) ? "waits for you" : `is ${STATUS_INFO[s.status].label.toLowerCase()}`;
    return (
        <div class="close-question" role="alertdialog" aria-label="Close the card?" onKeyDown={onKey}>
            <p>
                The agent <b>{doing}</b>. Without its card it goes on, and its next event brings a new one.
            </p>
            <div class="close-buttons">
                <button ref={first} class="button" type="button" onClick={() => closing.close(s.id)}>
                    Close the card
                </button>
                <button class="button bad" type="button" onClick={() => closing.end(s.id)}>
                    End the agent
                </button>
                <button class="button plain" type="button" onClick={() => closing.cancel()}>
                    Cancel
                </button>
            </div>
        </div>
    );
}
