/*
 * Where a card stands: in its project, those that need a person before the others. Only status, start and project decide:
 * activity does not, or cards would dance while agents work. Projects stand by name, so that nothing but a session that
 * comes or goes ever moves another project; who needs a person is listed once more above all of them.
 */

import type { Summary } from "./messages";
import { STATUS_INFO, needsYou, titleOf } from "./status";

export interface Group {
    /** The project's directory. */
    path: string;
    name: string;
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

/** Those that need a person, the longest waiting first: a new one appends, and the others can wait a little. */
export function askingSessions(sessions: Iterable<Summary>): string[] {
    return [...sessions]
        .filter(needsYou)
        .sort((a, b) => a.statusSince - b.statusSince || (a.id < b.id ? -1 : 1))
        .map((s) => s.id);
}

function compareProjects(a: Group, b: Group): number {
    return (
        a.name.localeCompare(b.name, "en", { sensitivity: "base", numeric: true }) ||
        (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
    );
}

/** The board's groups: projects by name. */
export function groupSessions(sessions: Iterable<Summary>): Group[] {
    const projects = new Map<string, Summary[]>();
    for (const s of sessions) {
        const list = projects.get(s.projectPath);
        if (list) list.push(s);
        else projects.set(s.projectPath, [s]);
    }
    const groups: Group[] = [];
    for (const [path, list] of projects) {
        list.sort(compareSessions);
        groups.push({ path, name: list[0]!.projectName, ids: list.map((s) => s.id) });
    }
    return groups.sort(compareProjects);
}

/** The groups of `next`, but the old object wherever nothing changed, so that it need not be drawn again. */
export function reuseGroups(prev: readonly Group[], next: Group[]): readonly Group[] {
    const old = new Map(prev.map((g) => [g.path, g]));
    let same = prev.length === next.length;
    const out = next.map((g, i) => {
        const was = old.get(g.path);
        const kept = was && sameGroup(was, g) ? was : g;
        if (kept !== prev[i]) same = false;
        return kept;
    });
    return same ? prev : out;
}

function sameGroup(a: Group, b: Group): boolean {
    return a.name === b.name && sameIds(a.ids, b.ids);
}

export function sameIds(a: readonly string[], b: readonly string[]): boolean {
    return a.length === b.length && a.every((id, i) => id === b[i]);
}

/** Every word of the filter must occur in the project, the title or the prompt. */
export function matchesFilter(s: Summary, filter: string): boolean {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return true;
    const hay = [s.projectName, s.projectPath, titleOf(s), s.title, s.currentPrompt ?? "", s.cli].join("\n").toLowerCase();
    return words.every((w) => hay.includes(w));
}
