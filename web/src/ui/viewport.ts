/* The part of the page that a soft keyboard leaves: --visible-height and --visible-top, while somebody needs them. And how wide it is. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

export function useVisibleHeight(): void {
    useEffect(() => {
        const viewport = window.visualViewport;
        if (!viewport) return;
        const { style } = document.documentElement;
        const follow = () => {
            style.setProperty("--visible-height", `${viewport.height}px`);
            style.setProperty("--visible-top", `${viewport.offsetTop}px`);
        };
        follow();
        viewport.addEventListener("resize", follow);
        viewport.addEventListener("scroll", follow);
        return () => {
            viewport.removeEventListener("resize", follow);
            viewport.removeEventListener("scroll", follow);
            style.removeProperty("--visible-height");
            style.removeProperty("--visible-top");
        };
    }, []);
}

const NARROW = "(width < 640px)";

/** Whether the page is as narrow as a phone. */
export function useNarrow(): boolean {
    const narrow = useSignal(window.matchMedia(NARROW).matches);
    useEffect(() => {
        const query = window.matchMedia(NARROW);
        const follow = () => (narrow.value = query.matches);
        query.addEventListener("change", follow);
        return () => query.removeEventListener("change", follow);
    }, []);
    return narrow.value;
}
