import { expect, test } from "vitest";
import { matchRoute, sessionPath } from "../../src/ui/routes";

test.each([
    ["/", { name: "board", params: {} }],
    ["/session/abc", { name: "session", params: { id: "abc" } }],
    ["/session/abc/", { name: "session", params: { id: "abc" } }],
    ["/session/", { name: "board", params: {} }],
    ["/health", { name: "health", params: {} }],
    ["/session/%E0%A4%A", { name: "board", params: {} }],
    ["/nowhere/at/all", { name: "board", params: {} }],
])("%s", (path, route) => expect(matchRoute(path)).toEqual(route));

test("any id finds its way through the address bar", () => {
    for (const id of ["a/b", "ä ?#", "100%"]) expect(matchRoute(sessionPath(id)).params.id).toBe(id);
});
