import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Summary } from "../core/messages";
import { markOf } from "../core/transcript";
import { BrokenIcon, MendedIcon } from "./icons";
import { sessionPath } from "./routes";
import { useServices } from "./services";
import { markWords } from "./words";

/** That something was done, or must be, about the session's history. Leads to its panel, as all of the card does. */
export function TranscriptMark({ s }: { s: Summary }) {
    const { now } = useServices();
    const { transcript } = s;
    // Drawn again when it fades, not every second.
    const mark = useMemo(() => computed(() => markOf(transcript, now.value)), [now, transcript]).value;
    const words = mark && markWords(transcript, now.peek());
    if (!words) return null;
    return (
        <a class="card-mark" data-mark={mark} href={sessionPath(s.id)} tabIndex={-1} title={words.title}>
            {mark === "broken" ? <BrokenIcon /> : <MendedIcon />}
            <span>{words.text}</span>
        </a>
    );
}
