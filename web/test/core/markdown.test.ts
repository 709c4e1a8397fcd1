import { describe, expect, test } from "vitest";
import { markdownOf, plainOf, type Block } from "../../src/core/markdown";
import { inlineOf } from "../../src/core/markdown_inline";

const p = (...inline: unknown[]) => ({ type: "paragraph", inline });

describe("blocks", () => {
    test("paragraphs keep their lines", () => {
        expect(markdownOf("one\ntwo\n\nthree\r\n")).toEqual([p("one", { type: "break" }, "two"), p("three")]);
    });

    test("headings, and what only looks like one", () => {
        expect(markdownOf("# Plan ##\n#nope\n####### seven")).toEqual([
            { type: "heading", level: 1, inline: ["Plan"] },
            p("#nope", { type: "break" }, "####### seven"),
        ]);
    });

    test("code, to its own fence or to the end", () => {
        expect(markdownOf("````sh\n```\nx  \n````\nafter")).toEqual([{ type: "code", text: "```\nx  " }, p("after")]);
        expect(markdownOf("```\nnever closed\n# no heading")).toEqual([{ type: "code", text: "never closed\n# no heading" }]);
    });

    test("lists: nested, numbered, of tasks, with more than a line", () => {
        const text = "1. first\n   - inner\n   - [x] done\n\n2. second\ncontinued\n   \n   more\n\nafter";
        expect(markdownOf(text)).toEqual([
            {
                type: "list",
                start: 1,
                items: [
                    {
                        done: null,
                        blocks: [
                            p("first"),
                            {
                                type: "list",
                                start: null,
                                items: [
                                    { done: null, blocks: [p("inner")] },
                                    { done: true, blocks: [p("done")] },
                                ],
                            },
                        ],
                    },
                    { done: null, blocks: [p("second", { type: "break" }, "continued"), p("more")] },
                ],
            },
            p("after"),
        ]);
    });

    test("code within an item", () => {
        const [list] = markdownOf("- run\n  ```\n  make\n    all\n  ```") as [Extract<Block, { type: "list" }>];
        expect(list.items[0]!.blocks).toEqual([p("run"), { type: "code", text: "make\n  all" }]);
    });

    test("quotes, rules and tables", () => {
        expect(markdownOf("> a\n> > b\n\n---\n| x | y |\n|---|:-:|\n| 1 | `a` |\n| 2 |\nend")).toEqual([
            { type: "quote", blocks: [p("a"), { type: "quote", blocks: [p("b")] }] },
            { type: "rule" },
            { type: "table", head: [["x"], ["y"]], rows: [[["1"], [{ type: "code", text: "a" }]], [["2"]]] },
            p("end"),
        ]);
    });
});

describe("lines", () => {
    test("emphasis, nested and not", () => {
        expect(inlineOf("a **b *c* d** ~~e~~ __f__ _g_")).toEqual([
            "a ",
            { type: "strong", inline: ["b ", { type: "em", inline: ["c"] }, " d"] },
            " ",
            { type: "strike", inline: ["e"] },
            " ",
            { type: "strong", inline: ["f"] },
            " ",
            { type: "em", inline: ["g"] },
        ]);
    });

    test.each(["a * b * c", "snake_case_name", "2*3 and 4 *5", "** not **", "a_b", "*", "~~", "__init", "\\"])("is just text: %s", (text) => {
        expect(inlineOf(text)).toEqual([text]);
    });

    test("escapes and code, in which nothing means anything", () => {
        expect(inlineOf("\\*a\\* `**x** \\` ``a`b``")).toEqual([
            "*a* ",
            { type: "code", text: "**x** \\" },
            " ",
            { type: "code", text: "a`b" },
        ]);
    });

    test("a link that calls itself by another address is found out", () => {
        const read = (text: string) => inlineOf(text).map((it) => (typeof it === "string" ? it : it.type));
        expect(read("[https://bank.test/in](https://evil.test/x) now")).toEqual(["link", " (leads to evil.test) now"]);
        expect(read("[www.bank.test](https://bank.test@evil.test)")).toEqual(["link", " (leads to evil.test)"]);
        expect(read("[https://BANK.test](https://www.bank.test/in)")).toEqual(["link"]);
        expect(read("[the bank](https://bank.test)")).toEqual(["link"]);
        expect(inlineOf("[**https://a.test**](https://a.test/x)")).toEqual([
            { type: "link", href: "https://a.test/x", inline: [{ type: "strong", inline: ["https://a.test"] }] },
        ]);
    });

    test("links of the web are links; what else calls itself one is text", () => {
        expect(inlineOf("[docs](https://a.test/x_(y)) <https://b.test> see https://c.test/d_e.")).toEqual([
            { type: "link", href: "https://a.test/x_(y)", inline: ["docs"] },
            " ",
            { type: "link", href: "https://b.test", inline: ["https://b.test"] },
            " see ",
            { type: "link", href: "https://c.test/d_e", inline: ["https://c.test/d_e"] },
            ".",
        ]);
        expect(inlineOf("[go](javascript:alert) [f](src/a.c)")).toEqual(["go (javascript:alert)", " ", "f (src/a.c)"]);
    });

    test("HTML is text", () => {
        expect(inlineOf('<img src=x onerror="1"><b>')).toEqual(['<img src=x onerror="1"><b>']);
    });
});

test("the words alone", () => {
    expect(plainOf("# Done\n\nFixed **it** in `a.c`:\n\n- one\n- [two](https://x.test)")).toBe("Done Fixed it in a.c: • one • two");
});

describe("whatever is written is read in time", () => {
    const nasty: [string, string][] = [
        ["stars", "*a ".repeat(20_000)],
        ["marks", "**".repeat(30_000)],
        ["underscores", "_".repeat(60_000)],
        ["ticks", Array.from({ length: 350 }, (_, i) => "`".repeat(i + 1)).join(" ")],
        ["brackets", "[".repeat(60_000)],
        ["links", "[a](".repeat(15_000)],
        ["quotes", ">".repeat(60_000)],
        ["lists", "- ".repeat(30_000)],
        ["indents", Array.from({ length: 300 }, (_, i) => `${" ".repeat(2 * i)}- x`).join("\n")],
        ["items", "- x\n".repeat(15_000)],
        ["pipes", `${"|".repeat(30_000)}\n${"|-".repeat(15_000)}`],
        ["rules", `${"- ".repeat(30_000)}x`],
        ["a table's rule that is none", `a|b\n${"-".repeat(200_000)}x`],
        ["fences", "```\n".repeat(15_000)],
        ["lines", "a\n\n".repeat(20_000)],
    ];
    test.each(nasty)("%s", (_, text) => {
        expect(() => markdownOf(text)).not.toThrow();
    });
});
