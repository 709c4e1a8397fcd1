/* A summary and a transcript to begin with; tests say only what matters to them. */

import type { Attention, AttentionKind } from "../src/core/attention";
import type { Summary } from "../src/core/messages";
import type { Transcript } from "../src/core/transcript";

export const NOON = 1_794_770_780_000;

export function session(id: string, fields: Partial<Summary> = {}): Summary {
    return {
        id,
        sessionId: `agent-${id}`,
        kind: "observed",
        cli: "claude",
        projectPath: "/home/dev/work/alpha",
        projectName: "alpha",
        title: "",
        status: "idle",
        statusSince: NOON,
        startedAt: NOON,
        lastActivityAt: NOON,
        promptCount: 0,
        toolCalls: 0,
        totalToolCalls: 0,
        subagentCount: 0,
        statusEvidence: null,
        endedAt: null,
        error: null,
        transcript: null,
        currentPrompt: "",
        tool: null,
        pendingTool: null,
        pendingToolDetail: null,
        waitingDetail: null,
        attention: null,
        lastWords: null,
        lastSubagentName: null,
        source: "vscode",
        model: "claude-opus-4-6",
        permissionMode: null,
        label: null,
        muted: null,
        summary: null,
        accentColor: null,
        characterModel: null,
        teamId: null,
        teamRole: null,
        teamName: null,
        agentName: null,
        agentType: null,
        agentColor: null,
        terminalId: null,
        lastTerminalId: null,
        workerType: null,
        ...fields,
    };
}

export function attention(kind: AttentionKind, fields: Partial<Attention> = {}): Attention {
    return {
        kind,
        since: NOON,
        text: "",
        detail: null,
        form: "text",
        certain: true,
        requestId: null,
        tool: null,
        agent: null,
        more: 0,
        cut: false,
        ...fields,
    };
}

export function transcript(fields: Partial<Transcript> = {}): Transcript {
    return { status: "healthy", chainDepth: 294, messageCount: 310, linksFixed: 0, checkedAt: NOON, message: null, ...fields };
}
