/* A request to begin with, as the wire has it; tests say only what matters to them. */

import { requestOf, type Request } from "../src/core/request";
import { NOON } from "./session";

export function wireRequest(id: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
    return {
        id,
        sessionId: "agent-a",
        session: "a",
        title: "alpha #1 — Fix it",
        project: "alpha",
        cli: "claude",
        kind: "approval",
        tool: "Bash",
        agent: null,
        text: "Run npm test",
        detail: "npm test",
        form: "command",
        certain: true,
        input: { command: "npm test", description: "Run the tests" },
        questions: null,
        can: ["allow", "deny", "always", "message", "stop", "input", "rule"],
        why: null,
        via: "hook",
        rules: [{ rule: "Bash(npm test:*)", where: "localSettings" }],
        modes: [],
        digest: `d-${id}`,
        same: null,
        state: "open",
        answer: null,
        note: null,
        askedAt: NOON,
        endedAt: null,
        by: null,
        ...fields,
    };
}

export function request(id: string, fields: Record<string, unknown> = {}): Request {
    return requestOf(wireRequest(id, fields), "request");
}
