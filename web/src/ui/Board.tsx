import { cardsOf } from "../core/order";
import { CardGroup } from "./CardGroup";
import { EmptyState, Unreachable } from "./EmptyState";
import { NeedsYou } from "./NeedsYou";
import { useServices } from "./services";

export function Board() {
    const { store, socket } = useServices();
    if (!store.loaded.value) return socket.connection.value.phase === "lost" ? <Unreachable /> : null;
    if (store.total.value === 0) return <EmptyState />;
    const groups = store.groups.value;
    const asking = store.asking.value;
    // By status they are a group of their own, and nobody stands there twice; only those that the filter hides stand apart.
    const shown = new Set(groups.flatMap((g) => (g.tone === "needs" ? g.units.flatMap(cardsOf) : [])));
    const apart = asking.filter((id) => !shown.has(id));
    return (
        <div class="board">
            {(apart.length > 0 || asking.length === 0) && <NeedsYou ids={apart} />}
            <div class="groups">
                {groups.map((group) => (
                    <CardGroup key={group.key} group={group} />
                ))}
            </div>
            {groups.length === 0 && <NothingFound />}
            {store.terminals.size.value > 0 && <GlanceButton />}
        </div>
    );
}

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
    return (
        <div class="notice">
            <p>No session matches “{store.filter.value.trim()}”.</p>
            <button
                class="button"
                type="button"
                onClick={() => {
                    store.filter.value = "";
                }}
            >
                Show all
            </button>
        </div>
    );
}
