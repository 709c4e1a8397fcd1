import { CardGroup } from "./CardGroup";
import { EmptyState, Unreachable } from "./EmptyState";
import { NeedsYou, NobodyNeedsYou } from "./NeedsYou";
import { useServices } from "./services";

export function Board() {
    const { store, socket } = useServices();
    if (!store.loaded.value) return socket.connection.value.phase === "lost" ? <Unreachable /> : null;
    if (store.total.value === 0) return <EmptyState />;
    const groups = store.groups.value;
    const byStatus = store.grouping.value === "status";
    return (
        <div class="board">
            {byStatus ? <NobodyNeedsYou /> : <NeedsYou />}
            <div class="groups">
                {groups.map((group) => (
                    <CardGroup key={group.key} group={group} />
                ))}
            </div>
            {groups.length === 0 && <NothingFound />}
        </div>
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
