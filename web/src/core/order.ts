/*
 * Where a card stands. By project: those that want a person before the others, and a team around its leader. By status:
 * the urgent ones first. Only attention, status, start, project and team decide: activity does not, or cards would dance
 * while agents work. Projects stand by name, so that nothing but a session that comes or goes ever moves another project; who
 * wants a person is listed once more above all of them. Those that have ended are a group of their own, the last one.
 */

import type { Summary, Team } from "./messages";
import { TONES, TONE_NAMES, hasEnded, lastWordsOf, needsYou, sinceOf, titleOf, toneOf, urgencyOf, type Tone } from "./status";

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
const longestFirst = (a: Summary, b: Summary) => urgencyOf(a) - urgencyOf(b) || sinceOf(a) - sinceOf(b) || byId(a, b);
const latestFirst = (a: Summary, b: Summary) => (b.endedAt ?? b.statusSince) - (a.endedAt ?? a.statusSince) || byId(a, b);

/** Urgent first, then the newest, then by id so that the order is total. */
export function compareSessions(a: Summary, b: Summary): number {
    return urgencyOf(a) - urgencyOf(b) || newestFirst(a, b);
}

/** Those that want a person: what is asked, what broke off, what is done, and of each the longest waiting first. */
export function askingSessions(sessions: Iterable<Summary>): string[] {
    return [...sessions]
        .filter(needsYou)
        .sort(longestFirst)
        .map((s) => s.id);
}

/** More than these nobody answers at once; the rest stands first in its groups. */
export const APART_MAX = 12;

/** Those of `asking` that stand apart, above all groups: not those that a group of their own tone has already. */
export function apartFrom(asking: readonly string[], groups: readonly Group[]): string[] {
    const shown = new Set(groups.flatMap((g) => (g.tone !== null && g.tone !== "ended" ? g.units.flatMap(cardsOf) : [])));
    return asking.filter((id) => !shown.has(id));
}

/** Made once: it is what costs. */
const byName = new Intl.Collator("en", { sensitivity: "base", numeric: true });

function compareProjects(a: Group, b: Group): number {
    return (
        byName.compare(a.name, b.name) ||
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
    const all = [...sessions];
    for (const c of unitsOf(all.filter((s) => !hasEnded(s)))) {
        const list = projects.get(c.head.projectPath);
        if (list) list.push(c);
        else projects.set(c.head.projectPath, [c]);
    }
    const groups: Group[] = [];
    for (const [path, list] of projects) {
        list.sort((a, b) => urgencyOf(a.first) - urgencyOf(b.first) || newestFirst(a.head, b.head));
        groups.push(group(`project ${path}`, path, list[0]!.head.projectName, null, list));
    }
    const ended = all.filter(hasEnded).sort(latestFirst);
    return [...groups.sort(compareProjects), ...(ended.length > 0 ? [toneGroup("ended", ended)] : [])];
}

/** Those of one tone wait: the longest waiting first. Others stand as they came. */
const TONE_ORDER: Record<Tone, (a: Summary, b: Summary) => number> = {
    needs: longestFirst,
    failed: longestFirst,
    done: longestFirst,
    busy: newestFirst,
    running: newestFirst,
    idle: newestFirst,
    ended: latestFirst,
};

function groupByStatus(sessions: Iterable<Summary>): Group[] {
    const all = [...sessions];
    return TONES.map((tone) => toneGroup(tone, all.filter((s) => toneOf(s) === tone).sort(TONE_ORDER[tone]))).filter((g) => g.size > 0);
}

/** The key of the group that can be folded away. */
export const ENDED_GROUP = "status ended";

function toneGroup(tone: Tone, list: Summary[]): Group {
    return group(`status ${tone}`, "", TONE_NAMES[tone], tone, list.map(single));
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
    return [projectName, projectPath, titleOf(s), title, label, currentPrompt, cli, agentName, agentType, teamName, lastWordsOf(s), s.attention?.text]
        .join("\n")
        .toLowerCase();
}

/** Every word of the filter must occur in the project, the title, the label, the prompt, the team or what the agent says. */
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
