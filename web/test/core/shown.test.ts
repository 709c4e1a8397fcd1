import { expect, test } from "vitest";
import { shown } from "../../src/core/shown";

test("what people write is shown", () => {
    for (const text of ["plain\n\ttext", "café русский 中文 العربية עברית", "👩‍👧 ❤️‍🔥 1️⃣ 🇩🇪 👍🏽", "\u0645\u06cc\u200c\u062e", "e\u0301", "a\u00a0b", "\ue0b0"])
        expect(shown(text)).toBe(text);
});

test("what steers, misleads or hides is not", () => {
    for (const code of [0x202e, 0x2066, 0x200b, 0x200e, 0xfeff, 0xad, 0x9b, 0x1b, 0x7f, 0x85, 0x2028, 0x3164, 0x2800, 0xe0041, 0x34f, 0xd800])
        expect(shown(`a${String.fromCodePoint(code)}b`)).toBe("a\ufffdb");
    expect(shown("a\u200db\ufe0f")).toBe("a\ufffdb\ufffd");
    expect(shown("❤\ufe0f\ufe0f")).toBe("❤\ufe0f\ufffd");
    expect(shown("👩\u200d\u200d👧")).toBe("👩\u200d\ufffd👧");
});
