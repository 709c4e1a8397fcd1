import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Something that may be long: at first as much of it as fits, and a word that there is more. `key` it by what it shows. */
export function Fold({ children }: { children: ComponentChildren }) {
    const ref = useRef<HTMLDivElement>(null);
    const open = useSignal(false);
    const longer = useSignal(false);
    useLayoutEffect(() => {
        const box = ref.current!;
        const look = () => {
            if (!open.peek()) longer.value = box.scrollHeight > box.clientHeight + 1;
        };
        look();
        const sizes = new ResizeObserver(look);
        sizes.observe(box);
        return () => sizes.disconnect();
    }, []);
    return (
        <div class="fold" data-open={open.value} data-longer={longer.value}>
            <div class="fold-box" ref={ref}>
                {children}
            </div>
            {longer.value && (
                <button class="fold-button" type="button" aria-expanded={open.value} onClick={() => (open.value = !open.peek())}>
                    {open.value ? "show less" : "… show all"}
                </button>
            )}
        </div>
    );
}
