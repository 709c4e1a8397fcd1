/* Who an agent is and to whom it belongs, on its card. */

import type { Summary } from "../core/messages";
import { teammates } from "../core/order";
import { TeamIcon } from "./icons";
import { useServices } from "./services";
import { plural } from "./words";

/** Who an agent is in its team: `researcher · Explore`. */
export function AgentChip({ s }: { s: Summary }) {
    const who = [s.agentName, s.agentType].filter((word, i, all) => word && all.indexOf(word) === i).join(" · ");
    if (!who) return null;
    return (
        <span class="chip agent" title={s.teamRole === "leader" ? `${who}, leads the team` : who}>
            <i aria-hidden="true" />
            <span>{who}</span>
        </span>
    );
}

/** The team, on its leader and wherever members do not stand beside it. Points at the others, and leads to the next. */
export function TeamChip({ s }: { s: Summary }) {
    const { store, team, board } = useServices();
    if (s.teamId === null) return null;
    const known = store.teams.value.get(s.teamId);
    const others = teammates(known, s.id).filter((id) => store.find(id));
    const led = known?.parentId != null && others.includes(known.parentId);
    if (store.grouping.value === "project" && led) return null;
    const members = known?.childIds.length ?? 0;
    const name = known?.teamName || s.teamName || "Team";
    const point = (on: boolean) => () => {
        team.value = on ? s.teamId : null;
    };
    return (
        <button
            class="chip team-chip"
            type="button"
            title={others.length > 0 ? `Team ${name}: go to the next of its ${plural(members, "member")}` : `Team ${name}`}
            onMouseEnter={point(true)}
            onMouseLeave={point(false)}
            onFocus={point(true)}
            onBlur={point(false)}
            onClick={() => board.focus(nextOf(known ? [...teammates(known, "")] : [], s.id))}
        >
            <TeamIcon />
            <span>{name}</span>
            {members > 0 && <b>{members}</b>}
        </button>
    );
}

/** Round the team, one after the other. */
function nextOf(all: readonly string[], id: string): string {
    return all[(all.indexOf(id) + 1) % all.length] ?? id;
}
