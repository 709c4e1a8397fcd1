import { expect, test } from "vitest";
import { pasted } from "../../src/core/pasted";

test("what is pasted stays text: lines and tabs as they are, controls as pictures", () => {
    expect(pasted("ls\t-l\r\nné 日本 😀\n")).toBe("ls\t-l\r\nné 日本 😀\n");
    expect(pasted("a\x1b[201~\rrm\r")).toBe("a␛[201~\rrm\r");
    expect(pasted("\x00\x03\x16\x7f")).toBe("␀␃␖␡");
    expect(pasted("\x9b201~\x90")).toBe("\ufffd201~\ufffd");
});
