import { describe, expect, test } from "vitest";
import { markWords, quoted, refusalWords, transcriptFigures, transcriptWords } from "../../src/ui/words";
import { NOON, transcript } from "../session";

describe("a transcript in words", () => {
    test.each([
        ["healthy", "healthy · 294 messages deep"],
        ["repaired", "mended · 294 messages deep"],
        ["unrecoverable", "broken · 294 messages deep"],
        ["corrupted", "will be mended when the agent pauses"],
        ["missing", "No transcript on disk yet: a resume would start fresh."],
        ["quarantined", "quarantined · 294 messages deep"],
        ["constructor", "constructor · 294 messages deep"],
    ])("%s", (status, words) => {
        expect(transcriptWords(transcript({ status }))).toBe(words);
    });

    test("what is broken for a reason says the reason", () => {
        const message = "Its repair was undone: ostler repair fix mends it again.";
        expect(transcriptWords(transcript({ status: "corrupted", message }))).toBe(message);
    });

    test("nothing is said of what is not known", () => {
        expect(transcriptWords(null)).toBe("not checked yet");
        expect(transcriptFigures(null)).toBe("");
        const unread = transcript({ status: "unreadable", chainDepth: 0, messageCount: 0 });
        expect([transcriptWords(unread), transcriptFigures(unread)]).toEqual(["cannot be read", ""]);
        expect(transcriptWords(transcript({ chainDepth: 0 }))).toBe("healthy");
    });

    test("figures", () => {
        expect(transcriptFigures(transcript())).toBe("310 messages in the file");
        expect(transcriptFigures(transcript({ linksFixed: 1 }))).toBe("310 messages in the file · repaired: 1 link");
        expect(transcriptFigures(transcript({ messageCount: 0, linksFixed: 1234 }))).toBe("repaired: 1,234 links");
        expect(transcriptWords(transcript({ chainDepth: 1 }))).toBe("healthy · 1 message deep");
    });
});

test("the words of the mark", () => {
    expect(markWords(transcript(), NOON)).toBeNull();
    const mended = markWords(transcript({ status: "repaired", linksFixed: 3 }), NOON);
    expect(mended).toMatchObject({ mark: "mended", text: "history mended" });
    expect(mended!.title).toContain("3 broken links");
    const why = "/t.jsonl is not yours to write: chown it";
    expect(markWords(transcript({ status: "unrecoverable", message: why }), NOON)).toEqual({
        mark: "broken",
        text: "history broken",
        title: `History broken: ${why}`,
    });
    expect(markWords(transcript({ status: "unreadable" }), NOON)!.title).toContain("cannot be read");
});

test("a path as a shell takes it", () => {
    expect(quoted("/home/dev/.claude/projects/-home-dev/a1.jsonl")).toBe("/home/dev/.claude/projects/-home-dev/a1.jsonl");
    expect(quoted("/home/dev/it's here/$x")).toBe("'/home/dev/it'\\''s here/$x'");
});

test("why one is not let in", () => {
    expect(refusalWords(null, false)).toBe("");
    expect(refusalWords({ kind: "wrong" }, false)).toBe("That is not the password.");
    expect(refusalWords({ kind: "wait", seconds: 2, until: 5 }, true)).toContain("wait");
    expect(refusalWords({ kind: "wait", seconds: 2, until: 5 }, false)).toBe("You may try again now.");
    expect(refusalWords({ kind: "offline" }, false)).toContain("does not answer");
    expect(refusalWords({ kind: "other", words: "the daemon is tired" }, false)).toBe("the daemon is tired");
});
