import type { Group } from "../core/order";
import { Card } from "./Card";
import { useServices } from "./services";

export function ProjectGroup({ group }: { group: Group }) {
    // Reading a signal makes this component skip renders whose props did not change.
    useServices().store.loaded.value;
    const { project, ids } = group;
    const heading = `group-${group.key}`;
    return (
        <section class={project ? "group" : "group asking"} aria-labelledby={heading}>
            <h2 id={heading} class="group-head">
                <span class="group-name">{project ? project.name : "Needs you"}</span>
                <span class="group-count">{ids.length}</span>
                {project && (
                    <span class="group-path" title={project.path}>
                        {project.path}
                    </span>
                )}
            </h2>
            <ul class="cards">
                {ids.map((id) => (
                    <li key={id}>
                        <Card id={id} withProject={!project} />
                    </li>
                ))}
            </ul>
        </section>
    );
}
