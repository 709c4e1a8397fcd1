#include "setup/opencode_plugin.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"

#include <errno.h>

#define PLUGIN_HEAD \
    "// Written by ostler, which it tells what happens in opencode; `ostler hooks uninstall` removes it.\n"
#define PLUGIN_COMMAND "const COMMAND = "
#define PLUGIN_EVENTS "const EVENTS = "

/* One hook at a time, so that events arrive in their order; nobody waits for it, and nothing that goes wrong with it is ever
 * opencode's trouble. */
static const char plugin_body[] =
    "\n"
    "export const OstlerPlugin = async ({ directory }) => {\n"
    "    const outer = new Map(); // of a session inside of another one: the outermost\n"
    "    const over = new Set(); // sessions whose turn has ended: opencode may say so several times\n"
    "    const speaks = new Map(); // of a session: the assistant's newest message, and the text of it\n"
    "    const retrying = new Set(); // sessions of which was told that their model does not answer\n"
    "    let last = Promise.resolve();\n"
    "\n"
    "    const run = (payload) =>\n"
    "        new Promise((done) => {\n"
    "            try {\n"
    "                const hook = spawn(\"/bin/sh\", [\"-c\", COMMAND], { stdio: [\"pipe\", \"ignore\", \"ignore\"] });\n"
    "                const limit = setTimeout(() => hook.kill(\"SIGKILL\"), 5000);\n"
    "                const end = () => {\n"
    "                    clearTimeout(limit);\n"
    "                    done();\n"
    "                };\n"
    "                hook.on(\"error\", end);\n"
    "                hook.on(\"exit\", end);\n"
    "                hook.stdin.on(\"error\", () => {});\n"
    "                hook.stdin.end(JSON.stringify(payload));\n"
    "            } catch {\n"
    "                done();\n"
    "            }\n"
    "        });\n"
    "\n"
    "    const tell = (name, session, fields) => {\n"
    "        if (!session || !EVENTS.includes(name)) return;\n"
    "        const payload = { session_id: session, hook_event_name: name, cwd: directory, ...fields };\n"
    "        last = last.then(() => run(payload));\n"
    "    };\n"
    "\n"
    "    // What a session inside of another one does is its tool's business; that it asks is the person's.\n"
    "    const own = (name, session, fields) => {\n"
    "        if (!outer.has(session)) tell(name, session, fields);\n"
    "    };\n"
    "    const asks = (name, session, fields) => {\n"
    "        const agent = outer.has(session) ? { agent_id: session } : {};\n"
    "        tell(name, outer.get(session) ?? session, { ...fields, ...agent });\n"
    "    };\n"
    "    const ends = (name, session, fields) => {\n"
    "        if (over.has(session)) return;\n"
    "        over.add(session);\n"
    "        retrying.delete(session);\n"
    "        own(EVENTS.includes(name) ? name : \"Stop\", session, fields);\n"
    "    };\n"
    "    const replied = (p, reply) => asks(\"PermissionReplied\", p.sessionID, { request_id: p.requestID ?? p.permissionID, reply });\n"
    "    // What is asked for; of some tools only the pattern of the rule says it.\n"
    "    const about = ({ metadata, patterns }) => {\n"
    "        const said = Object.keys(metadata ?? {}).length > 0 || !patterns?.some((one) => one !== \"*\");\n"
    "        return said ? metadata : { patterns };\n"
    "    };\n"
    "    const asked = (p) =>\n"
    "        asks(\"PermissionRequest\", p.sessionID, {\n"
    "            tool_name: p.permission ?? p.type,\n"
    "            tool_input: about(p),\n"
    "            request_id: p.id,\n"
    "            tool_use_id: p.tool?.callID,\n"
    "        });\n"
    "\n"
    "    const on = {\n"
    "        \"session.created\": ({ info }) => {\n"
    "            if (info?.parentID) outer.set(info.id, outer.get(info.parentID) ?? info.parentID);\n"
    "            else tell(\"SessionStart\", info?.id, { source: \"startup\", cwd: info?.directory ?? directory });\n"
    "        },\n"
    "        \"message.updated\": ({ info }) => {\n"
    "            if (info?.role === \"assistant\" && speaks.get(info.sessionID)?.id !== info.id) speaks.set(info.sessionID, { id: info.id });\n"
    "        },\n"
    "        \"message.part.updated\": ({ part }) => {\n"
    "            const message = speaks.get(part?.sessionID);\n"
    "            if (message && part.type === \"text\" && part.messageID === message.id) message.text = part.text;\n"
    "            const speaks_again = part?.text || part?.type === \"tool\";\n"
    "            if (speaks_again && retrying.delete(part.sessionID))\n"
    "                asks(\"Notification\", part.sessionID, { notification_type: \"retry_over\", message: \"The model answers again\" });\n"
    "        },\n"
    "        \"session.idle\": (p) => ends(\"Stop\", p.sessionID, { last_assistant_message: speaks.get(p.sessionID)?.text }),\n"
    "        \"session.error\": (p) => {\n"
    "            if (p.error?.name === \"MessageAbortedError\") return ends(\"Interrupt\", p.sessionID);\n"
    "            ends(\"StopFailure\", p.sessionID, {\n"
    "                error: p.error?.name ?? \"unknown\",\n"
    "                error_details: p.error?.data?.message,\n"
    "            });\n"
    "        },\n"
    "        // It tries again for as long as it takes. A short trouble is nobody's business; one that lasts is told once.\n"
    "        \"session.status\": (p) => {\n"
    "            if (p.status?.type !== \"retry\" || retrying.has(p.sessionID)) return;\n"
    "            if (p.status.attempt < 3 && p.status.next - Date.now() < 15000) return;\n"
    "            retrying.add(p.sessionID);\n"
    "            const message = `It tries again by itself: ${p.status.message}`;\n"
    "            asks(\"Notification\", p.sessionID, { notification_type: \"retry\", message });\n"
    "        },\n"
    "        \"session.compacted\": (p) => own(\"PostCompact\", p.sessionID),\n"
    "        \"session.deleted\": ({ info }) => own(\"SessionEnd\", info?.id, { reason: \"deleted\" }),\n"
    "        \"permission.asked\": asked,\n"
    "        \"permission.updated\": asked,\n"
    "        \"permission.replied\": (p) => replied(p, p.reply ?? p.response),\n"
    "        \"question.asked\": (p) =>\n"
    "            asks(\"PermissionRequest\", p.sessionID, {\n"
    "                tool_name: \"question\",\n"
    "                tool_input: { questions: p.questions },\n"
    "                request_id: p.id,\n"
    "                tool_use_id: p.tool?.callID,\n"
    "            }),\n"
    "        \"question.replied\": (p) => replied(p, \"answered\"),\n"
    "        \"question.rejected\": (p) => replied(p, \"reject\"),\n"
    "    };\n"
    "\n"
    "    const prompted = (input, output) => {\n"
    "        over.delete(input.sessionID);\n"
    "        speaks.delete(input.sessionID);\n"
    "        own(\"UserPromptSubmit\", input.sessionID, {\n"
    "            prompt: (output.parts ?? [])\n"
    "                .filter((part) => part.type === \"text\" && !part.synthetic)\n"
    "                .map((part) => part.text)\n"
    "                .join(\"\\n\"),\n"
    "            model: input.model?.modelID ?? output.message?.model?.modelID,\n"
    "        });\n"
    "    };\n"
    "    const begun = (input, output) => {\n"
    "        over.delete(input.sessionID);\n"
    "        own(\"PreToolUse\", input.sessionID, {\n"
    "            tool_name: input.tool,\n"
    "            tool_input: output.args,\n"
    "            tool_use_id: input.callID,\n"
    "        });\n"
    "    };\n"
    "    const done = (input, output) => {\n"
    "        if (over.has(input.sessionID)) return; // it was interrupted\n"
    "        const exit = output?.metadata?.exit;\n"
    "        const fields = { tool_name: input.tool, tool_use_id: input.callID };\n"
    "        if (!exit) own(\"PostToolUse\", input.sessionID, fields);\n"
    "        else own(\"PostToolUseFailure\", input.sessionID, { ...fields, error: `Exit code ${exit}` });\n"
    "    };\n"
    "\n"
    "    const quietly = (work) => async (...given) => {\n"
    "        try {\n"
    "            work(...given);\n"
    "        } catch {\n"
    "            // never opencode's trouble\n"
    "        }\n"
    "    };\n"
    "    return {\n"
    "        event: quietly(({ event }) => on[event.type]?.(event.properties ?? {})),\n"
    "        \"chat.message\": quietly(prompted),\n"
    "        \"tool.execute.before\": quietly(begun),\n"
    "        \"tool.execute.after\": quietly(done),\n"
    "    };\n"
    "};\n";

