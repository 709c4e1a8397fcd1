#include "setup/own_file.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/jedit.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "setup/entry.h"
#include "setup/opencode_plugin.h"

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
        jwrite_ki64(&w, "timeoutSec", entry_timeout(CLI_COPILOT, k->name, SPAN_NONE));
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

void own_file_write(const struct event_wish *wish, struct span command, struct buf *out) {
    if (wish->cli == CLI_COPILOT)
        write_copilot(wish, command, out);
    else
        opencode_plugin_write(wish, command, out);
}

int own_file_find(enum cli cli, struct span text, struct setup_found *ret, struct err *err) {
    return cli == CLI_COPILOT ? find_copilot(text, ret, err) : opencode_plugin_find(text, ret, err);
}
