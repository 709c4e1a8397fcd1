/* What the agent is to do next, and a way to stop what it does: both are typed into its terminal. */

import { useSignal } from "@preact/signals";
import type { Summary } from "../core/messages";
import { toneOf } from "../core/status";
import { isRunning } from "../core/terminals";
import { useServices } from "./services";

export function NextPrompt({ s }: { s: Summary }) {
    const { store, answers, socket } = useServices();
    const words = useSignal("");
    const busy = useSignal(false);
    const tone = toneOf(s);
    if (!isRunning(store.terminals.find(s.terminalId))) return null;
    const live = socket.connection.value.phase === "live";
    const during = async (work: () => Promise<boolean>) => {
        if (busy.peek()) return;
        busy.value = true;
        if (await work()) words.value = "";
        busy.value = false;
    };
    if (tone === "busy")
        return (
            <div class="next-prompt">
                <button class="button bad" type="button" disabled={!live || busy.value} onClick={() => void during(() => answers.interrupt(s.id))}>
                    Interrupt
                </button>
                <small>Esc in its terminal</small>
            </div>
        );
    if (tone === "needs") return null;
    const send = () => {
        if (words.peek().trim() !== "") void during(() => answers.prompt(s.id, words.peek().trim()));
    };
    return (
        <form
            class="next-prompt"
            onSubmit={(e) => {
                e.preventDefault();
                send();
            }}
        >
            <textarea
                rows={1}
                aria-label="The next prompt"
                placeholder="What should it do next?"
                value={words.value}
                readOnly={busy.value}
                onInput={(e) => (words.value = e.currentTarget.value)}
                onKeyDown={(e) => {
                    if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
                    e.preventDefault();
                    send();
                }}
            />
            <button class="button go" type="submit" disabled={!live || busy.value || words.value.trim() === ""}>
                {busy.value ? "Sending…" : "Send"}
            </button>
        </form>
    );
}
