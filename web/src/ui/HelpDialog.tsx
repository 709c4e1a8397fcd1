import { useEffect, useRef } from "preact/hooks";
import { CloseIcon } from "./icons";
import type { Shortcut } from "./keys";
import { TERMINAL_SHORTCUTS } from "./terminal_keys";

export function HelpDialog({ shortcuts, onClose }: { shortcuts: readonly Shortcut[]; onClose: () => void }) {
    const ref = useRef<HTMLDialogElement>(null);
    useEffect(() => ref.current?.showModal(), []);
    return (
        <dialog
            ref={ref}
            class="help"
            aria-labelledby="help-title"
            onClose={onClose}
            onClick={(e) => {
                if (e.target === ref.current) ref.current?.close();
            }}
        >
            <div class="help-body">
                <header>
                    <h2 id="help-title">Keyboard</h2>
                    <button class="icon-button" type="button" onClick={() => ref.current?.close()} aria-label="Close">
                        <CloseIcon />
                    </button>
                </header>
                <div class="help-columns">
                    <Keys shortcuts={shortcuts.filter((s) => s.about === undefined)} />
                    <div>
                        <section>
                            <h3>What is asked</h3>
                            <Keys shortcuts={shortcuts.filter((s) => s.about === "requests")} />
                        </section>
                        <section>
                            <h3>In a terminal</h3>
                            <Keys shortcuts={TERMINAL_SHORTCUTS} />
                        </section>
                    </div>
                </div>
            </div>
        </dialog>
    );
}

function Keys({ shortcuts }: { shortcuts: readonly Pick<Shortcut, "shown" | "what">[] }) {
    return (
        <dl>
            {shortcuts.map(({ shown, what }) => (
                <div key={what}>
                    <dt>
                        {shown.map((key) => (
                            <kbd key={key}>{key}</kbd>
                        ))}
                    </dt>
                    <dd>{what}</dd>
                </div>
            ))}
        </dl>
    );
}
