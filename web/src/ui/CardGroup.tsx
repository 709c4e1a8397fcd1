import { useMemo, useRef } from "preact/hooks";
import type { Group } from "../core/order";
import { Card } from "./Card";
import { useServices } from "./services";
import { useSlide } from "./slide";
import { TeamBlock } from "./TeamBlock";

/** A project with its cards, or those of one status. */
export function CardGroup({ group }: { group: Group }) {
    // Reading a signal makes this component skip renders whose props did not change.
    useServices().store.loaded.value;
    const list = useRef<HTMLUListElement>(null);
    const keys = useMemo(() => group.units.map((u) => u.key), [group]);
    useSlide(list, keys);
    const heading = `group-${group.key.replaceAll(" ", "-")}`;
    const size = group.tone === null ? Math.min(group.size, 3) : 3;
    return (
        <section class="group" data-size={size} data-tone={group.tone ?? undefined} aria-labelledby={heading}>
            <h2 id={heading} class="group-head">
                <span class="group-name">{group.name}</span>
                <span class="group-count">{group.size}</span>
                {group.path && (
                    <span class="group-path" title={group.path}>
                        {group.path}
                    </span>
                )}
            </h2>
            <ul class="cards" ref={list}>
                {group.units.map((unit) => (
                    <li key={unit.key} class={unit.teamId === null ? undefined : "team-item"}>
                        {unit.teamId === null ? (
                            <Card id={unit.ids[0]!} within={group.path} />
                        ) : (
                            <TeamBlock unit={unit} within={group.path} />
                        )}
                    </li>
                ))}
            </ul>
        </section>
    );
}
