import { beforeEach, expect, test } from "vitest";
import { THUMBNAILS_MAX, Thumbnails } from "../../src/net/thumbnails";

let said: (readonly string[])[];
let timer: (() => void) | null;
let thumbnails: Thumbnails;

beforeEach(() => {
    said = [];
    timer = null;
    thumbnails = new Thumbnails(
        { thumbnails: (ids) => said.push(ids) },
        {
            setTimer(run) {
                timer = run;
                return 1;
            },
            clearTimer: () => {},
        },
    );
});

const settle = () => timer?.();

test("what is in sight is asked for once it has settled, and only when it changed", () => {
    thumbnails.show("b");
    thumbnails.show("a");
    expect(said).toEqual([]);
    settle();
    thumbnails.hide("a");
    thumbnails.show("a");
    settle();
    expect(said).toEqual([["a", "b"]]);
    thumbnails.hide("b");
    settle();
    expect(said.at(-1)).toEqual(["a"]);
});

test("a card that stands on the board twice is seen until both are gone", () => {
    thumbnails.show("a");
    thumbnails.show("a");
    thumbnails.hide("a");
    settle();
    expect(said).toEqual([["a"]]);
});

test("while nobody looks at the page, nothing is", () => {
    thumbnails.show("a");
    settle();
    thumbnails.rest(true);
    settle();
    thumbnails.rest(false);
    settle();
    expect(said).toEqual([["a"], [], ["a"]]);
});

test("no more than the daemon takes", () => {
    for (let i = 0; i < THUMBNAILS_MAX + 50; i++) thumbnails.show(`t${i}`);
    settle();
    expect(said[0]!.length).toBe(THUMBNAILS_MAX);
});
