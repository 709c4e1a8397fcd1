/* Closing cards: at once where nothing is going on, after a question where it is. */

import { signal, type ReadonlySignal } from "@preact/signals";
import { isBusy } from "../core/status";
import type { Store } from "../core/store";
import { isRunning } from "../core/terminals";
import type { Commands } from "../net/commands";
import { cardOf, type BoardView } from "./board_view";
import { BOARD_PATH, sessionPath, type Router } from "./routes";

/** Where the question is asked. */
export type Place = "card" | "panel";

export class Closing {
    /** The card that a question is open for; there is one at a time. */
    readonly asked: ReadonlySignal<{ id: string; place: Place } | null>;
    private readonly question = signal<{ id: string; place: Place } | null>(null);

    constructor(
        private readonly store: Store,
        private readonly commands: Commands,
        private readonly router: Router,
        private readonly open: ReadonlySignal<string | null>,
        private readonly board: BoardView,
    ) {
        this.asked = this.question;
    }

    /** Closes the card, or asks first. */
    request(id: string, place: Place): void {
        const s = this.store.find(id)?.peek();
        if (!s) return;
        const terminal = this.store.terminals.find(this.store.terminals.of(s));
        // With its card, a terminal goes for good.
        const keeps = isRunning(terminal) || terminal?.connection === "restored";
        if (!isBusy(s) && !keeps) {
            this.close(id);
            return;
        }
        // A card that the filter hides has no room for a question; its panel has.
        const seen = place === "card" && this.board.has(id);
        if (!seen) this.router.go(sessionPath(id));
        this.question.value = { id, place: seen ? "card" : "panel" };
    }

    /** Takes the card away; the focus goes on to the next one, so that the keyboard stays where it was. */
    close(id: string): void {
        this.question.value = null;
        const isOpen = this.open.peek() === id;
        const hadFocus = cardOf(id)?.parentElement?.contains(document.activeElement) || isOpen;
        const next = hadFocus ? this.board.neighbourOf(id) : null;
        if (isOpen) this.router.go(BOARD_PATH);
        void this.commands.close(id);
        if (next) requestAnimationFrame(() => this.board.focus(next));
    }

    end(id: string): void {
        const s = this.store.find(id)?.peek();
        this.cancel();
        if (s?.terminalId) void this.commands.endTerminal(id, s.terminalId);
        else void this.commands.end(id);
    }

    /** Back to where the question came from. */
    cancel(): void {
        const asked = this.question.peek();
        this.question.value = null;
        if (asked?.place === "card") this.board.focus(asked.id);
        if (asked?.place === "panel") document.querySelector<HTMLElement>(".panel")?.focus();
    }
}
