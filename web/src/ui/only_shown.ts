/* Everything that the board draws passes here: whatever a component was given, a person sees only what may be shown. */

import { options } from "preact";
import { shown } from "../core/shown";

/* Attributes that people read. What is in a field is theirs, and stays as it is. */
const READ = ["title", "aria-label", "aria-description", "alt", "placeholder"] as const;

/** Cleans the text of a node, as Preact makes it. */
export function cleanNode(node: { type: unknown; props: unknown }): void {
    if (typeof node.props === "string") {
        node.props = shown(node.props);
    } else if (typeof node.type === "string") {
        const props = node.props as Record<string, unknown>;
        for (const name of READ) {
            const value = props[name];
            if (typeof value === "string") props[name] = shown(value);
        }
    }
}

export function drawOnlyShown(): void {
    const before = options.vnode;
    options.vnode = (node) => {
        cleanNode(node);
        before?.(node);
    };
}
