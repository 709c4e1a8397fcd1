import { expect, test } from "vitest";
import { hookSetupOf } from "../../src/core/hook_setup";

const cli = { present: true, installed: false, events: [], file: "/h/.claude/settings.json", blocked: [], error: null };

test("what the daemon says of the CLIs' hooks", () => {
    const setup = hookSetupOf({ ok: true, clis: { claude: cli, codex: { ...cli, installed: true, events: ["Stop"], blocked: ["No hooks here."], error: "It cannot be read." } } }, "answer");
    expect([...setup.keys()]).toEqual(["claude", "codex"]);
    expect(setup.get("claude")).toEqual({ present: true, installed: false, install: null, events: [], file: cli.file, problems: [] });
    expect(setup.get("codex")?.problems).toEqual(["It cannot be read.", "No hooks here."]);
});

test("how to install what is not there", () => {
    const install = "npm install -g it";
    const of = (fields: object) => hookSetupOf({ clis: { claude: { ...cli, ...fields } } }, "answer").get("claude")!.install;
    expect(of({ program: null, install })).toBe(install);
    expect(of({ program: "/usr/bin/claude", install })).toBeNull();
    expect(of({ install })).toBeNull(); // nobody has looked
});

test("anything else is refused", () => {
    for (const wrong of [null, {}, { clis: [] }, { clis: { claude: { ...cli, present: 1 } } }, { clis: { claude: { ...cli, blocked: [1] } } }])
        expect(() => hookSetupOf(wrong, "answer"), JSON.stringify(wrong)).toThrow();
});
