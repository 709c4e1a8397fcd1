/*
 * One terminal on the page: the screen, its connection, its size and what people do with it. Loaded when the first terminal is
 * opened; the components around it know only this class.
 */

import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon, type ISearchOptions } from "@xterm/addon-search";
import { WebLinksAddon } from "@xterm/addon-web-links";
import "@xterm/xterm/css/xterm.css";
import { effect, signal, type ReadonlySignal } from "@preact/signals-core";
import { pasted } from "../core/pasted";
import { modified, softKey, type Modifiers, type SoftKey } from "../core/soft_keys";
import { TtySocket, type TtyEnvironment, type TtyProgram } from "../net/tty_socket";
import { serveClipboard, writeClipboard } from "./clipboard";
import { PALETTES, type PaletteName } from "./palette";
import { Screen } from "./screen";
import { defineSheet } from "./sheet";

/** What the view asks of the page around it. */
export interface Surroundings {
    env: TtyEnvironment;
    palette: ReadonlySignal<PaletteName>;
    fontSize: ReadonlySignal<number>;
    /** Whether screen readers shall be served. */
    spoken: ReadonlySignal<boolean>;
    /** Whether nobody else looks at it: then it takes this page's size at once. */
    isAlone(): boolean;
    openLink(uri: string): void;
    /** Something was not done, and why. */
    tell(sentence: string): void;
    /** The keys that are the board's; true when it is one of them. */
    onKey(e: KeyboardEvent): boolean;
}

/** What is found of what is looked for. */
export interface Findings {
    index: number;
    count: number;
}

const SMALLEST_FONT = 4;
/** While a window is being dragged, only where it stops counts. */
const SETTLE_MS = 80;
const NO_MODIFIERS: Modifiers = { ctrl: false, alt: false };

export class TerminalView {
    readonly socket: TtySocket;
    readonly findings: ReadonlySignal<Findings>;
    /** Ctrl and Alt of the key row, held for the next key. */
    readonly held: ReadonlySignal<Modifiers>;
    /** Counts the bell. */
    readonly bell: ReadonlySignal<number>;
    private readonly found = signal<Findings>({ index: -1, count: 0 });
    private readonly heldNow = signal<Modifiers>(NO_MODIFIERS);
    private readonly rung = signal(0);
    private readonly screen: Screen;
    private readonly fitAddon = new FitAddon();
    private readonly search = new SearchAddon();
    private readonly releases: (() => void)[] = [];
    /** Whether the terminal's size is this page's doing: then it follows the pane. */
    private mine = false;
    /** What this page asked for last; another size is another page's. */
    private asked: { cols: number; rows: number } | null = null;
    private settling = 0;
    private host: HTMLElement | null = null;
    /** The pane as it was last fitted to. */
    private pane = "";

    constructor(private readonly around: Surroundings) {
        defineSheet();
        const { palette, fontSize, spoken, env } = around;
        this.findings = this.found;
        this.held = this.heldNow;
        this.bell = this.rung;
        this.screen = new Screen(fontSize.peek(), palette.peek(), (cols, rows) => this.resized(cols, rows), {
            linkHandler: { activate: (e, uri) => this.follow(e, uri), allowNonHttpProtocols: true },
        });
        const { xterm } = this.screen;
        this.socket = new TtySocket(
            this.screen,
            env,
            (cols, rows) => this.greet(cols, rows),
            (sentence) => around.tell(sentence),
        );
        xterm.loadAddon(this.fitAddon);
        xterm.loadAddon(this.search);
        xterm.loadAddon(new WebLinksAddon((e, uri) => this.follow(e, uri)));
        xterm.onData((text) => this.type(text));
        xterm.onBinary((text) => this.send(Uint8Array.from(text, (c) => c.charCodeAt(0))));
        xterm.onBell(() => this.rung.value++);
        this.search.onDidChangeResults(({ resultIndex, resultCount }) => {
            this.found.value = { index: resultIndex, count: resultCount };
        });
        xterm.attachCustomKeyEventHandler((e) => !around.onKey(e));
        serveClipboard(xterm);
        this.releases.push(
            effect(() => this.screen.paint(palette.value)),
            effect(() => {
                xterm.options.screenReaderMode = spoken.value;
            }),
            effect(() => {
                fontSize.value;
                if (this.host) this.settle();
            }),
            effect(() => {
                xterm.options.disableStdin = !this.listens(this.socket.program.value);
            }),
        );
    }

    open(host: HTMLElement): void {
        this.host = host;
        this.mine = this.around.isAlone();
        this.screen.open(host);
        this.servePaste(host);
        this.pane = this.paneNow();
        const observer = new ResizeObserver(() => this.settle());
        observer.observe(host);
        this.releases.push(() => observer.disconnect());
        this.socket.connect();
    }

    dispose(): void {
        window.clearTimeout(this.settling);
        for (const release of this.releases) release();
        this.socket.close();
        this.screen.dispose();
    }

    focus(): void {
        this.screen.xterm.focus();
    }

    /** As if it had been typed. */
    send(data: string | Uint8Array): void {
        if (!this.listens(this.socket.program.peek())) return;
        this.claim();
        this.socket.input(data);
    }

