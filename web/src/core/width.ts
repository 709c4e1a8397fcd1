/*
 * How many cells a character takes, by the daemon's own table: on the page and in the daemon's picture of a screen, everything
 * stands in the same column. What xterm.js asks a table of widths for is `wcwidth` and `charProperties`.
 */

import { DOUBLE_WIDTH, ZERO_WIDTH } from "./width_table";

const PLANE = 0x10000;

/** The first plane is where nearly everything is: one look. */
const basic = new Uint8Array(PLANE).fill(1);
basic.fill(0, 0, 0x20).fill(0, 0x7f, 0xa0);
fill(ZERO_WIDTH, 0);
fill(DOUBLE_WIDTH, 2);

function fill(runs: readonly number[], width: number): void {
    for (let i = 0; i < runs.length && runs[i]! < PLANE; i += 2) basic.fill(width, runs[i], Math.min(runs[i + 1]!, PLANE - 1) + 1);
}

function isIn(runs: readonly number[], code: number): boolean {
    let low = 0;
    let high = runs.length / 2 - 1;
    while (low <= high) {
        const middle = (low + high) >> 1;
        if (code < runs[2 * middle]!) high = middle - 1;
        else if (code > runs[2 * middle + 1]!) low = middle + 1;
        else return true;
    }
    return false;
}

export function wcwidth(code: number): 0 | 1 | 2 {
    if (code < PLANE) return basic[code] as 0 | 1 | 2;
    return isIn(ZERO_WIDTH, code) ? 0 : isIn(DOUBLE_WIDTH, code) ? 2 : 1;
}

/**
 * xterm.js's word for a character: whether it joins the cell before it in bit 0, the width in the two above. A mark joins
 * whatever stands before it, and does not change its width.
 */
export function charProperties(code: number, preceding: number): number {
    const width = wcwidth(code);
    const before = (preceding >> 1) & 3;
    const joins = width === 0 && preceding !== 0 && before > 0;
    return ((joins ? before : width) << 1) | (joins ? 1 : 0);
}
