/* How this browser's reader likes terminals. */

import { effect, signal, type Signal } from "@preact/signals";
import { recall, recallText, remember } from "./remember";

const FONT_KEY = "ostler.terminal.font";
const THUMBNAILS_KEY = "ostler.thumbnails";
const SPOKEN_KEY = "ostler.terminal.spoken";

export const FONT_DEFAULT = 13;
const FONT_MIN = 8;
const FONT_MAX = 28;

export interface Prefs {
    fontSize: Signal<number>;
    /** Whether cards show what is on their terminals. */
    thumbnails: Signal<boolean>;
    /** Whether terminals speak to screen readers; it costs everybody else some speed. */
    spoken: Signal<boolean>;
    /** Larger or smaller by a step; 0 for the default. */
    zoom(step: -1 | 0 | 1): void;
}

export function createPrefs(): Prefs {
    const stored = Number(recallText(FONT_KEY));
    const fontSize = signal(stored >= FONT_MIN && stored <= FONT_MAX ? stored : FONT_DEFAULT);
    const thumbnails = signal(recall(THUMBNAILS_KEY, ["off"]) === null);
    const spoken = signal(recall(SPOKEN_KEY, ["on"]) !== null);
    effect(() => remember(FONT_KEY, fontSize.value === FONT_DEFAULT ? null : String(fontSize.value)));
    effect(() => remember(THUMBNAILS_KEY, thumbnails.value ? null : "off"));
    effect(() => remember(SPOKEN_KEY, spoken.value ? "on" : null));
    return {
        fontSize,
        thumbnails,
        spoken,
        zoom(step) {
            fontSize.value = step === 0 ? FONT_DEFAULT : Math.min(FONT_MAX, Math.max(FONT_MIN, fontSize.peek() + step));
        },
    };
}
