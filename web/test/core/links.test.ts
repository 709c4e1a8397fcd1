import { expect, test } from "vitest";
import { linkFate } from "../../src/core/links";

test("web pages open, other programs are asked about, nothing runs here", () => {
    expect(linkFate("https://example.org/a?b#c")).toBe("open");
    expect(linkFate("HTTP://example.org")).toBe("open");
    expect(linkFate("mailto:someone@example.org")).toBe("ask");
    expect(linkFate("vscode://file/home/dev/a.ts")).toBe("ask");
    expect(linkFate("file:///home/dev/a.ts")).toBe("copy");
    for (const bad of ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "blob:x", " javascript:alert(1)", "java\nscript:x", "/etc/passwd", ""])
        expect(linkFate(bad), bad).toBe("refuse");
});
