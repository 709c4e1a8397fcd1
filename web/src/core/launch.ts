/* What the new-terminal dialog offers and asks the daemon for. */

import { CLIS, type Summary } from "./messages";

export const PROGRAMS = [...CLIS, "shell", "other"] as const;
export type Program = (typeof PROGRAMS)[number];

/** Agents as their makers call them. */
const AGENT_NAMES = new Map([
    ["claude", "Claude Code"],
    ["gemini", "Gemini CLI"],
    ["codex", "Codex CLI"],
    ["copilot", "Copilot CLI"],
    ["opencode", "opencode"],
]);

export function agentName(cli: string): string {
    return AGENT_NAMES.get(cli) ?? cli;
}

export const PROGRAM_NAMES: Record<Program, string> = {
    claude: agentName("claude"),
    gemini: agentName("gemini"),
    codex: agentName("codex"),
    copilot: agentName("copilot"),
    opencode: agentName("opencode"),
    shell: "Shell",
    other: "Other command",
};

export interface LaunchForm {
    program: Program;
    /** Of `other`. */
    command: string;
    directory: string;
    name: string;
}

/** Why it cannot be started, or null. The daemon looks closer. */
export function launchProblem({ program, command, directory }: LaunchForm): string | null {
    if (program === "other" && command.trim() === "") return "Say which command to run.";
    const dir = directory.trim();
    if (dir !== "" && !/^[/~]/.test(dir)) return "The directory has to be a whole path: /home/… or ~/…";
    return null;
}

export interface LaunchRequest {
    command: string;
    workingDir: string;
    sessionTitle?: string;
}

export function launchRequest({ program, command, directory, name }: LaunchForm): LaunchRequest {
    const title = name.trim();
    return {
        command: program === "shell" ? "" : program === "other" ? command.trim() : program,
        workingDir: directory.trim() || "~",
        ...(title && { sessionTitle: title }),
    };
}

/** More directories than that nobody reads through. */
const RECENT_MAX = 20;

/** Where sessions are or were, the latest first. */
export function recentDirectories(sessions: Iterable<Summary>): string[] {
    const newest = [...sessions].sort((a, b) => b.lastActivityAt - a.lastActivityAt);
    return [...new Set(newest.map((s) => s.projectPath).filter((path) => path.startsWith("/")))].slice(0, RECENT_MAX);
}
