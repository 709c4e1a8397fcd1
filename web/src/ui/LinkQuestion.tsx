import { useEffect, useRef } from "preact/hooks";
import { linkFate } from "../core/links";
import { CopyButton } from "./CopyButton";

/** An address that is no web page leads out of the browser: whoever clicks on it says whether it may. */
export function LinkQuestion({ uri, onClose }: { uri: string; onClose: () => void }) {
    const ref = useRef<HTMLDialogElement>(null);
    useEffect(() => ref.current?.showModal(), []);
    const mayOpen = linkFate(uri) === "ask";
    const open = () => {
        window.open(uri, "_blank", "noopener,noreferrer");
        ref.current?.close();
    };
    return (
        <dialog ref={ref} class="dialog" aria-labelledby="link-title" onClose={onClose}>
            <div class="dialog-body">
                <h2 id="link-title">{mayOpen ? "Open this address?" : "An address on the terminal's machine"}</h2>
                <p class="dialog-code">
                    <code>{uri}</code>
                </p>
                <div class="dialog-buttons">
                    <button class="button plain" type="button" onClick={() => ref.current?.close()}>
                        Cancel
                    </button>
                    <CopyButton text={uri} />
                    {mayOpen && (
                        <button class="button" type="button" onClick={open}>
                            Open
                        </button>
                    )}
                </div>
            </div>
        </dialog>
    );
}
