/* What an agent wrote in Markdown, as elements; nothing of it is ever taken for HTML. */

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { markdownOf, type Block, type Item } from "../core/markdown";
import type { Inline } from "../core/markdown_inline";

export function Markdown({ text }: { text: string }) {
    const blocks = useMemo(() => markdownOf(text), [text]);
    return <div class="markdown">{blocks.map(drawBlock)}</div>;
}

function drawBlock(block: Block): ComponentChildren {
    switch (block.type) {
        case "heading":
            return (
                <p class="md-heading" role="heading" aria-level={Math.min(6, block.level + 2)} data-level={block.level}>
                    {block.inline.map(drawInline)}
                </p>
            );
        case "paragraph":
            return <p>{block.inline.map(drawInline)}</p>;
        case "code":
            return (
                <pre>
                    <code>{block.text}</code>
                </pre>
            );
        case "list":
            return block.start === null ? <ul>{block.items.map(drawItem)}</ul> : <ol start={block.start}>{block.items.map(drawItem)}</ol>;
        case "quote":
            return <blockquote>{block.blocks.map(drawBlock)}</blockquote>;
        case "rule":
            return <hr />;
        case "table":
            return <Table head={block.head} rows={block.rows} />;
    }
}

function drawItem({ done, blocks }: Item): ComponentChildren {
    // An item of one line is that line.
    const only = blocks.length === 1 && blocks[0]!.type === "paragraph" ? blocks[0]!.inline.map(drawInline) : blocks.map(drawBlock);
    if (done === null) return <li>{only}</li>;
    return (
        <li class="md-task" data-done={done}>
            <input type="checkbox" checked={done} disabled aria-label={done ? "Done" : "To do"} />
            <div>{only}</div>
        </li>
    );
}

function Table({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
    return (
        <div class="md-table" tabIndex={0}>
            <table>
                <thead>
                    <tr>
                        {head.map((cell) => (
                            <th>{cell.map(drawInline)}</th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {rows.map((row) => (
                        <tr>
                            {row.map((cell) => (
                                <td>{cell.map(drawInline)}</td>
                            ))}
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}

function drawInline(it: Inline): ComponentChildren {
    if (typeof it === "string") return it;
    switch (it.type) {
        case "code":
            return <code>{it.text}</code>;
        case "break":
            return <br />;
        case "strong":
            return <strong>{it.inline.map(drawInline)}</strong>;
        case "em":
            return <em>{it.inline.map(drawInline)}</em>;
        case "strike":
            return <s>{it.inline.map(drawInline)}</s>;
        case "link":
            return (
                <a href={it.href} target="_blank" rel="noopener noreferrer" title={it.href}>
                    {it.inline.map(drawInline)}
                </a>
            );
    }
}
