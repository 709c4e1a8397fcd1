import { expect, test } from "vitest";
import { launchProblem, launchRequest, recentDirectories, type LaunchForm } from "../../src/core/launch";
import { session } from "../session";

const form = (fields: Partial<LaunchForm> = {}): LaunchForm => ({ program: "claude", command: "", directory: "~/work", name: "", ...fields });

test("what is asked for", () => {
    expect(launchRequest(form())).toEqual({ command: "claude", workingDir: "~/work" });
    expect(launchRequest(form({ program: "shell", command: "left over" }))).toEqual({ command: "", workingDir: "~/work" });
    expect(launchRequest(form({ program: "other", command: " npm run dev ", directory: " ", name: " Dev " }))).toEqual({
        command: "npm run dev",
        workingDir: "~",
        sessionTitle: "Dev",
    });
});

test("what is said before the daemon is asked", () => {
    expect(launchProblem(form())).toBe(null);
    expect(launchProblem(form({ program: "other", command: "  " }))).toMatch(/command/);
    expect(launchProblem(form({ directory: "work/alpha" }))).toMatch(/whole path/);
});

test("directories, the latest first, each once", () => {
    const sessions = [
        session("a", { projectPath: "/p/alpha", lastActivityAt: 1 }),
        session("b", { projectPath: "/p/beta", lastActivityAt: 3 }),
        session("c", { projectPath: "/p/alpha", lastActivityAt: 2 }),
        session("d", { projectPath: "", lastActivityAt: 9 }),
    ];
    expect(recentDirectories(sessions)).toEqual(["/p/beta", "/p/alpha"]);
});
