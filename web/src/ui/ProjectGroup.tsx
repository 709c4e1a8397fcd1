import { useRef } from "preact/hooks";
import type { Group } from "../core/order";
import { Card } from "./Card";
import { useServices } from "./services";
import { useSlide } from "./slide";

export function ProjectGroup({ group }: { group: Group }) {
    // Reading a signal makes this component skip renders whose props did not change.
    useServices().store.loaded.value;
    const list = useRef<HTMLUListElement>(null);
    useSlide(list, group.ids);
    const heading = `project-${group.path}`;
    return (
        <section class="group" data-size={Math.min(group.ids.length, 3)} aria-labelledby={heading}>
            <h2 id={heading} class="group-head">
                <span class="group-name">{group.name}</span>
                <span class="group-count">{group.ids.length}</span>
                <span class="group-path" title={group.path}>
                    {group.path}
                </span>
            </h2>
            <ul class="cards" ref={list}>
                {group.ids.map((id) => (
                    <li key={id}>
                        <Card id={id} />
                    </li>
                ))}
            </ul>
        </section>
    );
}
