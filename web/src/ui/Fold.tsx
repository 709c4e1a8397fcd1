import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface Props {
    children: ComponentChildren;
    /** Whether it is open, where somebody else wants to know, or to decide. */
    opened?: Signal<boolean>;
    /** Told whether only a part of it is shown. */
    onPart?: (part: boolean) => void;
}

/** Something that may be long: at first as much of it as fits, and a word that there is more. `key` it by what it shows. */
export function Fold({ children, opened, onPart }: Props) {
    const ref = useRef<HTMLDivElement>(null);
    const own = useSignal(false);
    const open = opened ?? own;
    const longer = useSignal(false);
    useLayoutEffect(() => {
        const box = ref.current!;
        const look = () => {
            if (!open.peek()) longer.value = box.scrollHeight > box.clientHeight + 1;
            onPart?.(longer.peek() && !open.peek());
        };
        look();
        const sizes = new ResizeObserver(look);
        sizes.observe(box);
        return () => sizes.disconnect();
    }, []);
    useLayoutEffect(() => onPart?.(longer.value && !open.value), [longer.value, open.value]);
    return (
        <div class="fold" data-open={open.value} data-longer={longer.value}>
            <div class="fold-box" ref={ref}>
                {children}
            </div>
            {(longer.value || open.value) && (
                <button class="fold-button" type="button" aria-expanded={open.value} onClick={() => (open.value = !open.peek())}>
                    {open.value ? "show less" : "… show all"}
                </button>
            )}
        </div>
    );
}
