#include "setup/own_file.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/jedit.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "setup/entry.h"

#include <errno.h>

/* Copilot CLI. Under these names its payloads look like Claude Code's; of notices there is only its own form. PreToolUse and
 * PermissionRequest are left alone: the first denies the tool when anything goes wrong, the second comes for every tool whether
 * somebody is asked or not. */
static const char *copilot_name(const char *event) {
    return strcmp(event, "Notification") == 0 ? "notification" : event;
}

static void write_copilot(const struct event_wish *wish, struct span command, struct buf *out) {
    AUTO(buf) struct buf text = BUF_INIT(out->cap);
    struct jwrite w = JWRITE_INIT(&text);
    jwrite_object(&w);
    jwrite_ki64(&w, "version", 1);
    jwrite_key(&w, "hooks");
    jwrite_object(&w);
    for (const struct event_kind *k = NULL; (k = setup_event_next(k, wish));) {
        jwrite_key(&w, copilot_name(k->name));
        jwrite_array(&w);
        jwrite_object(&w);
        jwrite_kcstr(&w, "type", "command");
        jwrite_kstr(&w, "bash", command);
        jwrite_ki64(&w, "timeoutSec", entry_timeout(CLI_COPILOT, k->name));
        jwrite_object_end(&w);
        jwrite_array_end(&w);
    }
    jwrite_object_end(&w);
    jwrite_object_end(&w);
    if (jedit_put(SPAN("{}\n"), NULL, 0, buf_span(&text), out, NULL) < 0) out->failed = true;
}

static struct span string_of(struct span object, struct span name, struct arena *arena) {
    struct jedit_step step = {.name = name};
    struct span raw, s;
    if (!jedit_find(object, &step, 1, &raw) || jscan_kind(raw) != JKIND_STRING) return SPAN_NONE;
    return jscan_string(raw, arena, &s) == 0 ? s : SPAN_NONE;
}

static int find_copilot(struct span text, struct setup_found *ret, struct err *err) {
    const struct jedit_step path[] = {JEDIT_NAME("hooks")};
    AUTO(arena) struct arena arena = ARENA_INIT(4 * text.n + 1024);
    struct jedit_child event = {0};
    struct span hooks = SPAN_NONE;
    int r = jedit_check(text, err);
    if (r < 0) return r;
    (void)jedit_find(text, path, 1, &hooks);
    while (jedit_next(hooks, &event)) {
        struct jedit_child handler = {0};
        while (jedit_next(event.value, &handler)) {
            struct span command = string_of(handler.value, SPAN("bash"), &arena), name;
            if (!entry_is_ours(command, NULL) || jscan_string(event.name, &arena, &name) < 0) continue;
            bool notice = span_eq(name, SPAN("notification"));
            (void)setup_found_add(ret, notice ? SPAN("Notification") : name, command);
        }
    }
    return 0;
}

/* opencode */

#define PLUGIN_HEAD \
    "// Written by ostler, which it tells what happens in opencode; `ostler hooks uninstall` removes it.\n"
#define PLUGIN_COMMAND "const COMMAND = "
#define PLUGIN_EVENTS "const EVENTS = "

/* One hook at a time, so that events arrive in their order; nobody waits for it, and nothing that goes wrong with it is ever
 * opencode's trouble. Sessions inside of a session are its tools' business. */
