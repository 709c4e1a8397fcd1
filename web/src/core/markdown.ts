/*
 * Markdown as agents write it, as a tree: headings, lists, code, quotes, tables, and in lines emphasis, code and links. HTML in
 * it is text like any other. Whatever is written, reading it takes time in proportion to its length, and depth is bounded.
 */

import { inlineOf, type Inline } from "./markdown_inline";

export interface Item {
    /** Done or to be done; null where it is no task. */
    done: boolean | null;
    blocks: Block[];
}

export type Block =
    | { type: "heading"; level: number; inline: Inline[] }
    | { type: "paragraph"; inline: Inline[] }
    | { type: "code"; text: string }
    | { type: "list"; start: number | null; items: Item[] }
    | { type: "quote"; blocks: Block[] }
    | { type: "table"; head: Inline[][]; rows: Inline[][][] }
    | { type: "rule" };

/** Deeper than that it is shown as it was written. */
const DEPTH_MAX = 8;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?= |$)/;
const RULE = /^ {0,3}([-*_])(?: *\1){2,} *$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])(?: |$)/;
const TABLE_RULE = /^[ |:-]+$/;

export function markdownOf(text: string): Block[] {
    return blocksOf(text.replaceAll("\r\n", "\n").replaceAll("\t", "    ").split("\n"), 0);
}

/** Whether a line begins something else than more of a paragraph. */
function begins(line: string): boolean {
    return line.trim() === "" || FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line) || ITEM.test(line);
}

function blocksOf(lines: readonly string[], depth: number): Block[] {
    const blocks: Block[] = [];
    let at = 0;
    while (at < lines.length) {
        if (lines[at]!.trim() === "") at++;
        else at = block(lines, at, depth, blocks);
    }
    return blocks;
}

/** Reads the block that begins at a line; answers the line behind it. */
function block(lines: readonly string[], at: number, depth: number, out: Block[]): number {
    const line = lines[at]!;
    const fence = FENCE.exec(line);
    if (fence) return code(lines, at, fence[1]!, out);
    const heading = HEADING.exec(line);
    if (heading) {
        const words = line.slice(heading[0].length).trim().replace(/ #+$/, "");
        out.push({ type: "heading", level: heading[1]!.length, inline: inlineOf(words) });
        return at + 1;
    }
    if (RULE.test(line)) {
        out.push({ type: "rule" });
        return at + 1;
    }
    if (depth < DEPTH_MAX && QUOTE.test(line)) return quote(lines, at, depth, out);
    if (depth < DEPTH_MAX && ITEM.test(line)) return list(lines, at, depth, out);
    if (line.includes("|") && isTableRule(lines[at + 1] ?? "")) return table(lines, at, out);
    let end = at + 1;
    while (end < lines.length && !begins(lines[end]!)) end++;
    const words = lines.slice(at, end).map((l) => l.trim());
    out.push({ type: "paragraph", inline: inlineOf(words.join("\n")) });
    return end;
}

/** One look at each letter: a pattern that says all of it tries every `-` of a long line in vain. */
function isTableRule(line: string): boolean {
    return TABLE_RULE.test(line) && line.includes("-") && line.includes("|");
}

function code(lines: readonly string[], at: number, fence: string, out: Block[]): number {
    const indent = lines[at]!.indexOf(fence);
    let end = at + 1;
    while (end < lines.length && !(lines[end]!.trim().startsWith(fence) && lines[end]!.trim().replaceAll(fence[0]!, "") === "")) end++;
    const text = lines.slice(at + 1, end).map((l) => (l.slice(0, indent).trim() === "" ? l.slice(indent) : l));
    out.push({ type: "code", text: text.join("\n") });
    return end + 1;
}

function quote(lines: readonly string[], at: number, depth: number, out: Block[]): number {
    let end = at;
    while (end < lines.length && QUOTE.test(lines[end]!)) end++;
    out.push({ type: "quote", blocks: blocksOf(lines.slice(at, end).map((l) => l.replace(QUOTE, "")), depth + 1) });
    return end;
}

const isOrdered = (mark: string) => /\d/.test(mark);
const indentOf = (line: string) => line.length - line.trimStart().length;

function list(lines: readonly string[], first: number, depth: number, out: Block[]): number {
    const [, margin, mark] = ITEM.exec(lines[first]!)!;
    const ordered = isOrdered(mark!);
    const items: Item[] = [];
    let at = first;
    while (at < lines.length) {
        const item = ITEM.exec(lines[at]!);
        if (!item || isOrdered(item[2]!) !== ordered || Math.abs(item[1]!.length - margin!.length) > 1 || RULE.test(lines[at]!)) break;
        const inner = item[1]!.length + 2; // what belongs to the item is at least that far in
        const own = [lines[at]!.slice(item[0].length).trimStart()];
        for (at++; at < lines.length; at++) {
            const line = lines[at]!;
            const blank = line.trim() === "";
            const next = blank ? (lines[at + 1] ?? "") : line;
            if (indentOf(next) >= inner && next.trim() !== "") own.push(line);
            else if (blank || begins(line)) break;
            else own.push(line);
        }
        items.push(itemOf(own, depth));
        // One empty line between two items leaves them in one list.
        if (lines[at]?.trim() === "" && ITEM.test(lines[at + 1] ?? "")) at++;
    }
    out.push({ type: "list", start: ordered ? Number.parseInt(mark!, 10) : null, items });
    return at;
}

function itemOf([head, ...rest]: string[], depth: number): Item {
    const task = /^\[([ xX])\] /.exec(head!);
    const margin = Math.min(...rest.filter((l) => l.trim() !== "").map(indentOf), 8);
    const lines = [task ? head!.slice(4) : head!, ...rest.map((l) => l.slice(Math.min(margin, indentOf(l))))];
    return { done: task ? task[1] !== " " : null, blocks: blocksOf(lines, depth + 1) };
}

function cells(line: string): Inline[][] {
    const inner = line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
    return inner.split(/(?<!\\)\|/).map((cell) => inlineOf(cell.trim()));
}

function table(lines: readonly string[], at: number, out: Block[]): number {
    let end = at + 2;
    while (end < lines.length && lines[end]!.trim() !== "" && lines[end]!.includes("|")) end++;
    out.push({ type: "table", head: cells(lines[at]!), rows: lines.slice(at + 2, end).map(cells) });
    return end;
}

/** The words alone, in one line, for where there is room for no more. */
export function plainOf(text: string): string {
    return markdownOf(text).map(wordsOf).filter(Boolean).join(" ").replace(/\s+/g, " ").trim();
}

function wordsOf(block: Block): string {
    switch (block.type) {
        case "heading":
        case "paragraph":
            return inlineWords(block.inline);
        case "code":
            return block.text;
        case "list":
            return block.items.map((item) => `• ${item.blocks.map(wordsOf).join(" ")}`).join(" ");
        case "quote":
            return block.blocks.map(wordsOf).join(" ");
        case "table":
            return [block.head, ...block.rows].map((row) => row.map(inlineWords).join(" ")).join(" · ");
        case "rule":
            return "";
    }
}

function inlineWords(inline: readonly Inline[]): string {
    return inline.map((i) => (typeof i === "string" ? i : i.type === "code" ? i.text : i.type === "break" ? " " : inlineWords(i.inline))).join("");
}
