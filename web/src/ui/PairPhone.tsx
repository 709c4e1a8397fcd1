import { useSignal } from "@preact/signals";
import type { Pairing } from "../core/pairing";
import { ApiError } from "../net/api";
import { useServices } from "./services";

const QUIET = 4;

/** A picture for a phone's camera, by which it is let in for long. */
export function PairPhone() {
    const { api } = useServices();
    const pairing = useSignal<Pairing | null>(null);
    const lookOnly = useSignal(false);
    const problem = useSignal("");
    const pair = async () => {
        problem.value = "";
        pairing.value = null;
        try {
            pairing.value = await api.pair(lookOnly.peek());
        } catch (e) {
            if (!(e instanceof ApiError)) throw e;
            problem.value = e.message;
        }
    };
    return (
        <div class="pair">
            <p>
                <button class="button" type="button" onClick={() => void pair()}>
                    Pair a phone
                </button>{" "}
                <label>
                    <input type="checkbox" checked={lookOnly} onChange={(e) => (lookOnly.value = e.currentTarget.checked)} /> which may only look
                </label>
            </p>
            {pairing.value && <Picture pairing={pairing.value} />}
            {problem.value && (
                <p class="dialog-problem" role="alert">
                    {problem.value}
                </p>
            )}
        </div>
    );
}

function Picture({ pairing: { url, rows, expiresIn } }: { pairing: Pairing }) {
    const size = rows.length + 2 * QUIET;
    const dark = rows.flatMap((row, y) => [...row].map((bit, x) => (bit === "1" ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "")));
    return (
        <figure>
            {rows.length > 0 && (
                <svg class="pair-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code for the phone" shape-rendering="crispEdges">
                    <rect width={size} height={size} fill="#fff" />
                    <path d={dark.join("")} fill="#000" />
                </svg>
            )}
            <figcaption>
                Good for {Math.round(expiresIn / 60)} minutes, and once: <code>{url}</code>
            </figcaption>
        </figure>
    );
}
