/* Light or dark: the system's choice until a person makes another one, which this browser then remembers. */

import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import { recall, remember } from "./remember";

export type ThemeName = "light" | "dark";

const KEY = "ostler.theme";

export interface Theme {
    current: ReadonlySignal<ThemeName>;
    toggle(): void;
}

export function createTheme(): Theme {
    const query = window.matchMedia("(prefers-color-scheme: dark)");
    const system = signal<ThemeName>(query.matches ? "dark" : "light");
    const chosen = signal(recall<ThemeName>(KEY, ["light", "dark"]));
    const current = computed(() => chosen.value ?? system.value);
    query.addEventListener("change", () => {
        system.value = query.matches ? "dark" : "light";
    });
    effect(() => {
        if (chosen.value) document.documentElement.dataset.theme = chosen.value;
        else delete document.documentElement.dataset.theme;
    });
    return {
        current,
        toggle() {
            const other = current.peek() === "dark" ? "light" : "dark";
            // Back at what the system says, follow it again.
            chosen.value = other === system.peek() ? null : other;
            remember(KEY, chosen.peek());
        },
    };
}