    press(key: SoftKey): void {
        this.send(softKey(key, this.heldNow.peek(), this.screen.xterm.modes.applicationCursorKeysMode));
        this.heldNow.value = NO_MODIFIERS;
    }

    hold(key: keyof Modifiers): void {
        const held = this.heldNow.peek();
        this.heldNow.value = { ...held, [key]: !held[key] };
    }

    /** With the brackets that tell the program that nobody typed this, and nothing in it that could end them. */
    paste(text: string): void {
        this.screen.xterm.paste(pasted(text));
    }

    /** xterm.js would take the clipboard's text as it is. */
    private servePaste(host: HTMLElement): void {
        const take = (e: ClipboardEvent) => {
            e.preventDefault();
            e.stopPropagation();
            this.paste(e.clipboardData?.getData("text/plain") ?? "");
        };
        host.addEventListener("paste", take, { capture: true });
        this.releases.push(() => host.removeEventListener("paste", take, { capture: true }));
    }

    /** Puts what is selected into the clipboard. */
    async copy(): Promise<boolean> {
        const text = this.screen.xterm.getSelection();
        return text !== "" && writeClipboard(text);
    }

    find(text: string, direction: 1 | -1, typing = false): void {
        const { match, matchNow } = PALETTES[this.around.palette.peek()];
        const options: ISearchOptions = {
            incremental: typing,
            decorations: {
                matchBackground: match,
                activeMatchBackground: matchNow,
                activeMatchBorder: matchNow,
                matchOverviewRuler: matchNow,
                activeMatchColorOverviewRuler: matchNow,
            },
        };
        if (text === "") this.endSearch();
        else if (direction > 0) this.search.findNext(text, options);
        else this.search.findPrevious(text, options);
    }

    endSearch(): void {
        this.search.clearDecorations();
        this.screen.xterm.clearSelection();
        this.found.value = { index: -1, count: 0 };
    }

    /** Whether there is somebody in it who takes what is typed here. Before anything is known, there may be. */
    private listens(program: TtyProgram | null): boolean {
        return !program || (!program.readOnly && program.connection !== "ended" && program.connection !== "restored");
    }

    private type(text: string): void {
        const held = this.heldNow.peek();
        this.heldNow.value = NO_MODIFIERS;
        this.send(held.ctrl || held.alt ? modified(text, held) : text);
    }

    private follow(e: MouseEvent, uri: string): void {
        // A click selects; what opens something is meant to. A finger has no Ctrl, and selects otherwise.
        const finger = (e as PointerEvent).pointerType === "touch" || window.matchMedia("(pointer: coarse)").matches;
        if (finger || e.ctrlKey || e.metaKey) this.around.openLink(uri);
    }

    /* The size. The program has one, that of whoever typed or resized last; everybody else sees it in smaller letters. */

    private greet(cols: number, rows: number): void {
        if (this.mine) this.ask(cols, rows);
        this.show();
    }

    /** Asks for the pane's size, if the terminal has another one and somebody in it who would care. */
    private ask(cols: number, rows: number): void {
        const want = this.fitting();
        if (!want || !this.listens(this.socket.program.peek())) return;
        this.asked = want;
        if (want.cols !== cols || want.rows !== rows) this.socket.resize(want.cols, want.rows);
    }

    private resized(cols: number, rows: number): void {
        if (this.asked) this.mine = this.asked.cols === cols && this.asked.rows === rows;
        this.show();
    }

    private settle(): void {
        window.clearTimeout(this.settling);
        this.settling = window.setTimeout(() => {
            const pane = this.paneNow();
            if (pane === this.pane || this.host?.clientHeight === 0) return; // as it was, or not shown now
            const before = this.pane;
            this.pane = pane;
            // Whoever changes the size of a pane looks at it.
            if (this.mine || (before !== "" && document.hasFocus())) this.claim(true);
            this.show();
        }, SETTLE_MS);
    }

    private paneNow(): string {
        const { clientWidth = 0, clientHeight = 0 } = this.host ?? {};
        return clientHeight > 0 ? `${clientWidth} ${clientHeight} ${this.around.fontSize.peek()}` : "";
    }

    /** Makes the terminal as large as the pane. */
    private claim(again = false): void {
        if (this.mine && !again) return;
        this.mine = true;
        this.ask(this.screen.xterm.cols, this.screen.xterm.rows);
    }

    /** What fits into the pane in letters of the chosen size. */
    private fitting(): { cols: number; rows: number } | undefined {
        this.setFont(this.around.fontSize.peek());
        return this.fitAddon.proposeDimensions();
    }

    /** Shows all of the terminal, whatever size it has. */
    private show(): void {
        const want = this.fitting();
        if (!want) return;
        const { cols, rows } = this.screen.xterm;
        const scale = Math.min(1, want.cols / cols, want.rows / rows);
        // Another page's size, unless it is ours that has not arrived yet.
        if (scale < 1) this.setFont(Math.max(SMALLEST_FONT, Math.floor(this.around.fontSize.peek() * scale * 4) / 4));
    }

    private setFont(size: number): void {
        if (this.screen.xterm.options.fontSize !== size) this.screen.xterm.options.fontSize = size;
    }
}
