import { useSignal } from "@preact/signals";
import type { Summary } from "../core/messages";
import { isBroken, withFinding } from "../core/transcript";
import { CopyButton } from "./CopyButton";
import { Elapsed } from "./Elapsed";
import { useServices } from "./services";
import { quoted, transcriptFigures, transcriptWords } from "./words";

/** What is known of the session's transcript. Its lines are kept also while that is nothing, so that nothing jumps. */
export function TranscriptFact({ s }: { s: Summary }) {
    const t = s.transcript;
    const broken = isBroken(t);
    return (
        <div class="transcript" data-status={broken ? "broken" : t?.status}>
            <dt>Transcript</dt>
            <dd>
                <div class="transcript-words" aria-live="polite">
                    <p>{transcriptWords(t)}</p>
                    <p>{transcriptFigures(t)}</p>
                </div>
                <Check s={s} />
                {broken && <Remedy key={t!.status} s={s} />}
            </dd>
        </div>
    );
}

/** When it was checked, and once more. */
function Check({ s }: { s: Summary }) {
    const { api, store, now } = useServices();
    const busy = useSignal(false);
    const error = useSignal("");
    const check = async () => {
        if (busy.peek()) return;
        busy.value = true;
        error.value = "";
        try {
            const found = await api.repair(s.id);
            const known = store.find(s.id)?.peek().transcript ?? null;
            store.edit(s.id, { transcript: withFinding(known, found, now.peek()) });
        } catch (e) {
            error.value = `Not checked: ${e instanceof Error ? e.message : String(e)}`;
        }
        busy.value = false;
    };
    const at = s.transcript?.checkedAt ?? null;
    return (
        <>
            <div class="transcript-check">
                <button type="button" aria-disabled={busy.value} onClick={() => void check()}>
                    {busy.value ? "Checking…" : "Check again"}
                </button>
                {at !== null && (
                    <span>
                        checked <Elapsed since={at} form="ago" />
                    </span>
                )}
            </div>
            <p class="transcript-error" role="alert">
                {error}
            </p>
        </>
    );
}

/** Why it is broken, and what a person can do. */
function Remedy({ s }: { s: Summary }) {
    const command = `ostler repair fix ${quoted(s.sessionId)}`;
    return (
        <div class="transcript-remedy">
            <p>{s.transcript!.message ?? "A resume would not find this conversation, or only its end."}</p>
            <p>To try it by hand:</p>
            <div class="transcript-command">
                <code>{command}</code>
                <CopyButton text={command} />
            </div>
        </div>
    );
}
