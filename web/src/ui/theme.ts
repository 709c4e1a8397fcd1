/* Light or dark: the system's choice until a person makes another one, which this browser then remembers. */

import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";

export type ThemeName = "light" | "dark";

const KEY = "ostler.theme";

export interface Theme {
    current: ReadonlySignal<ThemeName>;
    toggle(): void;
}

function remembered(): ThemeName | null {
    try {
        const value = localStorage.getItem(KEY);
        return value === "light" || value === "dark" ? value : null;
    } catch {
        return null; // storage may be forbidden; the system's choice is good enough then
    }
}

function remember(choice: ThemeName | null): void {
    try {
        if (choice) localStorage.setItem(KEY, choice);
        else localStorage.removeItem(KEY);
    } catch {
        // as above
    }
}

export function createTheme(): Theme {
    const query = window.matchMedia("(prefers-color-scheme: dark)");
    const system = signal<ThemeName>(query.matches ? "dark" : "light");
    const chosen = signal<ThemeName | null>(remembered());
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
            remember(chosen.peek());
        },
    };
}
