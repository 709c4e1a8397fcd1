/* The part of the page that a soft keyboard leaves: --visible-height and --visible-top, while somebody needs them. */

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
