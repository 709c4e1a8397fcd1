import { expect, test } from "vitest";
import { NOTIFY_DEFAULT, News, clockOf, isQuiet, minutesOf, wishesOf } from "../../src/core/notify";
import { codeOf, pairingOf } from "../../src/core/pairing";
import type { Summary } from "../../src/core/messages";

const wants = { ...NOTIFY_DEFAULT, on: true };
const session = (id: string, kind: string | null, since = 1, muted: boolean | null = null) =>
    ({ id, muted, attention: kind === null ? null : { kind, since, requestId: null } }) as unknown as Summary;

test("what was so when the page came is no news; each reason is told once", () => {
    const news = new News();
    expect(news.look([session("a", "approval")], wants)).toEqual([]);
    expect(news.look([session("a", "approval")], wants)).toEqual([]);
    expect(news.look([session("a", "approval", 2), session("b", "error")], wants).map((s) => s.id)).toEqual(["a", "b"]);
    expect(news.look([session("a", "approval", 2), session("b", null)], wants)).toEqual([]);
    expect(news.look([session("b", "finished")], wants)).toEqual([]); // not among the kinds
    expect(news.look([session("b", "error", 9, true)], wants)).toEqual([]); // muted
});

test("quiet hours may go over midnight", () => {
    const night = { ...wants, quietFrom: 22 * 60, quietTo: 7 * 60 };
    expect([21 * 60 + 59, 22 * 60, 0, 7 * 60 - 1, 7 * 60].map((m) => isQuiet(night, m))).toEqual([false, true, true, true, false]);
    expect(isQuiet({ ...wants, quietFrom: 0, quietTo: 0 }, 0)).toBe(false);
    expect([minutesOf("22:30"), minutesOf("24:00"), minutesOf(""), clockOf(61)]).toEqual([1350, null, null, "01:01"]);
});

test("what was kept and makes no sense is as if it had not been", () => {
    for (const text of [null, "", "nonsense", "[]", "7", '{"on":"yes","kinds":7,"quietFrom":-1,"quietTo":"x"}']) expect(wishesOf(text)).toEqual(NOTIFY_DEFAULT);
    expect(wishesOf('{"on":true,"kinds":["finished","nonsense"]}').kinds).toEqual(["finished"]);
});

test("the code of a pairing is what it looks like, or none; a picture that is no square is none", () => {
    expect(codeOf(`#pair=${"a".repeat(22)}`)).toBe("a".repeat(22));
    for (const hash of ["", "#pair=", "#pair=xyz", `#pair=${"a".repeat(23)}`]) expect(codeOf(hash)).toBeNull();
    expect(pairingOf({ url: "u", expiresIn: 300, qr: ["01", "10"] }, "p").rows).toEqual(["01", "10"]);
    expect(pairingOf({ url: "u", expiresIn: 300, qr: ["01", "1"] }, "p").rows).toEqual([]);
});