void opencode_plugin_write(const struct event_wish *wish, struct span command, struct buf *out) {
    struct jwrite w = JWRITE_INIT(out);
    (void)buf_append_span(
        out, SPAN(PLUGIN_HEAD "import { spawn } from \"node:child_process\";\n\n" PLUGIN_COMMAND));
    jwrite_str(&w, command);
    (void)buf_append_span(out, SPAN(";\n" PLUGIN_EVENTS));
    w = JWRITE_INIT(out);
    jwrite_array(&w);
    for (const struct event_kind *k = NULL; (k = setup_event_next(k, wish));)
        jwrite_cstr(&w, k->name);
    jwrite_array_end(&w);
    (void)buf_append_span(out, SPAN(";\n"));
    (void)buf_append(out, plugin_body, sizeof plugin_body - 1);
}

/* The JSON behind the words that a line begins with. */
static struct span value_behind(struct span text, struct span words) {
    while (text.n) {
        struct span line = span_split(&text, '\n');
        if (!span_starts(line, words)) continue;
        line = span_trim(span_skip(line, words.n));
        return span_ends(line, SPAN(";")) ? span_take(line, line.n - 1) : line;
    }
    return SPAN_NONE;
}

int opencode_plugin_find(struct span text, struct setup_found *ret, struct err *err) {
    AUTO(arena) struct arena arena = ARENA_INIT(4 * text.n + 1024);
    struct span command, element, name, events = value_behind(text, SPAN(PLUGIN_EVENTS));
    if (!span_starts(text, SPAN(PLUGIN_HEAD)))
        return err_set(err, -EINVAL, "it is no plugin of ostler's; move it out of the way");
    if (jscan_string(value_behind(text, SPAN(PLUGIN_COMMAND)), &arena, &command) < 0) return 0;
    while (events.n && jscan_array_next(&events, &element) == 1)
        if (jscan_string(element, &arena, &name) == 0) (void)setup_found_add(ret, name, command);
    return 0;
}
