#include "setup/policy.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/jedit.h"
#include "base/jscan.h"
#include "base/str.h"
#include "setup/entry.h"
#include "setup/file.h"
#include "setup/settings.h"
#include "setup/toml.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(char ***ret, const char *file, const char *what) {
    AUTO(free) char *sentence = str_format("%s %s", file, what);
    strv_push(ret, span_str(sentence));
}

/* A switch in a JSON file, one or two steps deep, that has this value. */
static bool has_switch(const char *file, const char *outer, const char *inner, const char *value) {
    AUTO(setup_file) struct setup_file f = {0};
    struct jedit_step path[2] = {{.name = span_str(outer)}, {.name = span_str(inner)}};
    struct span found;
    if (setup_file_read(file, SETTINGS_BYTES_MAX, &f, NULL) < 0 || jedit_check(buf_span(&f.text), NULL) < 0)
        return false;
    return jedit_find(buf_span(&f.text), path, inner ? 2 : 1, &found) && span_eq_str(found, value);
}

static void look_claude(const struct setup_place *p, char ***ret) {
    char managed[PATH_BYTES];
    if (has_switch(p->file[CLI_CLAUDE], "disableAllHooks", NULL, "true"))
        tell(ret, p->file[CLI_CLAUDE], "switches all hooks off (disableAllHooks)");
    if (path_join(managed, p->etc, "claude-code/managed-settings.json") < 0) return;
    if (has_switch(managed, "disableAllHooks", NULL, "true"))
        tell(ret, managed, "switches all hooks off (disableAllHooks)");
    if (has_switch(managed, "allowManagedHooksOnly", NULL, "true"))
        tell(ret, managed, "allows only hooks of whoever manages this machine (allowManagedHooksOnly)");
}

/* Is our name, or a command of ours, on the list of what is not run? */
static bool is_listed(const char *file, const char *outer) {
    AUTO(setup_file) struct setup_file f = {0};
    struct jedit_step path[2] = {{.name = span_str(outer)}, JEDIT_NAME("disabled")};
    struct span list, name;
    struct jedit_child child = {0};
    if (setup_file_read(file, SETTINGS_BYTES_MAX, &f, NULL) < 0 || jedit_check(buf_span(&f.text), NULL) < 0)
        return false;
    AUTO(arena) struct arena arena = ARENA_INIT(4 * f.text.n + 1024);
    if (!jedit_find(buf_span(&f.text), path, 2, &list)) return false;
    while (jedit_next(list, &child))
        if (jscan_string(child.value, &arena, &name) == 0 &&
            (span_eq(name, SPAN("ostler")) || entry_is_ours(name, NULL)))
            return true;
    return false;
}

static void look_gemini(const struct setup_place *p, char ***ret) {
    char system[PATH_BYTES];
    const char *files[] = {p->file[CLI_GEMINI], system};
    if (path_join(system, p->etc, "gemini-cli/settings.json") < 0) return;
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        if (has_switch(files[i], "hooksConfig", "enabled", "false") ||
            has_switch(files[i], "hooks", "enabled", "false"))
            tell(ret, files[i], "switches hooks off (hooksConfig.enabled)");
        if (is_listed(files[i], "hooksConfig") || is_listed(files[i], "hooks"))
            tell(ret, files[i], "has ostler among the hooks that are not run (hooksConfig.disabled)");
    }
}

/* A key of a TOML file, by its dotted name, that has this value. */
static bool has_key(const char *file, struct span wanted, const char *value) {
    AUTO(setup_file) struct setup_file f = {0};
    AUTO(buf) struct buf table = BUF_INIT(4096);
    AUTO(buf) struct buf name = BUF_INIT(4096);
    struct toml_item item;
    size_t at = 0;
    if (setup_file_read(file, SETTINGS_BYTES_MAX, &f, NULL) < 0) return false;
    while (toml_next(buf_span(&f.text), &at, &item, NULL) == 1) {
        struct buf *to = item.kind == TOML_KEY ? &name : &table;
        AUTO(arena) struct arena arena = ARENA_INIT(64 << 10);
        struct span left = item.name, part;
        if (item.kind == TOML_COMMENT) continue;
        buf_clear(to);
        if (item.kind == TOML_KEY) (void)buf_append_span(to, buf_span(&table));
        while (toml_name_next(&left, &arena, &part))
            (void)buf_printf(to, "%s%.*s", to->n ? "." : "", SPAN_ARG(part));
        if (item.kind == TOML_KEY && span_eq(buf_span(&name), wanted) && span_eq_str(item.value, value))
            return true;
    }
    return false;
}

static void look_codex(const struct setup_place *p, char ***ret) {
    char requirements[PATH_BYTES];
    if (has_key(p->file[CLI_CODEX], SPAN("features.hooks"), "false"))
        tell(ret, p->file[CLI_CODEX], "switches hooks off (features.hooks)");
    if (path_join(requirements, p->etc, "codex/requirements.toml") < 0) return;
    if (has_key(requirements, SPAN("allow_managed_hooks_only"), "true"))
        tell(ret, requirements,
             "allows only hooks of whoever manages this machine (allow_managed_hooks_only)");
    if (has_key(requirements, SPAN("features.hooks"), "false"))
        tell(ret, requirements, "switches hooks off (features.hooks)");
}

static void look_copilot(const struct setup_place *p, char ***ret) {
    char copy[PATH_BYTES], settings[PATH_BYTES];
    (void)memcpy(copy, p->file[CLI_COPILOT], sizeof copy);
    if (has_switch(p->file[CLI_COPILOT], "disableAllHooks", NULL, "true"))
        tell(ret, p->file[CLI_COPILOT], "is switched off (disableAllHooks)");
    if (path_join(settings, dirname(dirname(copy)), "settings.json") == 0 &&
        has_switch(settings, "disableAllHooks", NULL, "true"))
        tell(ret, settings, "switches all hooks off (disableAllHooks)");
}

void setup_policy_blocks(const struct setup_place *p, enum cli cli, char ***ret) {
    switch (cli) {
    case CLI_CLAUDE: look_claude(p, ret); break;
    case CLI_GEMINI: look_gemini(p, ret); break;
    case CLI_CODEX: look_codex(p, ret); break;
    case CLI_COPILOT: look_copilot(p, ret); break;
    case CLI_OPENCODE: /* it has no such switch */
    case CLI_N_: break;
    }
}
