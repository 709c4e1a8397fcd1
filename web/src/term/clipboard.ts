/* What programs may do with the clipboard: put something in (OSC 52) while their terminal is the one that is typed in. */

import type { IDisposable, Terminal } from "@xterm/xterm";

/** More than that is no text that somebody wants to paste. */
const COPY_MAX = 1 << 20;

export async function writeClipboard(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return false; // only there on localhost and over TLS, and only while the page has the focus
    }
}

/** The text of an OSC 52, or null when it asks for the clipboard or says nothing readable. */
export function copiedText(data: string): string | null {
    const base64 = /^[cpqs0-7]*;([A-Za-z0-9+/=\s]+)$/.exec(data)?.[1];
    if (!base64 || base64.length > (COPY_MAX * 4) / 3) return null;
    try {
        const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
        return null;
    }
}

export function serveClipboard(xterm: Terminal): IDisposable {
    return xterm.parser.registerOscHandler(52, (data) => {
        const text = copiedText(data);
        if (text !== null && document.hasFocus() && document.activeElement === xterm.textarea) void writeClipboard(text);
        return true;
    });
}
