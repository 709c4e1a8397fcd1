// Bytes in pieces, cut between characters only.

const NONE = new Uint8Array(0);

/** How many bytes at the end are the beginning of a character. */
function unfinished(bytes: Uint8Array): number {
    for (let back = 1; back <= 3 && back <= bytes.length; back++) {
        const byte = bytes[bytes.length - back] ?? 0;
        if ((byte & 0xc0) === 0x80) continue;
        const whole = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
        return whole > back ? back : 0;
    }
    return 0;
}

/** Holds back a character that has only begun: xterm.js loses some of those that come in two writes (… — “). */
export class WholeUtf8 {
    private held = NONE;

    /** What can be written now. */
    take(bytes: Uint8Array): Uint8Array {
        let all = bytes;
        if (this.held.length > 0) {
            all = new Uint8Array(this.held.length + bytes.length);
            all.set(this.held);
            all.set(bytes, this.held.length);
        }
        const rest = unfinished(all);
        this.held = rest > 0 ? all.slice(all.length - rest) : NONE;
        return rest > 0 ? all.subarray(0, all.length - rest) : all;
    }

    /** What was begun will not be finished. */
    reset(): void {
        this.held = NONE;
    }
}
