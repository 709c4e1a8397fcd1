import { GROUPINGS, type Grouping } from "../core/order";
import { ProjectIcon, StatusListIcon } from "./icons";
import { useServices } from "./services";

const WORDS: Record<Grouping, string> = { project: "Project", status: "Status" };

export function GroupingToggle() {
    const { store } = useServices();
    return (
        <div class="segments" role="group" aria-label="Group sessions by">
            {GROUPINGS.map((grouping) => (
                <button
                    key={grouping}
                    type="button"
                    aria-pressed={store.grouping.value === grouping}
                    aria-label={`By ${grouping}`}
                    title={`Group by ${grouping} (g)`}
                    onClick={() => {
                        store.grouping.value = grouping;
                    }}
                >
                    {grouping === "project" ? <ProjectIcon /> : <StatusListIcon />}
                    <span>{WORDS[grouping]}</span>
                </button>
            ))}
        </div>
    );
}
