/* Items of a list that change places slide there, so that the eye can follow. */

import { useLayoutEffect, useRef } from "preact/hooks";

interface Place {
    left: number;
    top: number;
}

/** Slides the children of `list` after `ids`, their order, changed. Places are relative to the list: scrolling is none. */
export function useSlide(list: { current: HTMLElement | null }, ids: readonly string[]): void {
    const places = useRef(new Map<string, Place>());
    useLayoutEffect(() => {
        const before = places.current;
        const after = new Map<string, Place>();
        const children = (list.current?.children ?? []) as ArrayLike<HTMLElement>;
        for (const [i, id] of ids.entries()) {
            const child = children[i];
            if (child) after.set(id, { left: child.offsetLeft, top: child.offsetTop });
        }
        places.current = after;
        if (before.size === 0 || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        for (const [i, id] of ids.entries()) {
            const from = before.get(id);
            const to = after.get(id);
            if (!from || !to || (from.left === to.left && from.top === to.top)) continue;
            const move = `translate(${from.left - to.left}px, ${from.top - to.top}px)`;
            children[i]!.animate([{ transform: move }, { transform: "none" }], { duration: 240, easing: "ease-out" });
        }
    }, [ids]);
}
