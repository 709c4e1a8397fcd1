import type { Modifiers, SoftKey } from "../core/soft_keys";
import type { TerminalView } from "../term/view";
import { useServices } from "./services";

type Key =
    | { shown: string; name: string; soft: SoftKey }
    | { shown: string; name: string; hold: keyof Modifiers }
    | { shown: string; name: string; text: string };

const KEYS: readonly Key[] = [
    { shown: "Esc", name: "Escape", soft: "Escape" },
    { shown: "Tab", name: "Tab", soft: "Tab" },
    { shown: "Ctrl", name: "Control", hold: "ctrl" },
    { shown: "Alt", name: "Alt", hold: "alt" },
    { shown: "←", name: "Left", soft: "Left" },
    { shown: "↑", name: "Up", soft: "Up" },
    { shown: "↓", name: "Down", soft: "Down" },
    { shown: "→", name: "Right", soft: "Right" },
    { shown: "^C", name: "Interrupt", text: "\x03" },
    { shown: "|", name: "Pipe", text: "|" },
    { shown: "~", name: "Tilde", text: "~" },
    { shown: "/", name: "Slash", text: "/" },
];

/** The keys that a phone's keyboard lacks. Pressing one leaves the keyboard as it is, open or closed. */
export function KeyRow({ view }: { view: TerminalView }) {
    const { commands } = useServices();
    const held = view.held.value;
    const press = (key: Key) => {
        if ("soft" in key) view.press(key.soft);
        else if ("hold" in key) view.hold(key.hold);
        else view.send(key.text);
    };
    const paste = async () => {
        try {
            view.paste(await navigator.clipboard.readText());
        } catch {
            commands.tell("The browser does not give the clipboard to this page. Press long on the terminal to paste.");
        }
    };
    return (
        <div class="key-row" role="toolbar" aria-label="Keys" onPointerDown={(e) => e.preventDefault()} onMouseDown={(e) => e.preventDefault()}>
            {KEYS.map((key) => (
                <button
                    key={key.name}
                    type="button"
                    aria-label={key.name}
                    aria-pressed={"hold" in key ? held[key.hold] : undefined}
                    onClick={() => press(key)}
                >
                    {key.shown}
                </button>
            ))}
            <button type="button" aria-label="Paste" onClick={() => void paste()}>
                Paste
            </button>
        </div>
    );
}
