/* Tells those who do not see the board when somebody begins to need them. */

import { useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { sentenceOf, titleOf } from "../core/status";
import { useServices } from "./services";

export function Announcer() {
    const { store } = useServices();
    const text = useSignal("");
    const before = useRef<ReadonlySet<string>>(new Set());
    useSignalEffect(() => {
        const asking = store.asking.value;
        const fresh = asking.filter((id) => !before.current.has(id));
        before.current = new Set(asking);
        const said = fresh.map((id) => store.find(id)?.peek()).filter((s) => s !== undefined);
        if (said.length > 0) text.value = said.map((s) => `${titleOf(s)}: ${sentenceOf(s)}`).join(". ");
    });
    return (
        <div class="offscreen" aria-live="polite">
            {text}
        </div>
    );
}
