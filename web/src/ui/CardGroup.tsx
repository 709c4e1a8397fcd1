import { useRef } from "preact/hooks";
import type { GroupSpot, UnitSpot } from "../core/layout";
import { ENDED_GROUP } from "../core/order";
import { Card } from "./Card";
import { DownIcon } from "./icons";
import { useServices } from "./services";
import { useSlide } from "./slide";
import { TeamBlock } from "./TeamBlock";

interface Props {
    spot: GroupSpot;
    /** Of its units, the first that is drawn and the one behind the last. */
    first: number;
    end: number;
    /** Two more that are, or -1: where the focus is, and where it goes. */
    kept: number;
    next: number;
}

/** A project with its cards, or those of one status: what is looked at of it. */
export function CardGroup({ spot, first, end, kept, next }: Props) {
    // Reading a signal makes this component skip renders whose props did not change.
    useServices().store.loaded.value;
    const { group, x, y, width, height, columns } = spot;
    const folds = group.key === ENDED_GROUP;
    const list = useRef<HTMLUListElement>(null);
    useSlide(list, spot);
    const heading = `group-${group.key.replaceAll(" ", "-")}`;
    const shown = spot.units.filter((_, i) => (i >= first && i < end) || i === kept || i === next);
    return (
        <section
            class="group"
            data-tone={group.tone ?? undefined}
            data-small={group.tone === null && group.size < 3}
            aria-labelledby={heading}
            style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px`, "--columns": columns }}
        >
            <h2 id={heading} class="group-head">
                {folds ? <Unfold name={group.name} open={!spot.collapsed} /> : <span class="group-name">{group.name}</span>}
                <span class="group-count">{group.size}</span>
                {folds && <span class="group-note">of the last day, until you close them</span>}
                {group.path && (
                    <span class="group-path" title={group.path}>
                        {group.path}
                    </span>
                )}
            </h2>
            <ul class="cards" ref={list}>
                {shown.map((it) => (
                    <Item key={it.unit.key} it={it} at={spot.units.indexOf(it)} of={spot.units.length} within={group.path} />
                ))}
            </ul>
        </section>
    );
}

function Unfold({ name, open }: { name: string; open: boolean }) {
    const { endedClosed } = useServices().board;
    return (
        <button class="group-name group-unfold" type="button" aria-expanded={open} onClick={() => (endedClosed.value = open)}>
            <DownIcon />
            {name}
        </button>
    );
}

/** Who cannot see that there are more is told how many, and which one this is. */
function Item({ it, at, of, within }: { it: UnitSpot; at: number; of: number; within: string }) {
    const { unit, x, y, width, height } = it;
    return (
        <li
            class={unit.teamId === null ? undefined : "team-item"}
            data-key={unit.key}
            aria-posinset={at + 1}
            aria-setsize={of}
            style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}
        >
            {unit.teamId === null ? <Card id={unit.ids[0]!} within={within} /> : <TeamBlock unit={unit} within={within} />}
        </li>
    );
}
