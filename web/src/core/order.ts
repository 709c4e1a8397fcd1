/*
 * Where a card stands. Sessions that need a person come first, of whatever project; the others lie in their projects.
 * Only status, start and project decide: activity does not, or cards would dance while agents work.
 */

import type { Summary } from "./messages";
import { STATUS_INFO, needsYou, titleOf, type Session } from "./status";

export interface Group {
    /** `needs`, or the project's path behind a colon. */
    key: string;
    /** null for the group of those that need a person. */
    project: { name: string; path: string } | null;
    ids: readonly string[];
}

/** Urgent first, then the newest, then by id so that the order is total. */
export function compareSessions(a: Summary, b: Summary): number {
    return (
        STATUS_INFO[a.status].urgency - STATUS_INFO[b.status].urgency ||
        b.startedAt - a.startedAt ||
        (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
    );
}

/** Those who ask have waited in this order: the longest first, since the others can wait a little. */
function compareAsking(a: Session, b: Session): number {
    return a.since - b.since || (a.id < b.id ? -1 : 1);
}

function compareProjects(a: Group, b: Group): number {
    const x = a.project!;
    const y = b.project!;
    return (
        x.name.localeCompare(y.name, "en", { sensitivity: "base", numeric: true }) ||
        (x.path < y.path ? -1 : x.path > y.path ? 1 : 0)
    );
}

/** The board's groups: those that need a person, then the projects by name. */
export function groupSessions(sessions: Iterable<Session>): Group[] {
    const asking: Session[] = [];
    const projects = new Map<string, Session[]>();
    for (const s of sessions) {
        if (needsYou(s)) {
            asking.push(s);
            continue;
        }
        const list = projects.get(s.projectPath);
        if (list) list.push(s);
        else projects.set(s.projectPath, [s]);
    }

    const groups: Group[] = [];
    for (const [path, list] of projects) {
        list.sort(compareSessions);
        groups.push({ key: `:${path}`, project: { name: list[0]!.projectName, path }, ids: list.map((s) => s.id) });
    }
    groups.sort(compareProjects);
    if (asking.length > 0)
        groups.unshift({ key: "needs", project: null, ids: asking.sort(compareAsking).map((s) => s.id) });
    return groups;
}

/** The groups of `next`, but the old object wherever nothing changed, so that it need not be drawn again. */
export function reuseGroups(prev: readonly Group[], next: Group[]): readonly Group[] {
    const old = new Map(prev.map((g) => [g.key, g]));
    let same = prev.length === next.length;
    const out = next.map((g, i) => {
        const was = old.get(g.key);
        const kept = was && sameGroup(was, g) ? was : g;
        if (kept !== prev[i]) same = false;
        return kept;
    });
    return same ? prev : out;
}

function sameGroup(a: Group, b: Group): boolean {
    return (
        a.project?.name === b.project?.name &&
        a.ids.length === b.ids.length &&
        a.ids.every((id, i) => id === b.ids[i])
    );
}

/** Every word of the filter must occur in the project, the title or the prompt. */
export function matchesFilter(s: Summary, filter: string): boolean {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return true;
    const hay = [s.projectName, s.projectPath, titleOf(s), s.title, s.currentPrompt ?? "", s.cli].join("\n").toLowerCase();
    return words.every((w) => hay.includes(w));
}
