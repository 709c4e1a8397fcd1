import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { TerminalView } from "../term/view";
import { CloseIcon, DownIcon, UpIcon } from "./icons";
import { number } from "./words";

/** Looks through the screen and its scrollback. Enter goes up to what is older, Shift+Enter down again. */
export function TerminalSearch({ view, onClose }: { view: TerminalView; onClose: () => void }) {
    const text = useSignal("");
    const input = useRef<HTMLInputElement>(null);
    useEffect(() => {
        input.current?.focus();
        return () => view.endSearch();
    }, [view]);
    // At once, not when it is gone from the page: the next key is for the terminal.
    const leave = () => {
        view.focus();
        onClose();
    };
    const { index, count } = view.findings.value;
    const shown = text.value === "" ? "" : count === 0 ? "none" : index < 0 ? number(count) : `${number(index + 1)} of ${number(count)}`;
    const onKey = (e: KeyboardEvent) => {
        if (e.key === "Escape") leave();
        else if (e.key === "Enter") view.find(text.peek(), e.shiftKey ? 1 : -1);
        else return;
        e.preventDefault();
        e.stopPropagation();
    };
    return (
        <search class="terminal-search" onKeyDown={onKey}>
            <input
                ref={input}
                type="search"
                aria-label="Search in the terminal"
                placeholder="Search"
                autocomplete="off"
                spellcheck={false}
                value={text.value}
                onInput={(e) => {
                    text.value = e.currentTarget.value;
                    view.find(text.peek(), -1, true);
                }}
            />
            <output aria-live="polite">{shown}</output>
            <button class="icon-button" type="button" aria-label="Older" title="Older (Enter)" onClick={() => view.find(text.peek(), -1)}>
                <UpIcon />
            </button>
            <button class="icon-button" type="button" aria-label="Newer" title="Newer (Shift+Enter)" onClick={() => view.find(text.peek(), 1)}>
                <DownIcon />
            </button>
            <button class="icon-button" type="button" aria-label="Close the search" title="Close (Esc)" onClick={leave}>
                <CloseIcon />
            </button>
        </search>
    );
}
