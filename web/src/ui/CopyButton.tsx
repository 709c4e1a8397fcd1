import { useSignal } from "@preact/signals";

const SHOWN_MS = 2000;

async function copy(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return copyBySelection(text); // the clipboard API is only there on localhost and over TLS
    }
}

function copyBySelection(text: string): boolean {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "offscreen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
}

export function CopyButton({ text }: { text: string }) {
    const label = useSignal("Copy");
    const onClick = async () => {
        label.value = (await copy(text)) ? "Copied" : "Select and copy by hand";
        window.setTimeout(() => {
            label.value = "Copy";
        }, SHOWN_MS);
    };
    return (
        <button class="button" type="button" onClick={() => void onClick()} aria-live="polite">
            {label}
        </button>
    );
}
