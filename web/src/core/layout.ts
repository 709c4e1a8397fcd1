/*
 * Where every card is on the board, in pixels, without asking the browser: cards and headings have fixed heights, and a width
 * says how many columns there are. So only what is on the screen has to be in the document, and the keyboard can go where
 * nothing is drawn yet. board.css and team.css draw with the same numbers.
 */

import { cardsOf, type Group, type Unit } from "./order";

export const CARD_HEIGHT = 188;
export const CARD_MIN_WIDTH = 330;
export const CARD_GAP = 12;
export const HEAD_HEIGHT = 36;
export const GROUP_GAP = 28;
/** Four members are as many as a row is read at a glance. */
const TEAM_COLUMNS_MAX = 4;

const ROW = CARD_HEIGHT + CARD_GAP;

/** A card's corner, from that of the board's. */
export interface CardSpot {
    id: string;
    x: number;
    y: number;
}

/** A unit's box, from the corner of its group's list. */
export interface UnitSpot {
    unit: Unit;
    x: number;
    y: number;
    width: number;
    height: number;
}

export interface GroupSpot {
    group: Group;
    collapsed: boolean;
    columns: number;
    x: number;
    y: number;
    width: number;
    height: number;
    units: readonly UnitSpot[];
}

export interface Layout {
    columns: number;
    width: number;
    height: number;
    groups: readonly GroupSpot[];
    /** In the order in which they are read. */
    cards: readonly CardSpot[];
    at: ReadonlyMap<string, CardSpot>;
}

export function columnsIn(width: number): number {
    return Math.max(1, Math.floor((width + CARD_GAP) / (CARD_MIN_WIDTH + CARD_GAP)));
}

/** How many columns a group takes of `columns`: small projects share a row. */
function spanOf(group: Group, columns: number): number {
    return group.tone === null && group.size < 3 ? Math.min(group.size, columns) : columns;
}

/** The cards of a team, in columns and rows of its block: the leader in the first column, or above where there is but one. */
function teamCells(unit: Unit, columns: number): { id: string; column: number; row: number }[] {
    const led = unit.leader !== null;
    const first = led && columns > 1 ? 1 : 0;
    const across = led ? Math.max(1, Math.min(columns - first, TEAM_COLUMNS_MAX)) : columns;
    const below = led && columns === 1 ? 1 : 0;
    const members = unit.ids.map((id, i) => ({ id, column: first + (i % across), row: below + Math.floor(i / across) }));
    return led ? [{ id: unit.leader!, column: 0, row: 0 }, ...members] : members;
}

interface Inside {
    units: UnitSpot[];
    cards: CardSpot[];
    height: number;
}

/** What is in a group's list, from its own corner. */
function fill(group: Group, columns: number, cardWidth: number): Inside {
    const units: UnitSpot[] = [];
    const cards: CardSpot[] = [];
    const left = (column: number) => column * (cardWidth + CARD_GAP);
    let row = 0;
    let column = 0;
    for (const unit of group.units) {
        if (unit.teamId === null) {
            if (column === columns) [row, column] = [row + 1, 0];
            units.push({ unit, x: left(column), y: row * ROW, width: cardWidth, height: CARD_HEIGHT });
            cards.push({ id: unit.ids[0]!, x: left(column), y: row * ROW });
            column++;
            continue;
        }
        if (column > 0) [row, column] = [row + 1, 0];
        const cells = teamCells(unit, columns);
        const rows = 1 + Math.max(...cells.map((c) => c.row));
        units.push({ unit, x: 0, y: row * ROW, width: left(columns) - CARD_GAP, height: rows * ROW - CARD_GAP });
        for (const c of cells) cards.push({ id: c.id, x: left(c.column), y: (row + c.row) * ROW });
        row += rows;
    }
    if (column > 0) row++;
    return { units, cards, height: Math.max(0, row * ROW - CARD_GAP) };
}

