#include "setup/place.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/own_linked.h"
#include "platform/self.h"
#include "setup/entry.h"
#include "setup/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOOK_BYTES_MAX = 64 << 20 };

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* "ostler-0.1.0", "1.2": a part of a path that another version will not have. */
static bool has_version(struct span part) {
    for (size_t i = 1; i + 1 < part.n; i++)
        if (part.p[i] == '.' && is_digit(part.p[i - 1]) && is_digit(part.p[i + 1])) return true;
    return false;
}

bool setup_place_is_stable(const char *hook) {
    struct span left = span_str(hook), last = SPAN_NONE;
    const char *slash = strrchr(hook, '/');
    static const char *const passing[] = {"/tmp/", "/var/tmp/",   "/dev/",
                                          "/run/", "/nix/store/", "/gnu/store/"};
    for (size_t i = 0; i < ARRAY_LEN(passing); i++)
        if (span_starts(left, span_str(passing[i]))) return false;
    left.n = slash ? (size_t)(slash - hook) : 0;
    while (left.n) {
        last = span_split(&left, '/');
        if (has_version(last)) return false;
    }
    return span_eq(last, SPAN("bin")) || span_eq(last, SPAN("sbin")) || span_eq(last, SPAN("libexec"));
}

static const char *absolute(const char *variable) {
    const char *value = getenv(variable);
    return value && value[0] == '/' ? value : NULL;
}

/* DIR/rest, DIR being what a variable names, or HOME/fallback. */
static int put(char out[PATH_BYTES], const char *named, const char *fallback, const char *rest) {
    int n = named ? snprintf(out, PATH_BYTES, "%s/%s", named, rest)
                  : snprintf(out, PATH_BYTES, "%s/%s/%s", getenv("HOME"), fallback, rest);
    return n < PATH_BYTES ? 0 : -ENAMETOOLONG;
}

/* Codex resolves the directory that is named explicitly, and knows its file by what comes out. */
static const char *codex_home(char room[PATH_MAX]) {
    const char *named = absolute("CODEX_HOME");
    return named && realpath(named, room) ? room : named;
}

static int put_files(struct setup_place *p) {
    char room[PATH_MAX];
    int r = put(p->file[CLI_CLAUDE], absolute("CLAUDE_CONFIG_DIR"), ".claude", "settings.json");
    if (r == 0) r = put(p->file[CLI_GEMINI], NULL, ".gemini", "settings.json");
    if (r == 0) r = put(p->file[CLI_CODEX], codex_home(room), ".codex", "config.toml");
    if (r == 0) r = put(p->file[CLI_COPILOT], absolute("COPILOT_HOME"), ".copilot", "hooks/ostler.json");
    if (r == 0)
        r = put(p->file[CLI_OPENCODE], absolute("XDG_CONFIG_HOME"), ".config", "opencode/plugins/ostler.js");
    return r;
}

int setup_notes_resolve(struct setup_notes *ret, const char *state) {
    int r = path_join(ret->versions, state, "hooks/versions");
    return r < 0 ? r : path_join(ret->seen, state, "hooks/programs");
}

static int put_own(struct setup_place *p, const struct paths *paths) {
    char dir[PATH_BYTES], name[64];
    int r = path_join(p->backups, paths->state, "backups");
    if (r == 0) r = path_join(dir, paths->state, "hooks");
    if (r == 0) r = setup_notes_resolve(&p->notes, paths->state);
    for (int i = 0; r == 0 && i < CLI_N_; i++) {
        (void)snprintf(name, sizeof name, "%s.json", cli_to_str((enum cli)i));
        r = path_join(p->record[i], dir, name);
    }
    if (r == 0) r = path_join(p->hook, paths->state, "bin/" ENTRY_PROGRAM);
    if (self_sibling(p->original, ENTRY_PROGRAM) < 0) p->original[0] = '\0';
    if (r == 0 && setup_place_is_stable(p->original)) (void)memcpy(p->hook, p->original, sizeof p->hook);
    return r;
}

int setup_place_resolve(struct setup_place *ret, const struct paths *paths, struct err *err) {
    *ret = (struct setup_place){.etc = "/etc", .ostler_home = getenv("OSTLER_HOME")};
    if (ret->ostler_home && !ret->ostler_home[0]) ret->ostler_home = NULL;
    if (!absolute("HOME"))
        return err_set(err, -ENOENT,
                       "no home directory: set HOME to an absolute path, the agents' settings are there");
    int r = put_files(ret);
    if (r == 0) r = put_own(ret, paths);
    return r < 0 ? err_set(err, r, "the path of the home or the state directory is too long") : 0;
}

/* Is the copy what it should be, and can it be run? */
static bool is_copied(const char *copy, struct span original) {
    AUTO(buf) struct buf text = BUF_INIT(HOOK_BYTES_MAX);
    return access(copy, X_OK) == 0 && file_read(copy, &text) == 0 && span_eq(buf_span(&text), original);
}

int setup_place_hook(const struct setup_place *p, struct err *err) {
    AUTO(setup_file) struct setup_file original = {0};
    if (!p->original[0])
        return err_set(err, -ENOENT,
                       "there is no " ENTRY_PROGRAM " beside this program: install ostler anew");
    if (strcmp(p->original, p->hook) == 0) return 0;
    int r = setup_file_read(p->original, HOOK_BYTES_MAX, &original, err);
    if (r < 0 || is_copied(p->hook, buf_span(&original.text))) return r;
    r = path_make_parent(p->hook);
    if (r == 0) r = file_replace(p->hook, buf_span(&original.text), 0755, true);
    return r < 0 ? err_set(err, r, "cannot write %s: %s", p->hook, own_why(r)) : 0;
}
