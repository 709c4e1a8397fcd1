import { describe, expect, test } from "vitest";
import { CARD_GAP, CARD_HEIGHT, GROUP_GAP, HEAD_HEIGHT, columnsIn, drift, layoutBoard, nextRow, reuseSpots, unitOf, unitsWithin } from "../../src/core/layout";
import type { Group, Unit } from "../../src/core/order";

const ROW = CARD_HEIGHT + CARD_GAP;
const open = () => false;
const one = (id: string): Unit => ({ key: id, teamId: null, leader: null, ids: [id] });
const project = (name: string, ...units: Unit[]): Group => ({
    key: `project ${name}`,
    path: `/${name}`,
    name,
    tone: null,
    units,
    size: units.reduce((sum, u) => sum + u.ids.length + (u.leader === null ? 0 : 1), 0),
});
const many = (count: number, name = "many") => project(name, ...Array.from({ length: count }, (_, i) => one(`${name}-${i}`)));
/** Wide enough for so many columns of 330. */
const wide = (columns: number) => columns * 330 + (columns - 1) * CARD_GAP;
const places = (groups: Group[], columns: number) =>
    Object.fromEntries(layoutBoard(groups, wide(columns), open).cards.map(({ id, x, y }) => [id, [x / 342, (y - HEAD_HEIGHT) / ROW]]));

test("as many columns as fit, and always one", () => {
    expect([200, 330, 671, 672, 1013, 1014].map(columnsIn)).toEqual([1, 1, 1, 2, 2, 3]);
});

describe("groups", () => {
    test("small ones share a row, the others have it for themselves", () => {
        const groups = [many(1, "a"), many(2, "b"), many(1, "c"), many(3, "d"), many(1, "e")];
        const { groups: spots, height } = layoutBoard(groups, wide(3), open);
        const row = HEAD_HEIGHT + CARD_HEIGHT + GROUP_GAP;
        expect(spots.map((s) => [s.x / 342, s.y / row, s.columns])).toEqual([
            [0, 0, 1],
            [1, 0, 2],
            [0, 1, 1],
            [0, 2, 3],
            [0, 3, 1],
        ]);
        expect(height).toBe(4 * row - GROUP_GAP);
    });

    test("on a phone they stand below each other", () => {
        const { groups: spots } = layoutBoard([many(2, "a"), many(1, "b")], 358, open);
        expect(spots.map((s) => [s.x, s.y, s.width])).toEqual([
            [0, 0, 358],
            [0, HEAD_HEIGHT + 2 * ROW - CARD_GAP + GROUP_GAP, 358],
        ]);
    });

    test("a collapsed one is its heading", () => {
        const layout = layoutBoard([many(9, "a"), many(3, "b")], wide(3), (key) => key === "project a");
        expect(layout.groups[0]!.height).toBe(HEAD_HEIGHT);
        expect(layout.at.has("a-0")).toBe(false);
        expect(layout.at.get("b-0")!.y).toBe(HEAD_HEIGHT + GROUP_GAP + HEAD_HEIGHT);
    });

    test("an empty board has no height", () => {
        expect(layoutBoard([], wide(3), open).height).toBe(0);
    });
});

describe("a team", () => {
    const led: Unit = { key: "team t", teamId: "t", leader: "lead", ids: ["m1", "m2", "m3"] };

    test("has its leader in the first column and its members beside it, and begins a row", () => {
        expect(places([project("p", one("a"), led, one("z"))], 3)).toEqual({
            a: [0, 0],
            lead: [0, 1],
            m1: [1, 1],
            m2: [2, 1],
            m3: [1, 2],
            z: [0, 3],
        });
    });

    test("has its members below where there is one column, and four beside it at most", () => {
        expect(places([project("p", led)], 1)).toEqual({ lead: [0, 0], m1: [0, 1], m2: [0, 2], m3: [0, 3] });
        const six = { ...led, ids: ["1", "2", "3", "4", "5"] };
        expect(places([project("p", six)], 7)[5]).toEqual([1, 1]);
    });

    test("without its leader takes the whole width", () => {
        expect(places([project("p", { ...led, leader: null })], 3)).toEqual({ m1: [0, 0], m2: [1, 0], m3: [2, 0] });
    });
});

describe("what is drawn", () => {
    const spot = layoutBoard([many(30)], wide(3), open).groups[0]!;

    test("is what the part shows, and no more", () => {
        expect(unitsWithin(spot, -500, 0)).toEqual({ first: 0, end: 0 });
        expect(unitsWithin(spot, 0, HEAD_HEIGHT)).toEqual({ first: 0, end: 3 });
        const second = HEAD_HEIGHT + ROW;
        expect(unitsWithin(spot, second, second + CARD_HEIGHT)).toEqual({ first: 3, end: 6 });
        expect(unitsWithin(spot, 1e6, 2e6)).toEqual({ first: 30, end: 30 });
    });

    test("and the card that is held", () => {
        expect(unitOf(spot, "many-7")).toBe(7);
        expect(unitOf(spot, "nobody")).toBe(-1);
        expect(unitOf(spot, null)).toBe(-1);
    });

    test("is not drawn again where nothing changed", () => {
        const a = many(3, "a");
        const first = layoutBoard([a, many(3, "b")], wide(3), open);
        const second = reuseSpots(first, layoutBoard([a, many(4, "b")], wide(3), open));
        expect(second.groups[0]).toBe(first.groups[0]);
        expect(second.groups[1]).not.toBe(first.groups[1]);
    });
});

describe("from row to row", () => {
    const { cards } = layoutBoard([many(4, "a"), many(2, "b")], wide(3), open);
    const step = (id: string, by: 1 | -1) => nextRow(cards, cards.find((c) => c.id === id)!, by)?.id;

    test("the nearest card, over the borders of groups", () => {
        expect(step("a-2", 1)).toBe("a-3");
        expect(step("a-3", 1)).toBe("b-0");
        expect(step("b-1", -1)).toBe("a-3");
        expect(step("a-1", -1)).toBeUndefined();
        expect(step("b-0", 1)).toBeUndefined();
    });
});

describe("drift", () => {
    const at = (...groups: Group[]) => layoutBoard(groups, wide(3), open);

    test("what is looked at has moved as far as most of its cards", () => {
        const before = at(many(3, "a"), many(30, "b"));
        const after = at(many(4, "a"), many(30, "b"));
        expect(drift(before, after, 500, 1300)).toBe(ROW);
        expect(drift(before, before, 500, 1300)).toBe(0);
    });

    test("one card that jumps does not take the page along", () => {
        const ids = Array.from({ length: 30 }, (_, i) => one(`b-${i}`));
        const jumped = [ids[15]!, ...ids.slice(0, 15), ...ids.slice(16)];
        expect(drift(at(project("b", ...ids)), at(project("b", ...jumped)), 1000, 1800)).toBe(0);
    });

    test("what is gone does not count", () => {
        expect(drift(at(many(3, "a")), at(many(3, "c")), 0, 800)).toBe(0);
    });
});
