/* Items of a list that change places slide there, so that the eye can follow. */

import { useLayoutEffect, useRef } from "preact/hooks";
import type { GroupSpot } from "../core/layout";
import { useServices } from "./services";

/** Slides the items of a group's list that stood elsewhere before, unless all of them do because the window has another width. */
export function useSlide(list: { current: HTMLElement | null }, spot: GroupSpot): void {
    const { motion } = useServices();
    const before = useRef<GroupSpot | null>(null);
    useLayoutEffect(() => {
        const last = before.current;
        before.current = spot;
        if (!last || last.width !== spot.width || last.units === spot.units) return;
        const places = new Map(last.units.map((it) => [it.unit.key, it]));
        const moved = new Map(
            spot.units.flatMap(({ unit: { key }, x, y }) => {
                const from = places.get(key);
                return from && (from.x !== x || from.y !== y) ? [[key, `translate(${from.x - x}px, ${from.y - y}px)`]] : [];
            }),
        );
        if (moved.size === 0 || !motion.allows()) return;
        for (const item of (list.current?.children ?? []) as ArrayLike<HTMLElement> & Iterable<HTMLElement>) {
            const move = moved.get(item.dataset.key ?? "");
            if (move) item.animate([{ transform: move }, { transform: "none" }], { duration: 240, easing: "ease-out" });
        }
    }, [spot]);
}
