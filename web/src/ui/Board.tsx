import { EmptyState, Unreachable } from "./EmptyState";
import { NeedsYou } from "./NeedsYou";
import { ProjectGroup } from "./ProjectGroup";
import { useServices } from "./services";

export function Board() {
    const { store, socket } = useServices();
    if (!store.loaded.value) return socket.connection.value.phase === "lost" ? <Unreachable /> : null;
    if (store.total.value === 0) return <EmptyState />;
    const groups = store.groups.value;
    return (
        <div class="board">
            <NeedsYou />
            <div class="projects">
                {groups.map((group) => (
                    <ProjectGroup key={group.path} group={group} />
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
