/* xterm.js as what a terminal's output is drawn on: in order, without a flash, and with nothing to say to the program. */

import { WebglAddon } from "@xterm/addon-webgl";
import { Terminal, type ITerminalOptions } from "@xterm/xterm";
import { WholeUtf8 } from "../core/whole_utf8";
import { charProperties, wcwidth } from "../core/width";
import type { TtyScreen } from "../net/tty_socket";
import { PALETTES, type PaletteName } from "./palette";
import { swallowQueries } from "./quiet";

const SCROLLBACK = 10_000;
/** As much is drawn at once, in a few milliseconds. */
const PIECE_BYTES = 16 * 1024;
const WIDTHS = "ostler";
/** A full reset, and nothing of it is seen (synchronised output) until the picture behind it is complete. */
const BEGIN = "\x1bc\x1b[?2026h";
/** CAN, RIS: how the daemon's pictures begin. */
const RESET = [0x18, 0x1b, 0x63];
const HOLD = "\x1b[?2026h";
const END = "\x1b[?2026l";

type Job =
    | { kind: "restore"; cols: number; rows: number; bytes: Uint8Array; done: () => void }
    | { kind: "write"; bytes: Uint8Array; done: () => void }
    | { kind: "resize"; cols: number; rows: number };

export class Screen implements TtyScreen {
    readonly xterm: Terminal;
    /** What waits for the emulator to be done with what came before a change of its size. */
    private jobs: Job[] = [];
    private writing = 0;
    private readonly whole = new WholeUtf8();
    /** A picture is about to begin: nothing may come before it. */
    private held = false;
    private host: HTMLElement | null = null;

    constructor(
        fontSize: number,
        palette: PaletteName,
        private readonly onResized: (cols: number, rows: number) => void,
        options: ITerminalOptions = {},
    ) {
        this.xterm = new Terminal({
            allowProposedApi: true,
            allowTransparency: false,
            cursorBlink: false,
            cursorStyle: "block",
            cursorInactiveStyle: "outline",
            drawBoldTextInBrightColors: false,
            fontFamily: fontFamily(),
            fontSize,
            lineHeight: 1.15,
            overviewRuler: { width: 10 },
            macOptionClickForcesSelection: true,
            rightClickSelectsWord: false,
            scrollback: SCROLLBACK,
            scrollOnUserInput: true,
            ...options,
        });
        this.paint(palette);
        swallowQueries(this.xterm.parser);
        this.xterm.unicode.register({ version: WIDTHS, wcwidth, charProperties });
        this.xterm.unicode.activeVersion = WIDTHS;
    }

    open(host: HTMLElement): void {
        this.host = host;
        this.xterm.open(host);
        this.accelerate(host);
        // Without that there is no cursor until somebody comes to type.
        for (const type of ["focus", "blur"]) this.xterm.textarea?.dispatchEvent(new FocusEvent(type));
    }

    dispose(): void {
        this.jobs = [];
        this.xterm.dispose();
    }

    paint(name: PaletteName): void {
        const { theme, contrast } = PALETTES[name];
        this.xterm.options.theme = theme;
        this.xterm.options.minimumContrastRatio = contrast;
    }

    restore(cols: number, rows: number, bytes: Uint8Array, done: () => void): void {
        // What waits would be wiped out by this; it counts as drawn.
        const skipped = this.jobs;
        this.jobs = [];
        for (const job of skipped) if (job.kind !== "resize") job.done();
        this.add({ kind: "restore", cols, rows, bytes, done });
    }

    write(bytes: Uint8Array, done: () => void): void {
        this.add({ kind: "write", bytes, done });
    }

    resize(cols: number, rows: number): void {
        this.add({ kind: "resize", cols, rows });
    }

    private add(job: Job): void {
        this.jobs.push(job);
        this.run();
    }

    private run(): void {
        for (let job = this.jobs[0]; job && !this.held; job = this.jobs[0]) {
            // A change of size means what comes after it, and a picture begins in its own size.
            if (job.kind !== "write" && this.writing > 0) return;
            this.jobs.shift();
            if (job.kind === "write") this.put(job.bytes, job.done);
            else if (job.kind === "resize") this.setSize(job.cols, job.rows);
            else this.replace(job);
        }
    }

    private replace({ cols, rows, bytes, done }: Extract<Job, { kind: "restore" }>): void {
        const { active } = this.xterm.buffer;
        const up = active.baseY - active.viewportY;
        const thaw = this.freeze();
        const begin = () => {
            this.held = false;
            this.setSize(cols, rows);
            this.whole.reset();
            this.put(BEGIN, () => {});
            this.put(withoutReset(bytes), () => {});
            this.put(END, () => {
                if (up > 0) this.xterm.scrollLines(-up);
                thaw();
                done();
            });
        };
        this.held = true;
        if (cols === this.xterm.cols && rows === this.xterm.rows) begin();
        else this.put(HOLD, begin);
    }

    /** In pieces: between two of them the emulator lets the page breathe, within one it does not. */
    private put(data: Uint8Array | string, done: () => void): void {
        this.writing++;
        let at = 0;
        for (; typeof data !== "string" && data.length - at > PIECE_BYTES; at += PIECE_BYTES)
            this.xterm.write(this.whole.take(data.subarray(at, at + PIECE_BYTES)));
        this.xterm.write(typeof data === "string" ? data : this.whole.take(data.subarray(at)), () => {
            this.writing--;
            done();
            this.run();
        });
    }

    private setSize(cols: number, rows: number): void {
        if (cols === this.xterm.cols && rows === this.xterm.rows) return;
        this.xterm.resize(cols, rows);
        this.onResized(cols, rows);
    }

    /** By the graphics card where there is one; what the browser can always do is fast enough, too. */
    private accelerate(host: HTMLElement): void {
        host.dataset.renderer = "dom";
        try {
            const webgl = new WebglAddon();
            webgl.onContextLoss(() => {
                webgl.dispose();
                host.dataset.renderer = "dom";
            });
            this.xterm.loadAddon(webgl);
            host.dataset.renderer = "webgl";
        } catch {
            // no WebGL here
        }
    }

    /** Drawn as text, a reset is seen as soon as it happens: a likeness of what was there stands before it meanwhile. */
    private freeze(): () => void {
        const rows = this.host?.dataset.renderer === "dom" ? this.host.querySelector(".xterm-rows") : null;
        if (!rows) return () => {};
        const still = rows.cloneNode(true) as HTMLElement;
        still.classList.add("terminal-still");
        rows.after(still);
        return () => requestAnimationFrame(() => requestAnimationFrame(() => still.remove()));
    }
}

/** A picture begins with a reset of its own, which would show what is held back. Ours has been done. */
function withoutReset(bytes: Uint8Array): Uint8Array {
    const begins = RESET.every((byte, i) => bytes[i] === byte);
    return begins ? bytes.subarray(RESET.length) : bytes;
}

function fontFamily(): string {
    return getComputedStyle(document.documentElement).getPropertyValue("--mono").trim() || "monospace";
}
