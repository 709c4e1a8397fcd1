/* A time that ticks. The text follows the clock by itself; the component around it is not drawn again. */

import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { ago, coarse, elapsed } from "../core/time";
import { useServices } from "./services";

const FORMS = { exact: elapsed, rough: coarse, ago };

export function Elapsed({ since, form = "exact" }: { since: number; form?: keyof typeof FORMS }) {
    const { now } = useServices();
    const text = useMemo(() => computed(() => FORMS[form](now.value - since)), [now, since, form]);
    return <span class="elapsed">{text}</span>;
}
