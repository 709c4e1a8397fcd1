/* A time that ticks. The text follows the clock by itself; the component around it is not drawn again. */

import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { coarse, elapsed } from "../core/time";
import { useServices } from "./services";

export function Elapsed({ since, rough = false }: { since: number; rough?: boolean }) {
    const { now } = useServices();
    const text = useMemo(
        () => computed(() => (rough ? coarse : elapsed)(now.value - since)),
        [now, since, rough],
    );
    return <span class="elapsed">{text}</span>;
}
