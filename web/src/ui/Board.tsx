import { useLayoutEffect, useRef } from "preact/hooks";
import { unitOf, unitsWithin, type Layout } from "../core/layout";
import type { Only } from "../core/status";
import { CardGroup } from "./CardGroup";
import { EmptyState, Unreachable } from "./EmptyState";
import { NeedsYou } from "./NeedsYou";
import { useServices } from "./services";

export function Board() {
    const { store, socket } = useServices();
    if (!store.loaded.value) return socket.connection.value.phase === "lost" ? <Unreachable /> : null;
    if (store.total.value === 0) return <EmptyState />;
    const apart = store.apart.value;
    return (
        <div class="board">
            {(apart.length > 0 || store.asking.value.length === 0) && <NeedsYou ids={apart} />}
            <Groups />
            {store.groups.value.length === 0 && <NothingFound />}
            {store.terminals.size.value > 0 && <GlanceButton />}
        </div>
    );
}

/** The groups that are looked at, each where the layout has it; the rest of the board is empty room. */
function Groups() {
    const { board } = useServices();
    const ref = useRef<HTMLDivElement>(null);
    const drawn = useRef<Layout | null>(null);
    const layout = board.layout.value;
    const { from, to } = board.part.value;
    const held = board.held.value;
    const sought = board.sought.value;
    useLayoutEffect(() => board.attach(ref.current!), []);
    useLayoutEffect(() => {
        board.follow(drawn.current);
        drawn.current = layout;
    }, [layout]);
    useLayoutEffect(() => board.arrive(), [sought]);
    const follow = (target: EventTarget | null) => {
        const card = target instanceof Element ? target.closest<HTMLElement>(".card-frame") : null;
        board.held.value = card?.dataset.id ?? null;
    };
    return (
        <div
            class="groups"
            ref={ref}
            style={{ height: `${layout?.height ?? 0}px` }}
            onFocusIn={(e) => follow(e.target)}
            onFocusOut={(e) => follow(e.relatedTarget)}
        >
            {layout?.groups.map((spot) => {
                const kept = unitOf(spot, held);
                const next = unitOf(spot, sought);
                const seen = spot.y <= to && spot.y + spot.height >= from;
                if (!seen && kept < 0 && next < 0) return null;
                const { first, end } = unitsWithin(spot, from, to);
                return <CardGroup key={spot.group.key} spot={spot} first={first} end={end} kept={kept} next={next} />;
            })}
        </div>
    );
}

const ONLY_WORDS: Record<Only, string> = {
    wanting: "need you",
    needs: "ask for something",
    failed: "stopped by an error",
    done: "have finished",
    busy: "work",
    running: "run",
    idle: "are idle",
    ended: "have ended",
};

const ONLY_WORDS_ONE: Record<Only, string> = {
    wanting: "needs you",
    needs: "asks for something",
    failed: "stopped by an error",
    done: "has finished unseen",
    busy: "works",
    running: "runs",
    idle: "is idle",
    ended: "has ended",
};

/** The header's toggle, where the header has no room for it. */
function GlanceButton() {
    const { thumbnails } = useServices().prefs;
    return (
        <button class="button plain board-glance" type="button" onClick={() => (thumbnails.value = !thumbnails.peek())}>
            {thumbnails.value ? "Hide the terminals on the cards" : "Show the terminals on the cards"}
        </button>
    );
}

function NothingFound() {
    const { store } = useServices();
    const filter = store.filter.value.trim();
    const only = store.only.value;
    const among = only === null ? "" : ` among those that ${ONLY_WORDS[only]}`;
    return (
        <div class="notice">
            <p>{filter ? `No session matches “${filter}”${among}.` : `No session ${only === null ? "is here" : ONLY_WORDS_ONE[only]}.`}</p>
            <button
                class="button"
                type="button"
                onClick={() => {
                    store.filter.value = "";
                    store.only.value = null;
                }}
            >
                Show all
            </button>
        </div>
    );
}
