#define LOG_TAG "agent"
#include "api/agent_hooks.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/path.h"
#include "base/str.h"
#include "setup/entry.h"
#include "setup/events.h"
#include "setup/version.h"

#include <errno.h>
#include <stdio.h>

enum { SETTINGS_BYTES_MAX = 256 << 10, LINE_BYTES_MAX = 64 << 10 };

static void put_command(struct buf *out, const char *hook, enum cli cli) {
    entry_command(out, &(struct entry_command){.hook = hook, .cli = cli, .hosted = true});
}

/* Claude Code */

void agent_hooks_claude(const char *hook, struct cli_version version, struct buf *out) {
    const struct event_wish wish = {CLI_CLAUDE, DENSITY_HIGH, version};
    AUTO(buf) struct buf command = BUF_INIT(ENTRY_COMMAND_MAX);
    AUTO(buf) struct buf group = BUF_INIT(LINE_BYTES_MAX);
    AUTO(buf) struct buf own = BUF_INIT(ENTRY_COMMAND_MAX);
    put_command(&command, hook, CLI_CLAUDE);
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_key(&w, "hooks");
    jwrite_object(&w);
    for (const struct event_kind *k = NULL; (k = setup_event_next(k, &wish));) {
        buf_clear(&own);
        buf_clear(&group);
        entry_event_command(&own, CLI_CLAUDE, k->name, buf_span(&command));
        entry_group(&group, CLI_CLAUDE, buf_span(&own));
        jwrite_key(&w, k->name);
        jwrite_array(&w);
        jwrite_raw(&w, buf_span(&group));
        jwrite_array_end(&w);
    }
    jwrite_object_end(&w);
    jwrite_object_end(&w);
}

static bool is_file(const char *path, struct span content) {
    AUTO(buf) struct buf found = BUF_INIT(SETTINGS_BYTES_MAX);
    return file_read(path, &found) == 0 && span_eq(buf_span(&found), content);
}

/* A file for each version: those that run notice when theirs changes. */
static int make_settings(const char *hook, struct cli_version version, const char *dir,
                         char ret[PATH_BYTES]) {
    AUTO(buf) struct buf text = BUF_INIT(SETTINGS_BYTES_MAX);
    char number[CLI_VERSION_BYTES], name[CLI_VERSION_BYTES + 16];
    cli_version_print(version, number);
    (void)snprintf(name, sizeof name, "claude%s%s.json", number[0] ? "-" : "", number);
    agent_hooks_claude(hook, version, &text);
    if (text.failed) return -ENAMETOOLONG;
    int r = path_make_dirs(dir);
    if (r == 0) r = path_join(ret, dir, name);
    if (r < 0 || is_file(ret, buf_span(&text))) return r;
    return file_replace(ret, buf_span(&text), 0600, false);
}

static bool has_word(char *const *words, const char *word) {
    size_t n = strlen(word);
    for (size_t i = 1; words[i]; i++)
        if (strncmp(words[i], word, n) == 0 && (words[i][n] == '\0' || words[i][n] == '=')) return true;
    return false;
}

/* Does it only look something up or change its installation? Then there is no conversation. */
static bool is_errand(char *const *words) {
    static const char *const errands[] = {"agents",      "auth",    "config",     "doctor",  "install",
                                          "logs",        "mcp",     "plugin",     "respawn", "rm",
                                          "stop",        "update",  "attach",     "login",   "logout",
                                          "setup-token", "upgrade", "app-server", "features"};
    for (size_t i = 0; words[1] && i < ARRAY_LEN(errands); i++)
        if (strcmp(words[1], errands[i]) == 0) return true;
    return false;
}

static void insert_words(char ***words, char *const *more) {
    char **all = NULL;
    strv_push(&all, span_str((*words)[0]));
    for (size_t i = 0; more[i]; i++)
        strv_push(&all, span_str(more[i]));
    for (size_t i = 1; (*words)[i]; i++)
        strv_push(&all, span_str((*words)[i]));
    strv_free(*words);
    *words = all;
}

/* Where it is not known which one is meant, the oldest that is here is the safe guess. */
static struct cli_version claude_version(const char *program, const struct setup_notes *notes) {
    struct setup_version found;
    if (program) return setup_version_of(CLI_CLAUDE, program, notes->versions);
    setup_version_look(CLI_CLAUDE, notes, &found);
    return found.version;
}

static bool add_claude(const char *hook, const char *dir, const struct setup_notes *notes,
                       const char *program, char ***words) {
    char path[PATH_BYTES];
    if (has_word(*words, "--settings") || has_word(*words, "--bare") || has_word(*words, "--safe-mode"))
        return false;
    int r = make_settings(hook, claude_version(program, notes), dir, path);
    if (r < 0) {
        log_warn("a hosted Claude Code runs without hooks of its own: cannot write in %s: %s", dir,
                 strerror(-r));
        return false;
    }
    char option[] = "--settings", *const more[] = {option, path, NULL};
    insert_words(words, more);
    return true;
}

/* Codex */

static void push_config(char ***args, struct buf *line) {
    strv_push(args, SPAN("-c"));
    strv_push(args, buf_span(line));
    buf_clear(line);
}

void agent_hooks_codex(const char *hook, char ***args) {
    const struct event_wish wish = {.cli = CLI_CODEX, .density = DENSITY_HIGH};
    AUTO(buf) struct buf command = BUF_INIT(ENTRY_COMMAND_MAX);
    AUTO(buf) struct buf line = BUF_INIT(LINE_BYTES_MAX);
    AUTO(buf) struct buf states = BUF_INIT(LINE_BYTES_MAX);
    AUTO(buf) struct buf own = BUF_INIT(ENTRY_COMMAND_MAX);
    put_command(&command, hook, CLI_CODEX);
    for (const struct event_kind *k = NULL; (k = setup_event_next(k, &wish));) {
        /* A JSON string is one of TOML, too. */
        struct jwrite w = JWRITE_INIT(&line);
        buf_clear(&own);
        entry_event_command(&own, CLI_CODEX, k->name, buf_span(&command));
        int timeout = entry_timeout(CLI_CODEX, k->name, buf_span(&own));
        (void)buf_printf(&line, "hooks.%s=[{hooks=[{type=\"command\",command=", k->name);
        jwrite_str(&w, buf_span(&own));
        (void)buf_printf(&line, ",timeout=%d}]}]", timeout);
        push_config(args, &line);

        char hash[DIGEST_SHA256_HEX];
        entry_codex_hash(k->name, buf_span(&own), timeout, hash);
        (void)buf_printf(&states, "%s\"/<session-flags>/config.toml:", states.n ? "," : "");
        entry_codex_event(&states, k->name);
        (void)buf_printf(&states, ":0:0\"={trusted_hash=\"sha256:%s\"}", hash);
    }
    (void)buf_printf(&line, "hooks.state={%.*s}", SPAN_ARG(buf_span(&states)));
    push_config(args, &line);
}

static bool add_codex(const char *hook, char ***words) {
    AUTO(strv) char **args = NULL;
    agent_hooks_codex(hook, &args);
    insert_words(words, args);
    return true;
}

bool agent_hooks_add(const struct agent *agent, const char *hook, const char *dir,
                     const struct setup_notes *notes, const char *program, char ***words) {
    if (!hook || is_errand(*words)) return false;
    if (agent->cli == CLI_CLAUDE) return add_claude(hook, dir, notes, program, words);
    return agent->cli == CLI_CODEX && add_codex(hook, words);
}
