/* Every request in one place: what is open, answered where it stands, and what became of the last ones. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { endSentence, lineOf, whoOf, type Request } from "../core/request";
import { Answer } from "./Answer";
import { AwayCard } from "./Away";
import { EndedList } from "./EndedList";
import { InboxItem } from "./InboxItem";
import { NotifyHint } from "./NotifyHint";
import { BOARD_PATH } from "./routes";
import { Rules } from "./Rules";
import { useServices } from "./services";
import { useNarrow, useVisibleHeight } from "./viewport";
import { number, plural } from "./words";

/** So many are drawn at first, and so many more whenever the end of them comes into sight. */
const STEP = 20;

export function InboxView() {
    const { store } = useServices();
    const { inbox } = store;
    return (
        <div class="inbox">
            <header class="inbox-head">
                <h1>Inbox</h1>
                <a class="button" href={BOARD_PATH} title="Back to the board (Esc)">
                    Back to the board
                </a>
                <Lately />
                <p class="inbox-lines">
                    <NotifyHint text="Be notified when something is asked" />
                </p>
            </header>
            {!inbox.loaded.value ? <NotYet /> : inbox.open.value.length === 0 ? <NothingOpen /> : <OpenList />}
            {inbox.loaded.value && (
                <>
                    <EndedList />
                    <AwayCard />
                    <Rules />
                </>
            )}
        </div>
    );
}

/** How many wait, and what was the last that ended: read out, because it goes from where it was without a word. */
function Lately() {
    const { inbox } = useServices().store;
    const [last] = inbox.ended.value;
    const loaded = inbox.loaded.value;
    // What had ended before is no news.
    const old = useRef<{ id: string | undefined } | null>(null);
    if (loaded) old.current ??= { id: last?.id };
    const waits = inbox.open.value.length;
    const words = !loaded ? "" : waits === 0 ? "Nothing waits for an answer." : `${plural(waits, "request")} ${waits === 1 ? "waits" : "wait"} for an answer.`;
    const news = last && last.id !== old.current?.id ? `${endSentence(last)}: ${lineOf(last).slice(0, 80)}` : "";
    return (
        <p class="inbox-lately" role="status">
            {words} {news && <span>Last: {news}</span>}
        </p>
    );
}

function NotYet() {
    const { socket } = useServices();
    const lost = socket.connection.value.phase !== "live";
    return <p class="inbox-none">{lost ? "The daemon does not answer. What waits is shown when it is back." : "Asking what waits…"}</p>;
}

function NothingOpen() {
    return (
        <div class="inbox-none">
            <p>Nothing waits for an answer.</p>
            <p class="aside">Whatever an agent asks arrives here by itself, from every session.</p>
        </div>
    );
}

function OpenList() {
    const { store, answering } = useServices();
    const narrow = useNarrow();
    const groups = store.inbox.groups.value;
    const current = answering.current.value;
    const limit = useSignal(STEP);
    const list = useRef<HTMLOListElement>(null);
    const at = groups.findIndex((g) => g === current);
    const drawn = Math.max(limit.value, at + 2);
    useFocusKept(list, current?.key ?? null);
    useGlide(list, groups.map((g) => g.key).join());
    return (
        <>
            <ol class="inbox-list" ref={list} aria-label="Open requests" data-narrow={narrow}>
                {groups.slice(0, drawn).map((same, i) => (
                    <li key={same.key} data-key={same.key} aria-posinset={i + 1} aria-setsize={groups.length}>
                        <InboxItem same={same} index={i} selected={same === current} narrow={narrow} />
                    </li>
                ))}
            </ol>
            {groups.length > drawn && <More left={groups.length - drawn} more={() => (limit.value = drawn + STEP)} />}
            {narrow && current && <Sheet key={current.key} ids={current.ids} />}
        </>
    );
}

function More({ left, more }: { left: number; more: () => void }) {
    const ref = useRef<HTMLButtonElement>(null);
    useEffect(() => {
        const seen = new IntersectionObserver((entries) => {
            if (entries.some((e) => e.isIntersecting)) more();
        });
        seen.observe(ref.current!);
        return () => seen.disconnect();
    });
    return (
        <button class="button plain inbox-rest" type="button" ref={ref} onClick={more}>
            {number(left)} more {left === 1 ? "waits" : "wait"}
        </button>
    );
}

/** Within reach of a thumb: the answer to the one that is open above. */
function Sheet({ ids }: { ids: readonly string[] }) {
    const { inbox } = useServices().store;
    useVisibleHeight();
    const requests = ids.map((id) => inbox.find(id)).filter((r) => r !== undefined) as Request[];
    const r = requests[0];
    if (!r) return null;
    const { project, title } = whoOf(r);
    return (
        <section class="sheet" aria-label="Answer">
            <p class="sheet-who">
                <b>{project}</b> {title}
            </p>
            <Answer requests={requests} />
        </section>
    );
}

/** Whoever has answered with the keyboard goes on with the next one. */
function useFocusKept(list: { current: HTMLElement | null }, key: string | null): void {
    const within = useRef(false);
    useLayoutEffect(() => {
        const element = list.current!;
        const enter = () => (within.current = true);
        const leave = (e: FocusEvent) => {
            // What is taken out of the document has nowhere to go; that is not leaving.
            if (e.relatedTarget !== null) within.current = element.contains(e.relatedTarget as Node);
        };
        element.addEventListener("focusin", enter);
        element.addEventListener("focusout", leave);
        return () => {
            element.removeEventListener("focusin", enter);
            element.removeEventListener("focusout", leave);
        };
    }, []);
    useLayoutEffect(() => {
        const item = key === null ? null : list.current!.querySelector<HTMLElement>(`[data-id="${CSS.escape(key)}"]`);
        if (within.current && document.activeElement === document.body) item?.focus({ preventScroll: true });
    }, [key]);
}

/** What takes the place of one that is gone slides there, so that the eye can follow. */
function useGlide(list: { current: HTMLElement | null }, order: string): void {
    const { motion } = useServices();
    const tops = useRef(new Map<string, number>());
    useLayoutEffect(() => {
        const before = tops.current;
        const items = [...list.current!.children] as HTMLElement[];
        tops.current = new Map(items.map((item) => [item.dataset.key!, item.offsetTop]));
        const moved = items.filter((item) => (before.get(item.dataset.key!) ?? item.offsetTop) !== item.offsetTop);
        if (moved.length === 0 || !motion.allows()) return;
        for (const item of moved) {
            const by = before.get(item.dataset.key!)! - item.offsetTop;
            item.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: 180, easing: "ease-out" });
        }
    }, [order]);
}
