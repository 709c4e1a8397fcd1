/* The logs of an open session: one story, or each list for itself. Newest first, as the board is read. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { timeline, type Step } from "../core/logs";
import type { EventEntry, Logs, TextEntry, ToolEntry } from "../core/messages";
import { dayTime } from "../core/time";
import { BrokenIcon, FailedIcon, MendedIcon } from "./icons";
import { useServices } from "./services";

type Tab = "timeline" | keyof Logs;

const TABS: { tab: Tab; label: string; none: string }[] = [
    { tab: "timeline", label: "Timeline", none: "Nothing happened yet." },
    { tab: "prompts", label: "Prompts", none: "No prompt yet." },
    { tab: "tools", label: "Tools", none: "No tool was called yet." },
    { tab: "responses", label: "Responses", none: "No response yet." },
    { tab: "events", label: "Events", none: "No event yet." },
];

export function SessionLogs({ logs }: { logs: Logs | null }) {
    const chosen = useSignal<Tab>("timeline");
    const move = (e: KeyboardEvent) => {
        const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
        if (step === 0) return;
        e.preventDefault();
        e.stopPropagation();
        const at = TABS.findIndex(({ tab }) => tab === chosen.value);
        const next = TABS[(at + step + TABS.length) % TABS.length]!.tab;
        chosen.value = next;
        document.getElementById(`tab-${next}`)?.focus();
    };
    const { tab, label, none } = TABS.find((t) => t.tab === chosen.value)!;
    const entries = logs && entriesOf(tab, logs);
    return (
        <>
            <div class="tabs" role="tablist" aria-label="Logs" onKeyDown={move}>
                {TABS.map((t) => (
                    <button
                        key={t.tab}
                        id={`tab-${t.tab}`}
                        type="button"
                        role="tab"
                        aria-selected={t.tab === tab}
                        aria-controls="logs"
                        tabIndex={t.tab === tab ? 0 : -1}
                        onClick={() => {
                            chosen.value = t.tab;
                        }}
                    >
                        {t.label}
                        {logs && t.tab !== "timeline" && <span class="tab-count">{logs[t.tab].length}</span>}
                    </button>
                ))}
            </div>
            <div id="logs" class="logs" role="tabpanel" aria-label={label} tabIndex={0}>
                {entries === null ? (
                    <p class="logs-none">Loading…</p>
                ) : entries.length === 0 ? (
                    <p class="logs-none">{none}</p>
                ) : (
                    <ol>{entries}</ol>
                )}
            </div>
        </>
    );
}

function entriesOf(tab: Tab, logs: Logs): ComponentChildren[] {
    switch (tab) {
        case "timeline":
            return timeline(logs).map(stepRow);
        case "prompts":
            return logs.prompts.map((e) => <TextRow key={e.pos} kind="prompt" e={e} />).reverse();
        case "responses":
            return logs.responses.map((e) => <TextRow key={e.pos} kind="response" e={e} />).reverse();
        case "tools":
            return logs.tools.map((e) => <ToolRow key={e.pos} e={e} />).reverse();
        case "events":
            return logs.events.map((e) => <EventRow key={e.pos} e={e} />).reverse();
    }
}

function stepRow(step: Step): ComponentChildren {
    const key = `${step.kind}${step.pos}`;
    return step.kind === "tool" ? <ToolRow key={key} e={step} /> : <TextRow key={key} kind={step.kind} e={step} />;
}

function Time({ at }: { at: number }) {
    const { now } = useServices();
    return <time dateTime={new Date(at).toISOString()}>{dayTime(at, now.peek())}</time>;
}

function TextRow({ kind, e }: { kind: "prompt" | "response"; e: TextEntry }) {
    return (
        <li class={`log ${kind}`}>
            <span class="log-head">
                {kind === "prompt" ? "You" : "Agent"} <Time at={e.timestamp} />
            </span>
            <p>{e.text}</p>
        </li>
    );
}

function ToolRow({ e }: { e: ToolEntry }) {
    return (
        <li class={e.failed ? "log tool failed" : "log tool"}>
            <b>
                {e.failed && <FailedIcon />}
                {e.tool}
            </b>
            <code title={e.input}>{e.input}</code>
            <Time at={e.timestamp} />
            {e.failed && <p>{e.error || "Failed"}</p>}
        </li>
    );
}

/** What the daemon itself did; other events are called as the agent's hooks call them. */
const OWN_EVENTS = new Map([
    ["TranscriptRepaired", { words: "History mended", tone: "mended", icon: MendedIcon }],
    ["TranscriptBroken", { words: "History broken", tone: "failed", icon: BrokenIcon }],
]);

function EventRow({ e }: { e: EventEntry }) {
    const own = OWN_EVENTS.get(e.type);
    return (
        <li class={`log event ${own?.tone ?? ""}`}>
            <b>
                {own && <own.icon />}
                {own?.words ?? e.type}
            </b>
            <span>{e.detail}</span>
            <Time at={e.timestamp} />
        </li>
    );
}
