/* Answering with the thumb: a card that is pushed aside far enough, and let go there. Pushed back before, nothing happens. */

import { useLayoutEffect, useRef } from "preact/hooks";

/** So far it has to be pushed, in parts of its width. */
const FAR = 0.35;
/** Before it is clear that the finger goes sideways, the page may scroll. */
const SLOP = 10;

export type Side = "left" | "right";

export interface Swipe {
    /** Whether letting go there would do something. */
    can(side: Side): boolean;
    act(side: Side): void;
}

/** Follows a finger on the element. What it would do is on the element: data-swipe where it goes, data-far
 * whether letting go would do it. */
export function useSwipe(ref: { current: HTMLElement | null }, swipe: Swipe, on: boolean): void {
    const latest = useRef(swipe);
    latest.current = swipe;
    useLayoutEffect(() => {
        const element = ref.current;
        if (!element || !on) return;
        let start: { id: number; x: number; y: number } | null = null;
        let going = false;
        const rest = () => {
            start = null;
            going = false;
            element.style.removeProperty("--push");
            delete element.dataset.swipe;
            delete element.dataset.far;
        };
        const down = (e: PointerEvent) => {
            const onControl = e.target instanceof Element && e.target.closest("button, a, input, textarea, select, label");
            if (e.pointerType === "mouse" || start !== null || onControl) return;
            start = { id: e.pointerId, x: e.clientX, y: e.clientY };
        };
        const move = (e: PointerEvent) => {
            if (start === null || e.pointerId !== start.id) return;
            const dx = e.clientX - start.x;
            const dy = e.clientY - start.y;
            if (!going) {
                if (Math.abs(dy) > SLOP && Math.abs(dy) > Math.abs(dx)) rest();
                if (start === null || Math.abs(dx) < SLOP) return;
                going = true;
                element.setPointerCapture(e.pointerId);
            }
            const side: Side = dx > 0 ? "right" : "left";
            const can = latest.current.can(side);
            // What is not possible gives way a little, so that one feels that it was understood.
            element.style.setProperty("--push", `${can ? dx : dx / 6}px`);
            element.dataset.swipe = side;
            element.dataset.far = String(can && Math.abs(dx) > element.clientWidth * FAR);
        };
        const up = (e: PointerEvent) => {
            if (start === null || e.pointerId !== start.id) return;
            const side = element.dataset.far === "true" ? (element.dataset.swipe as Side) : null;
            rest();
            if (side !== null) latest.current.act(side);
        };
        const cancel = (e: PointerEvent) => {
            if (start?.id === e.pointerId) rest();
        };
        element.addEventListener("pointerdown", down);
        element.addEventListener("pointermove", move);
        element.addEventListener("pointerup", up);
        element.addEventListener("pointercancel", cancel);
        return () => {
            rest();
            element.removeEventListener("pointerdown", down);
            element.removeEventListener("pointermove", move);
            element.removeEventListener("pointerup", up);
            element.removeEventListener("pointercancel", cancel);
        };
    }, [on]);
}