/** The board of these groups, `width` pixels wide; of collapsed groups only the heading is there. */
export function layoutBoard(groups: readonly Group[], width: number, isCollapsed: (key: string) => boolean): Layout {
    const columns = columnsIn(width);
    const cardWidth = (width - (columns - 1) * CARD_GAP) / columns;
    const left = (column: number) => column * (cardWidth + CARD_GAP);
    const spots: GroupSpot[] = [];
    const cards: CardSpot[] = [];
    let y = 0;
    let column = 0;
    let rowHeight = 0;
    const nextRow = () => {
        if (column > 0) y += rowHeight + GROUP_GAP;
        [column, rowHeight] = [0, 0];
    };
    for (const group of groups) {
        const span = spanOf(group, columns);
        if (column + span > columns) nextRow();
        const collapsed = isCollapsed(group.key);
        const inside = collapsed ? { units: [], cards: [], height: 0 } : fill(group, span, cardWidth);
        const height = HEAD_HEIGHT + inside.height;
        const x = left(column);
        spots.push({ group, collapsed, columns: span, x, y, width: left(span) - CARD_GAP, height, units: inside.units });
        for (const c of inside.cards) cards.push({ id: c.id, x: x + c.x, y: y + HEAD_HEIGHT + c.y });
        column += span;
        rowHeight = Math.max(rowHeight, height);
    }
    nextRow();
    return { columns, width, height: Math.max(0, y - GROUP_GAP), groups: spots, cards, at: new Map(cards.map((c) => [c.id, c])) };
}

/** Of `next`, the old object wherever a group stands as it did, so that it need not be drawn again. */
export function reuseSpots(prev: Layout | null, next: Layout): Layout {
    const old = new Map(prev?.groups.map((g) => [g.group.key, g]));
    const same = (a: GroupSpot, b: GroupSpot) =>
        a.group === b.group && a.collapsed === b.collapsed && a.columns === b.columns && a.x === b.x && a.y === b.y && a.width === b.width;
    return {
        ...next,
        groups: next.groups.map((g) => {
            const was = old.get(g.group.key);
            return was && same(was, g) ? was : g;
        }),
    };
}

/** The indices of a group's units that `from`…`to` of the board shows, first and behind the last. */
export function unitsWithin(spot: GroupSpot, from: number, to: number): { first: number; end: number } {
    const top = spot.y + HEAD_HEIGHT;
    const { units } = spot;
    let first = 0;
    while (first < units.length && top + units[first]!.y + units[first]!.height < from) first++;
    let end = first;
    while (end < units.length && top + units[end]!.y <= to) end++;
    return { first, end };
}

/** Which of a group's units holds the card, or -1. */
export function unitOf(spot: GroupSpot, id: string | null): number {
    return id === null ? -1 : spot.units.findIndex(({ unit }) => cardsOf(unit).includes(id));
}

/** The card in the next row of that direction that is nearest sideways. */
export function nextRow<T extends { x: number; y: number }>(cards: readonly T[], from: T, step: 1 | -1): T | null {
    let best: T | null = null;
    for (const c of cards) {
        const ahead = (c.y - from.y) * step;
        if (ahead <= 0) continue;
        const nearer = best === null ? -1 : ahead - (best.y - from.y) * step || Math.abs(c.x - from.x) - Math.abs(best.x - from.x);
        if (nearer < 0) best = c;
    }
    return best;
}

/**
 * How far what is looked at has moved down from one layout to the next: as far as most of the cards between `from` and `to`.
 * Those that changed places by themselves are few; the others stay under the reader's eyes when the page follows them.
 */
export function drift(before: Layout, after: Layout, from: number, to: number): number {
    const votes = new Map<number, number>();
    for (const c of before.cards) {
        if (c.y + CARD_HEIGHT <= from || c.y >= to) continue;
        const now = after.at.get(c.id);
        if (!now) continue;
        const moved = now.y - c.y;
        votes.set(moved, (votes.get(moved) ?? 0) + 1);
        if (before.columns !== after.columns) break; // another width: the first one is as good as any
    }
    let most = 0;
    for (const [moved, count] of votes) if (count > (votes.get(most) ?? 0)) most = moved;
    return most;
}