static const char plugin_body[] =
    "\n"
    "export const OstlerPlugin = async ({ directory }) => {\n"
    "    const inner = new Set();\n"
    "    let last = Promise.resolve();\n"
    "\n"
    "    const run = (payload) =>\n"
    "        new Promise((done) => {\n"
    "            try {\n"
    "                const hook = spawn(\"/bin/sh\", [\"-c\", COMMAND], { stdio: [\"pipe\", \"ignore\", \"ignore\"] });\n"
    "                hook.on(\"error\", done);\n"
    "                hook.on(\"exit\", done);\n"
    "                hook.stdin.on(\"error\", () => {});\n"
    "                hook.stdin.end(JSON.stringify(payload));\n"
    "            } catch {\n"
    "                done();\n"
    "            }\n"
    "        });\n"
    "\n"
    "    const tell = (name, session, fields) => {\n"
    "        if (!session || inner.has(session) || !EVENTS.includes(name)) return;\n"
    "        const payload = { session_id: session, hook_event_name: name, cwd: directory, ...fields };\n"
    "        last = last.then(() => run(payload));\n"
    "    };\n"
    "\n"
    "    const on = {\n"
    "        \"session.created\": ({ info }) => {\n"
    "            if (info?.parentID) inner.add(info.id);\n"
    "            else tell(\"SessionStart\", info?.id, { source: \"startup\", cwd: info?.directory ?? directory });\n"
    "        },\n"
    "        \"session.idle\": (p) => tell(\"Stop\", p.sessionID),\n"
    "        \"session.error\": (p) =>\n"
    "            tell(\"StopFailure\", p.sessionID, {\n"
    "                error: p.error?.name ?? \"unknown\",\n"
    "                error_details: p.error?.data?.message,\n"
    "            }),\n"
    "        \"session.compacted\": (p) => tell(\"PostCompact\", p.sessionID),\n"
    "        \"session.deleted\": ({ info }) => tell(\"SessionEnd\", info?.id, { reason: \"deleted\" }),\n"
    "        \"permission.asked\": (p) => asked(p),\n"
    "        \"permission.updated\": (p) => asked(p),\n"
    "    };\n"
    "    const asked = (p) =>\n"
    "        tell(\"PermissionRequest\", p.sessionID, { tool_name: p.permission ?? p.type, tool_input: p.metadata });\n"
    "\n"
    "    return {\n"
    "        event: async ({ event }) => on[event.type]?.(event.properties ?? {}),\n"
    "        \"chat.message\": async (input, output) =>\n"
    "            tell(\"UserPromptSubmit\", input.sessionID, {\n"
    "                prompt: (output.parts ?? [])\n"
    "                    .filter((part) => part.type === \"text\" && !part.synthetic)\n"
    "                    .map((part) => part.text)\n"
    "                    .join(\"\\n\"),\n"
    "                model: input.model?.modelID,\n"
    "            }),\n"
    "        \"tool.execute.before\": async (input, output) =>\n"
    "            tell(\"PreToolUse\", input.sessionID, { tool_name: input.tool, tool_input: output.args }),\n"
    "        \"tool.execute.after\": async (input) => tell(\"PostToolUse\", input.sessionID, { tool_name: input.tool }),\n"
    "    };\n"
    "};\n";

static void write_opencode(const struct event_wish *wish, struct span command, struct buf *out) {
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

static int find_opencode(struct span text, struct setup_found *ret, struct err *err) {
    AUTO(arena) struct arena arena = ARENA_INIT(4 * text.n + 1024);
    struct span command, element, name, events = value_behind(text, SPAN(PLUGIN_EVENTS));
    if (!span_starts(text, SPAN(PLUGIN_HEAD)))
        return err_set(err, -EINVAL, "it is no plugin of ostler's; move it out of the way");
    if (jscan_string(value_behind(text, SPAN(PLUGIN_COMMAND)), &arena, &command) < 0) return 0;
    while (events.n && jscan_array_next(&events, &element) == 1)
        if (jscan_string(element, &arena, &name) == 0) (void)setup_found_add(ret, name, command);
    return 0;
}

void own_file_write(const struct event_wish *wish, struct span command, struct buf *out) {
    if (wish->cli == CLI_COPILOT)
        write_copilot(wish, command, out);
    else
        write_opencode(wish, command, out);
}

int own_file_find(enum cli cli, struct span text, struct setup_found *ret, struct err *err) {
    return cli == CLI_COPILOT ? find_copilot(text, ret, err) : find_opencode(text, ret, err);
}
