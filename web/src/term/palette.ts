/* The terminal's colours, of the same paper and ink as the board's (tokens.css); its cursor is the amber that means "you". */

import type { ITheme } from "@xterm/xterm";

export type PaletteName = "light" | "dark";

export interface Palette {
    theme: ITheme;
    /** What a text that hardly stands out is brought up to; programs seldom ask how light the paper is. */
    contrast: number;
    match: string;
    matchNow: string;
}

export const PALETTES: Record<PaletteName, Palette> = {
    light: {
        theme: {
            background: "#fffdf9",
            foreground: "#2a251d",
            cursor: "#d97c0b",
            cursorAccent: "#fffdf9",
            selectionBackground: "#cfe0ea",
            selectionInactiveBackground: "#e6e2d8",
            scrollbarSliderBackground: "#c9bfab66",
            scrollbarSliderHoverBackground: "#c9bfabb3",
            scrollbarSliderActiveBackground: "#c9bfab",
            overviewRulerBorder: "#fffdf900",
            black: "#2a251d",
            red: "#b03a30",
            green: "#3f7a37",
            yellow: "#8d6b00",
            blue: "#23629c",
            magenta: "#84489c",
            cyan: "#16747a",
            white: "#bdb29d",
            brightBlack: "#6f6556",
            brightRed: "#c8453b",
            brightGreen: "#4f8f42",
            brightYellow: "#a57d00",
            brightBlue: "#3d7fc4",
            brightMagenta: "#9d63b8",
            brightCyan: "#2f9a95",
            brightWhite: "#ece6d9",
        },
        contrast: 4.5,
        match: "#f6e3b4",
        matchNow: "#f0b64f",
    },
    dark: {
        theme: {
            background: "#1c1a15",
            foreground: "#e9e1d2",
            cursor: "#f0a732",
            cursorAccent: "#1c1a15",
            selectionBackground: "#33475a",
            selectionInactiveBackground: "#37322a",
            scrollbarSliderBackground: "#4d463a66",
            scrollbarSliderHoverBackground: "#4d463ab3",
            scrollbarSliderActiveBackground: "#4d463a",
            overviewRulerBorder: "#1c1a1500",
            black: "#37322a",
            red: "#e58379",
            green: "#97c37e",
            yellow: "#dfbc69",
            blue: "#86b4e2",
            magenta: "#c19ade",
            cyan: "#78c4be",
            white: "#cfc6b5",
            brightBlack: "#8c8272",
            brightRed: "#f2a097",
            brightGreen: "#b3d79b",
            brightYellow: "#efd48f",
            brightBlue: "#a8ccef",
            brightMagenta: "#d7b7ee",
            brightCyan: "#9fdad4",
            brightWhite: "#f6f0e4",
        },
        contrast: 4.5,
        match: "#54431e",
        matchNow: "#8a6424",
    },
};
