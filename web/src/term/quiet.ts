/*
 * A program that asks its terminal something gets one answer, the daemon's. Every query is swallowed here: ten pages that look
 * at one terminal must not answer ten times, and none of them an old question out of the scrollback.
 */

import type { IDisposable, IFunctionIdentifier, IParser } from "@xterm/xterm";

const CSI: readonly IFunctionIdentifier[] = [
    { final: "c" }, // DA1, DA2, DA3
    { prefix: ">", final: "c" },
    { prefix: "=", final: "c" },
    { final: "n" }, // DSR: status, cursor position
    { prefix: "?", final: "n" },
    { intermediates: "$", final: "p" }, // DECRQM
    { prefix: "?", intermediates: "$", final: "p" },
    { prefix: ">", final: "q" }, // XTVERSION
    { final: "x" }, // DECREQTPARM
    { prefix: "?", final: "u" }, // kitty's keyboard
    { prefix: "?", final: "S" }, // XTSMGRAPHICS
    { intermediates: "$", final: "w" }, // DECRQPSR
    { intermediates: "&", final: "u" }, // DECRQUPSS
    { intermediates: "*", final: "y" }, // DECRQCRA
];

const DCS: readonly IFunctionIdentifier[] = [
    { intermediates: "$", final: "q" }, // DECRQSS
    { intermediates: "+", final: "q" }, // XTGETTCAP
];

/** Colours: 4 a palette entry, 5 a special one, 10–19 the foreground, background, cursor and so on. */
const COLOR_OSC = [4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];

/** Of the window operations, those that report something; the others are no queries, and off anyway. */
const WINDOW_REPORTS = new Set([11, 13, 14, 15, 16, 18, 19, 20, 21]);

export function swallowQueries(parser: IParser): IDisposable {
    const taken = [
        ...CSI.map((id) => parser.registerCsiHandler(id, () => true)),
        ...DCS.map((id) => parser.registerDcsHandler(id, () => true)),
        ...COLOR_OSC.map((n) => parser.registerOscHandler(n, (data) => data.split(";").includes("?"))),
        parser.registerCsiHandler({ final: "t" }, (params) => WINDOW_REPORTS.has(params[0] as number)),
    ];
    return { dispose: () => taken.forEach((t) => t.dispose()) };
}
