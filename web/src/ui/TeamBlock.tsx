import type { Unit } from "../core/order";
import { Card } from "./Card";
import { agentColor } from "./colors";
import { useServices } from "./services";

/** A leader and its members, joined by lines; without a leader, its members. */
export function TeamBlock({ unit, within }: { unit: Unit; within: string }) {
    const { store } = useServices();
    const name = store.teams.value.get(unit.teamId ?? "")?.teamName ?? "Team";
    return (
        <div class="team" data-led={unit.leader !== null} role="group" aria-label={name}>
            {unit.leader !== null && (
                <div class="team-leader">
                    <Card id={unit.leader} within={within} />
                </div>
            )}
            <ul class="team-members">
                {unit.ids.map((id) => (
                    <Member key={id} id={id} within={within} />
                ))}
            </ul>
        </div>
    );
}

function Member({ id, within }: { id: string; within: string }) {
    const color = useServices().store.find(id)?.value.agentColor ?? null;
    return (
        <li style={{ "--agent": agentColor(color) ?? "" }}>
            <Card id={id} within={within} />
        </li>
    );
}
