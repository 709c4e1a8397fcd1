import { expect, test } from "vitest";
import { pushOf, safePath, shownOf } from "../../src/worker/message";

const approval = { kind: "approval", title: "alpha", project: "app", text: "make", whole: true, can: ["allow", "deny"], token: "t", tag: "x", url: "/session/s1", at: 1 };

const actionsOf = (change: object) => {
    const push = pushOf({ ...approval, ...change });
    return push && !push.gone ? shownOf(push).actions.map((a) => a.action) : null;
};

test("Allow is offered only where all that would be allowed is on the notification, and where there is a ticket for it", () => {
    expect(actionsOf({})).toEqual(["allow", "deny"]);
    expect(actionsOf({ whole: false })).toEqual(["deny"]);
    expect(actionsOf({ whole: "yes" })).toEqual(["deny"]);
    expect(actionsOf({ token: undefined })).toEqual([]);
    expect(actionsOf({ can: [] })).toEqual([]);
    expect(actionsOf({ can: "allow" })).toEqual([]);
});

test("what is none of ours is not shown", () => {
    for (const wrong of [null, 7, "text", [], {}, { kind: "approval" }, { ...approval, kind: "toString" }, { ...approval, tag: "" }]) expect(pushOf(wrong)).toBeNull();
    expect(pushOf({ gone: true, tag: "x" })).toEqual({ gone: true, tag: "x" });
});

test("a push leads nowhere but into the board", () => {
    expect(safePath("/session/s1")).toBe("/session/s1");
    for (const wrong of ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "", null, "session"]) expect(safePath(wrong)).toBe("/");
});
