#include "setup/permission_rules.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/jedit.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "setup/file.h"

#include <errno.h>
#include <sys/stat.h>

enum { SETTINGS_BYTES_MAX = 4 << 20, RULE_JSON_MAX = 64 << 10, TRIES = 3 };

int permission_rules_file(const struct setup_place *place, struct span where, const char *project,
                          char ret[PATH_BYTES]) {
    if (span_eq(where, SPAN("userSettings"))) {
        memcpy(ret, place->file[CLI_CLAUDE], PATH_BYTES);
        return ret[0] ? 0 : -EINVAL;
    }
    bool local = span_eq(where, SPAN("localSettings"));
    if ((!local && !span_eq(where, SPAN("projectSettings"))) || !project || project[0] != '/') return -EINVAL;
    return path_join(ret, project, local ? ".claude/settings.local.json" : ".claude/settings.json");
}

/* Where the rule stands in the list; false when it does not. `*ret_count` is how many there are. */
static bool find(struct span text, struct span rule, size_t *ret_index, size_t *ret_count) {
    const struct jedit_step path[] = {JEDIT_NAME("permissions"), JEDIT_NAME("allow")};
    AUTO(arena) struct arena arena = ARENA_INIT(2 * text.n + RULE_JSON_MAX);
    struct span list, value;
    struct jedit_child child = {0};
    bool found = false;
    *ret_count = 0;
    if (jedit_is_blank(text) || !jedit_find(text, path, ARRAY_LEN(path), &list)) return false;
    for (size_t i = 0; jedit_next(list, &child); i++, (*ret_count)++) {
        bool same = jscan_string(child.value, &arena, &value) == 0 && span_eq(value, rule);
        if (!same || found) continue;
        *ret_index = i;
        found = true;
    }
    return found;
}

bool permission_rules_has(struct span text, struct span rule) {
    size_t index, count;
    return jedit_check(text, NULL) == 0 && find(text, rule, &index, &count);
}

int permission_rules_change(struct span text, struct span rule, bool add, struct buf *out, struct err *err) {
    AUTO(buf) struct buf json = BUF_INIT(RULE_JSON_MAX);
    struct jwrite w = JWRITE_INIT(&json);
    size_t index = 0, count = 0;
    int r = jedit_check(text, err);
    if (r < 0) return r;
    bool there = find(text, rule, &index, &count);
    if (there == add) return buf_append_span(out, text);
    struct jedit_step path[] = {JEDIT_NAME("permissions"), JEDIT_NAME("allow"),
                                JEDIT_INDEX(add ? count : index)};
    jwrite_str(&w, rule);
    return add ? jedit_put(text, path, ARRAY_LEN(path), buf_span(&json), out, err)
               : jedit_remove(text, path, ARRAY_LEN(path), out, err);
}

bool permission_rules_there(const char *file, struct span rule) {
    AUTO(setup_file) struct setup_file f = {0};
    struct err err;
    return setup_file_read(file, SETTINGS_BYTES_MAX, &f, &err) == 0 && f.exists &&
           permission_rules_has(buf_span(&f.text), rule);
}

static bool is_link(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/* A repository may have put links in these places, so that what is written for it would take effect elsewhere. */
static int refuse_links(const char *file, struct err *err) {
    char directory[PATH_BYTES];
    const char *slash = strrchr(file, '/');
    size_t n = slash ? (size_t)(slash - file) : 0;
    if (!n || n >= sizeof directory) return err_set(err, -EINVAL, "%s is no place for rules", file);
    memcpy(directory, file, n);
    directory[n] = '\0';
    if (!is_link(directory) && !is_link(file)) return 0;
    return err_set(err, -ELOOP, "%s is, or lies behind, a symbolic link: nothing is written there", file);
}

static int change_once(const char *file, struct span rule, bool add, struct err *err) {
    AUTO(setup_file) struct setup_file f = {0};
    AUTO(buf) struct buf out = BUF_INIT(SETTINGS_BYTES_MAX);
    int r = setup_file_read(file, SETTINGS_BYTES_MAX, &f, err);
    if (r == 0) r = permission_rules_change(buf_span(&f.text), rule, add, &out, err);
    if (r < 0 || (f.exists && span_eq(buf_span(&out), buf_span(&f.text)))) return r;
    if (!f.exists && !add) return 0;
    r = setup_file_check(&f, err);
    return r < 0 ? r : setup_file_replace(&f, buf_span(&out), err);
}

int permission_rules_change_file(const char *file, struct span where, struct span rule, bool add,
                                 struct err *err) {
    /* A person's own settings may well be a link, into their dotfiles. */
    int r = span_eq(where, SPAN("userSettings")) ? 0 : refuse_links(file, err);
    if (r < 0) return r;
    r = -EAGAIN; /* the CLI may write to it at the same moment */
    for (int i = 0; r == -EAGAIN && i < TRIES; i++)
        r = change_once(file, rule, add, err);
    return r;
}
