import { h } from "preact";
import { expect, test } from "vitest";
import { cleanNode } from "../../src/ui/only_shown";

test("texts and what people read beside them are cleaned; what they type is not", () => {
    const text = { type: null, props: "user\u202etxt.exe" };
    cleanNode(text);
    expect(text.props).toBe("user\ufffdtxt.exe");
    const node = h("input", { title: "a\u202eb", "aria-label": "c\u200bd", value: "e\u202ef" });
    cleanNode(node);
    expect(node.props).toMatchObject({ title: "a\ufffdb", "aria-label": "c\ufffdd", value: "e\u202ef" });
});
