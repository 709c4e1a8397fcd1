import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { excerpt, isRunning, type ScreenText } from "../core/terminals";
import { useServices } from "./services";

/** A line of the picture is as high as that many of its columns are wide. */
const LINE_RATIO = 2;
/** A very wide terminal is cut off rather than being made unreadable. */
const COLS_MAX = 84;
/** And a wide card shows more of it, not larger letters. */
const CELL_MAX = 3.6;

/** Who wants no motion sees the screen as it is when it has come to rest. */
const CALM_MS = 2000;

/** What is on a terminal, small: a picture for the eye, silent for everybody else. It never changes its size. */
export function Thumbnail({ terminalId }: { terminalId: string }) {
    const { store, thumbnails, theme } = useServices();
    const canvas = useRef<HTMLCanvasElement>(null);
    const paint = useRef(() => {});
    const drawn = useRef(false);
    useEffect(() => {
        let shown = false;
        const watcher = new IntersectionObserver(([entry]) => {
            if (entry!.isIntersecting === shown) return;
            shown = entry!.isIntersecting;
            if (shown) thumbnails.show(terminalId);
            else thumbnails.hide(terminalId);
        });
        const sizer = new ResizeObserver(() => paint.current());
        watcher.observe(canvas.current!);
        sizer.observe(canvas.current!);
        return () => {
            watcher.disconnect();
            sizer.disconnect();
            if (shown) thumbnails.hide(terminalId);
        };
    }, [terminalId]);
    useSignalEffect(() => {
        const screen = store.terminals.screen(terminalId).value;
        theme.current.value;
        paint.current = () => draw(canvas.current, screen);
        const first = !drawn.current;
        drawn.current = screen !== null;
        if (!first && window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
            const timer = window.setTimeout(() => paint.current(), CALM_MS);
            return () => window.clearTimeout(timer);
        }
        // The colours of a theme that was just chosen are there with the next frame.
        const frame = requestAnimationFrame(() => paint.current());
        return () => cancelAnimationFrame(frame);
    });
    const running = isRunning(store.terminals.find(terminalId));
    return <canvas ref={canvas} class="thumbnail" data-running={running} aria-hidden="true" />;
}

function draw(canvas: HTMLCanvasElement | null, screen: ScreenText | null): void {
    const context = canvas?.getContext("2d");
    if (!canvas || !context || canvas.clientWidth === 0) return;
    const density = window.devicePixelRatio;
    const width = Math.round(canvas.clientWidth * density);
    const height = Math.round(canvas.clientHeight * density);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.clearRect(0, 0, width, height);
    if (!screen) return;
    const style = getComputedStyle(canvas);
    const pad = 6 * density;
    const cell = Math.min(CELL_MAX * density, (width - 2 * pad) / Math.min(COLS_MAX, screen.cols));
    const line = cell * LINE_RATIO;
    const rows = Math.max(1, Math.floor((height - 2 * pad) / line));
    const { from, lines } = excerpt(screen, rows);
    context.font = `10px ${style.fontFamily}`;
    const size = (10 * cell) / context.measureText("M").width;
    context.font = `${size}px ${style.fontFamily}`;
    context.textBaseline = "middle";
    context.fillStyle = style.color;
    for (const [i, text] of lines.entries()) context.fillText(text, pad, pad + (i + 0.5) * line);
    const { col, row, visible } = screen.cursor;
    if (!visible || row < from || row >= from + rows) return;
    context.fillStyle = style.caretColor;
    context.fillRect(pad + col * cell, pad + (row - from) * line, cell, line);
}
