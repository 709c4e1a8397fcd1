/*
 * Where a card stands. By project: those that need a person before the others, and a team around its leader. By status:
 * the urgent ones first. Only status, start, project and team decide: activity does not, or cards would dance while agents
 * work. Projects stand by name, so that nothing but a session that comes or goes ever moves another project; who needs a
 * person is listed once more above all of them.
 */

import type { Summary, Team } from "./messages";
import { STATUS_INFO, TONES, TONE_NAMES, needsYou, titleOf, toneOf, type Tone } from "./status";

export const GROUPINGS = ["project", "status"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Cards that stay together: one, or a leader with its members. */
export interface Unit {
    key: string;
    /** The team it is, or null for a single card. */
    teamId: string | null;
    /** The leader's card; null when it is not here. */
    leader: string | null;
    /** Cards below the leader, or the single one. */
    ids: readonly string[];
}

export interface Group {
    key: string;
    /** The project's directory; "" for a group of one status. */
    path: string;
    name: string;
    /** The status that its cards share, or null for a project. */
    tone: Tone | null;
    units: readonly Unit[];
    /** How many cards there are in all units. */
    size: number;
}

const byId = (a: Summary, b: Summary) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
const newestFirst = (a: Summary, b: Summary) => b.startedAt - a.startedAt || byId(a, b);
const longestFirst = (a: Summary, b: Summary) => a.statusSince - b.statusSince || byId(a, b);

/** Urgent first, then the newest, then by id so that the order is total. */
export function compareSessions(a: Summary, b: Summary): number {
    return STATUS_INFO[a.status].urgency - STATUS_INFO[b.status].urgency || newestFirst(a, b);
}

/** Those that need a person, the longest waiting first: a new one appends, and the others can wait a little. */
export function askingSessions(sessions: Iterable<Summary>): string[] {
    return [...sessions]
        .filter(needsYou)
        .sort(longestFirst)
        .map((s) => s.id);
}

/** More than these nobody answers at once; the rest stands first in its groups. */
export const APART_MAX = 12;

/** Those of `asking` that stand apart, above all groups: not those that a group of their status has already. */
export function apartFrom(asking: readonly string[], groups: readonly Group[]): string[] {
    const shown = new Set(groups.flatMap((g) => (g.tone === "needs" ? g.units.flatMap(cardsOf) : [])));
    return asking.filter((id) => !shown.has(id));
}

function compareProjects(a: Group, b: Group): number {
    return (
        a.name.localeCompare(b.name, "en", { sensitivity: "base", numeric: true }) ||
        (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
    );
}

interface Candidate {
    unit: Unit;
    /** Whose project it stands in. */
    head: Summary;
    /** Whose urgency it has. */
    first: Summary;
}

const single = (s: Summary): Candidate => ({
    unit: { key: s.id, teamId: null, leader: null, ids: [s.id] },
    head: s,
    first: s,
});

/** Members stand as they came, so that a team keeps its shape whatever its members do. */
function teamUnit(teamId: string, all: Summary[]): Candidate {
    const leader = all.find((s) => s.teamRole === "leader") ?? null;
    const members = all.filter((s) => s !== leader).sort((a, b) => newestFirst(b, a));
    return {
        unit: { key: `team ${teamId}`, teamId, leader: leader?.id ?? null, ids: members.map((s) => s.id) },
        head: leader ?? members[0]!,
        first: [...all].sort(compareSessions)[0]!,
    };
}

/** Teams of two or more that are here, and everybody else alone. */
function unitsOf(sessions: Iterable<Summary>): Candidate[] {
    const out: Candidate[] = [];
    const teams = new Map<string, Summary[]>();
    for (const s of sessions) {
        const team = s.teamId === null ? null : teams.get(s.teamId);
        if (team) team.push(s);
        else if (s.teamId !== null) teams.set(s.teamId, [s]);
        else out.push(single(s));
    }
    for (const [teamId, all] of teams) out.push(all.length > 1 ? teamUnit(teamId, all) : single(all[0]!));
    return out;
}

function groupByProject(sessions: Iterable<Summary>): Group[] {
    const projects = new Map<string, Candidate[]>();
    for (const c of unitsOf(sessions)) {
        const list = projects.get(c.head.projectPath);
        if (list) list.push(c);
        else projects.set(c.head.projectPath, [c]);
    }
    const groups: Group[] = [];
    for (const [path, list] of projects) {
        list.sort(
            (a, b) =>
                STATUS_INFO[a.first.status].urgency - STATUS_INFO[b.first.status].urgency || newestFirst(a.head, b.head),
        );
        groups.push(group(`project ${path}`, path, list[0]!.head.projectName, null, list));
    }
    return groups.sort(compareProjects);
}

function groupByStatus(sessions: Iterable<Summary>): Group[] {
    const all = [...sessions];
    return TONES.map((tone) => {
        const list = all.filter((s) => toneOf(s) === tone).sort(tone === "needs" ? longestFirst : newestFirst);
        return group(`status ${tone}`, "", TONE_NAMES[tone], tone, list.map(single));
    }).filter((g) => g.size > 0);
}

function group(key: string, path: string, name: string, tone: Tone | null, list: Candidate[]): Group {
    const units = list.map((c) => c.unit);
    return { key, path, name, tone, units, size: units.flatMap(cardsOf).length };
}

/** The cards of a unit in reading order. */
export function cardsOf(unit: Unit): readonly string[] {
    return unit.leader === null ? unit.ids : [unit.leader, ...unit.ids];
}

/** The board's groups: projects by name, or statuses by urgency. */
export function groupSessions(sessions: Iterable<Summary>, grouping: Grouping = "project"): Group[] {
    return grouping === "project" ? groupByProject(sessions) : groupByStatus(sessions);
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
    return a.name === b.name && a.units.length === b.units.length && a.units.every((u, i) => sameUnit(u, b.units[i]!));
}

function sameUnit(a: Unit, b: Unit): boolean {
    return a.key === b.key && a.leader === b.leader && sameIds(a.ids, b.ids);
}

export function sameIds(a: readonly string[], b: readonly string[]): boolean {
    return a.length === b.length && a.every((id, i) => id === b[i]);
}

/** What people may look for a session by. */
function words(s: Summary): string {
    const { projectName, projectPath, title, label, currentPrompt, cli, agentName, agentType, teamName } = s;
    return [projectName, projectPath, titleOf(s), title, label, currentPrompt, cli, agentName, agentType, teamName]
        .join("\n")
        .toLowerCase();
}

/** Every word of the filter must occur in the project, the title, the label, the prompt or the team. */
export function matchesFilter(s: Summary, filter: string): boolean {
    const wanted = filter.toLowerCase().split(/\s+/).filter(Boolean);
    if (wanted.length === 0) return true;
    const hay = words(s);
    return wanted.every((w) => hay.includes(w));
}

/** The others of a team that are on the board, the leader first. */
export function teammates(team: Team | undefined, id: string): string[] {
    if (!team) return [];
    const all = team.parentId === null ? team.childIds : [team.parentId, ...team.childIds];
    return all.filter((other) => other !== id);
}
