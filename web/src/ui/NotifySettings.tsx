import { useSignal } from "@preact/signals";
import { ATTENTION_KINDS, type AttentionKind } from "../core/attention";
import { clockOf, minutesOf } from "../core/notify";
import { ApiError } from "../net/api";
import { useServices } from "./services";
import { play } from "./sounds";

const KIND_WORDS: Record<AttentionKind, string> = {
    approval: "Something is to be approved",
    question: "A question",
    plan: "A plan to review",
    error: "An error",
    finished: "A turn is finished",
    exited: "An agent is gone",
};

/** Notifications on this device: nothing is asked of the browser before somebody presses the button. */
export function NotifySettings() {
    const { pushing } = useServices();
    const { on } = pushing.wishes.value;
    const obstacle = pushing.obstacle.value;
    return (
        <section class="logins notify" aria-labelledby="notify-title">
            <h2 id="notify-title">Notifications on this device</h2>
            {obstacle !== null ? (
                <p>{obstacle}</p>
            ) : !on ? (
                <p>
                    <button class="button" type="button" disabled={pushing.busy.value} onClick={() => void pushing.enable()}>
                        Notify me here
                    </button>{" "}
                    when an agent needs me, also while this page is closed.
                </p>
            ) : (
                <Wishes />
            )}
            {pushing.problem.value && (
                <p class="dialog-problem" role="alert">
                    {pushing.problem.value}
                </p>
            )}
        </section>
    );
}

function Wishes() {
    const { pushing, api } = useServices();
    const said = useSignal("");
    const { kinds, sound, quietFrom, quietTo } = pushing.wishes.value;
    const state = pushing.state.value;
    const toggle = (kind: AttentionKind) =>
        void pushing.change({ kinds: ATTENTION_KINDS.filter((k) => (k === kind) !== kinds.includes(k)) });
    const quiet = (field: "quietFrom" | "quietTo") => (e: Event) => {
        const minutes = minutesOf((e.currentTarget as HTMLInputElement).value);
        if (minutes !== null) void pushing.change({ [field]: minutes });
    };
    const test = async () => {
        try {
            await api.testPush();
            said.value = "Sent.";
        } catch (e) {
            if (!(e instanceof ApiError)) throw e;
            said.value = e.message;
        }
    };
    return (
        <>
            <p>
                {state === "push" ? "On, also while the page is closed." : "On while a page is open: this browser reaches no push service."}
            </p>
            <fieldset class="notify-kinds">
                <legend>Of what</legend>
                {ATTENTION_KINDS.map((kind) => (
                    <label key={kind}>
                        <input type="checkbox" checked={kinds.includes(kind)} onChange={() => toggle(kind)} /> {KIND_WORDS[kind]}
                    </label>
                ))}
            </fieldset>
            <p class="notify-quiet">
                <label>
                    Quiet from <input type="time" value={clockOf(quietFrom)} onChange={quiet("quietFrom")} />
                </label>{" "}
                <label>
                    to <input type="time" value={clockOf(quietTo)} onChange={quiet("quietTo")} />
                </label>{" "}
                {quietFrom === quietTo && <span>(never, while both are the same)</span>}
            </p>
            <p>
                <label>
                    <input
                        type="checkbox"
                        checked={sound}
                        onChange={() => {
                            if (!sound) play("approval");
                            void pushing.change({ sound: !sound });
                        }}
                    />{" "}
                    With a short sound, while a page is open
                </label>
            </p>
            <p>
                {state === "push" && (
                    <button class="button" type="button" onClick={() => void test()}>
                        Send a test
                    </button>
                )}{" "}
                <button class="button" type="button" disabled={pushing.busy.value} onClick={() => void pushing.disable()}>
                    Turn off
                </button>{" "}
                <span role="status">{said}</span>
            </p>
        </>
    );
}
