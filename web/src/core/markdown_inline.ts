/* What stands in a line of Markdown: emphasis, code, links, and text. */

import { linkFate } from "./links";

export type Inline =
    | string
    | { type: "code"; text: string }
    | { type: "strong" | "em" | "strike"; inline: Inline[] }
    | { type: "link"; href: string; inline: Inline[] }
    | { type: "break" };

const DEPTH_MAX = 8;

const LINK = /\[([^[\]\n]{1,500})\]\(<?([^()<>\s]{1,2000}(?:\([^()<>\s]{0,500}\))?[^()<>\s]{0,500})>?(?: "[^"\n]{0,300}")?\)/y;
const ADDRESS = /<?(https?:\/\/[^\s<>"'`]{1,2000})/y;
const TICKS = /`+/y;
const ESCAPED = /\\([!-/:-@[-`{-~])/y;

const MARKS = [
    { mark: "**", type: "strong" },
    { mark: "__", type: "strong" },
    { mark: "~~", type: "strike" },
    { mark: "*", type: "em" },
    { mark: "_", type: "em" },
] as const;

const isWord = (c: string | undefined) => c !== undefined && /[\p{L}\p{N}_]/u.test(c);
const isBlank = (c: string | undefined) => c === undefined || /\s/.test(c);

const HOST = /^\s*(?:https?:\/\/(?:[^/?#\s]*@)?|(?=www\.))([^/?#\s]+)/i;

/** Where an address leads, or what looks like one; null for other words. */
function hostOf(text: string): string | null {
    return HOST.exec(text)?.[1]!.toLowerCase().replace(/^www\./, "") ?? null;
}

/** A link's words: an address among them is no link of its own. */
function withoutLinks(all: Inline[]): Inline[] {
    return all.flatMap((it) => {
        if (typeof it === "string" || !("inline" in it)) return [it];
        const inline = withoutLinks(it.inline);
        return it.type === "link" ? inline : [{ ...it, inline }];
    });
}

export function inlineOf(text: string): Inline[] {
    return new Reader(text, 0).read();
}

class Reader {
    private readonly out: Inline[] = [];
    private plain = "";
    private at = 0;
    /** Ends that were looked for and not found: from here on there are none either. */
    private readonly missing = new Set<string>();

    constructor(
        private readonly text: string,
        private readonly depth: number,
    ) {}

    read(): Inline[] {
        while (this.at < this.text.length) if (!this.special()) this.plain += this.text[this.at++];
        this.flush();
        return this.out;
    }

    private special(): boolean {
        switch (this.text[this.at]) {
            case "\n":
                this.push({ type: "break" }, 1);
                return true;
            case "\\":
                return this.escape();
            case "`":
                return this.code();
            case "[":
                return this.link();
            case "<":
            case "h":
                return this.address();
            case "*":
            case "_":
            case "~":
                return this.depth < DEPTH_MAX && this.emphasis();
            default:
                return false;
        }
    }

    private match(pattern: RegExp): RegExpExecArray | null {
        pattern.lastIndex = this.at;
        return pattern.exec(this.text);
    }

    private push(it: Inline, length: number): void {
        this.flush();
        this.out.push(it);
        this.at += length;
    }

    private flush(): void {
        if (this.plain !== "") this.out.push(this.plain);
        this.plain = "";
    }

    private escape(): boolean {
        const escaped = this.match(ESCAPED);
        if (!escaped) return false;
        this.plain += escaped[1];
        this.at += 2;
        return true;
    }

    private code(): boolean {
        const [ticks] = this.match(TICKS)!;
        const from = this.at + ticks.length;
        let end = this.missing.has(ticks) ? -1 : this.text.indexOf(ticks, from);
        // A longer row of ticks is another one.
        while (end >= 0 && this.text[end + ticks.length] === "`") {
            while (this.text[end] === "`") end++;
            end = this.text.indexOf(ticks, end);
        }
        if (end < 0) {
            this.missing.add(ticks);
            this.plain += ticks;
            this.at = from;
            return true;
        }
        const inside = this.text.slice(from, end).replaceAll("\n", " ");
        const padded = inside.length > 2 && inside.startsWith(" ") && inside.endsWith(" ");
        this.push({ type: "code", text: padded ? inside.slice(1, -1) : inside }, end + ticks.length - this.at);
        return true;
    }

    private link(): boolean {
        const link = this.match(LINK);
        if (!link) return false;
        const [whole, words, href] = link as unknown as [string, string, string];
        const inline = withoutLinks(new Reader(words, this.depth + 1).read());
        // What is no address of the web is shown with its words: people may know what to do with it.
        this.push(linkFate(href) === "open" ? { type: "link", href, inline } : `${words} (${href})`, whole.length);
        const [claimed, real] = [hostOf(words), hostOf(href)];
        if (claimed !== null && real !== null && claimed !== real) this.plain += ` (leads to ${real})`;
        return true;
    }

    private address(): boolean {
        if (isWord(this.text[this.at - 1])) return false;
        const found = this.match(ADDRESS);
        if (!found) return false;
        const angled = found[0].startsWith("<");
        if (angled && this.text[this.at + found[0].length] !== ">") return false;
        const href = angled ? found[1]! : found[1]!.replace(/[.,:;!?*_~)\]}]+$/, "");
        this.push({ type: "link", href, inline: [href] }, href.length + (angled ? 2 : 0));
        return true;
    }

    private emphasis(): boolean {
        for (const { mark, type } of MARKS) {
            if (!this.text.startsWith(mark, this.at)) continue;
            const end = this.endOf(mark);
            if (end < 0) continue;
            const inner = new Reader(this.text.slice(this.at + mark.length, end), this.depth + 1).read();
            this.push({ type, inline: inner }, end + mark.length - this.at);
            return true;
        }
        return false;
    }

    /** Where an emphasis that begins here ends, or -1: it is none. */
    private endOf(mark: string): number {
        const from = this.at + mark.length;
        const under = mark[0] === "_"; // within words it is a letter
        if (isBlank(this.text[from]) || this.missing.has(mark) || (under && isWord(this.text[this.at - 1]))) return -1;
        if (mark.length === 1 && this.text[from] === mark) return -1;
        for (let end = this.text.indexOf(mark, from + 1); end >= 0; end = this.text.indexOf(mark, end + 1)) {
            const after = this.text[end + mark.length];
            if (isBlank(this.text[end - 1]) || (under && isWord(after))) continue;
            if (mark.length === 1 && (after === mark || this.text[end - 1] === mark)) continue; // half of a double one
            return end;
        }
        this.missing.add(mark);
        return -1;
    }
}
