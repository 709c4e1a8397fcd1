#include "config/config.h"

#include "base/cleanup.h"
#include "base/jedit.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "config/file.h"
#include "config/keys.h"

#include <errno.h>
#include <stdlib.h>

enum { NAME_BYTES_MAX = 1024 };

int config_path(const struct paths *paths, char ret[PATH_BYTES]) {
    return path_join(ret, paths->config, "config.json");
}

void config_fini(struct config *c) {
    free(c->host);
    free(c->password_hash);
    free(c->tls_cert);
    free(c->tls_key);
    free(c->push_contact);
    strv_free(c->notify_command);
    strv_free(c->push_networks);
    strv_free(c->trusted_proxies);
    strv_free(c->server_names);
    *c = (struct config){0};
}

/* Reading */

/* The error with where it is. */
static int place(struct span text, const char *at, const char *name, struct err *err) {
    if (!err) return -EINVAL;
    struct err inner = *err;
    size_t line, column;
    jedit_place(text, at, &line, &column);
    return err_set(err, -EINVAL, "%s: line %zu, column %zu: %s", name, line, column, inner.msg);
}

static int check(struct span text, const char *name, struct err *err) {
    struct err inner = {0};
    if (jedit_check(text, &inner) < 0) return err_set(err, -EINVAL, "%s: %s", name, inner.msg);
    struct span root;
    if (jedit_is_blank(text) || !jedit_find(text, NULL, 0, &root) || jscan_kind(root) == JKIND_OBJECT)
        return 0;
    (void)err_set(err, -EINVAL, "there is no object in braces");
    return place(text, root.p, name, err);
}

static bool find(struct span text, const char *key, struct span *ret) {
    const struct jedit_step step = {.name = span_str(key)};
    return jedit_find(text, &step, 1, ret);
}

/* A key's value, or its default. */
static struct span value_of(struct span text, const struct key *key) {
    struct span json;
    return find(text, key->name, &json) ? json : span_str(key->initial);
}

int config_parse(struct span text, const char *name, struct config *ret, struct err *err) {
    struct err wrong = {0};
    int r = check(text, name, err);
    if (r < 0) return r;
    AUTO(config) struct config c = {0};
    for (size_t i = 0; i < keys_count; i++) {
        struct span json = value_of(text, &keys[i]);
        if (key_read(&keys[i], json, &c, &wrong) == 0) continue;
        if (err) *err = wrong;
        return place(text, json.p, name, err);
    }
    *ret = c;
    c = (struct config){0};
    return 0;
}

int config_load(const char *file, struct config *ret, struct err *err) {
    AUTO(buf) struct buf text = BUF_INIT(CONFIG_FILE_BYTES_MAX);
    int r = config_file_read(file, &text, err);
    bool exists = r != -ENOENT;
    if (r < 0 && exists) return r;
    r = config_parse(buf_span(&text), file, ret, err);
    if (r == 0) ret->exists = exists;
    return r;
}

static int tell_known(struct span text, const struct key *key,
                      int (*each)(void *user, const struct config_item *item), void *user) {
    struct span json;
    bool in_file = find(text, key->name, &json);
    return each(user, &(struct config_item){.name = span_str(key->name),
                                            .json = in_file ? json : span_str(key->initial),
                                            .initial = key->initial,
                                            .about = key->about,
                                            .from_file = in_file,
                                            .secret = key->kind == KEY_HASH});
}

/* A key that occurs twice is told twice: that is how it is found. */
static int tell_unknown(struct span text, int (*each)(void *user, const struct config_item *item),
                        void *user) {
    AUTO(arena) struct arena arena = ARENA_INIT(CONFIG_FILE_BYTES_MAX);
    struct jedit_child child = {0};
    struct span root, name;
    if (!jedit_find(text, NULL, 0, &root)) return 0;
    while (jedit_next(root, &child)) {
        if (jscan_string(child.name, &arena, &name) < 0 || key_find(name)) continue;
        int r = each(user, &(struct config_item){.name = name, .json = child.value, .from_file = true});
        if (r != 0) return r;
    }
    return 0;
}

int config_each(const char *file, int (*each)(void *user, const struct config_item *item), void *user,
                struct err *err) {
    AUTO(buf) struct buf text = BUF_INIT(CONFIG_FILE_BYTES_MAX);
    AUTO(config) struct config c = {0};
    int r = config_file_read(file, &text, err);
    if (r < 0 && r != -ENOENT) return r;
    r = config_parse(buf_span(&text), file, &c, err);
    for (size_t i = 0; i < keys_count && r == 0; i++)
        r = tell_known(buf_span(&text), &keys[i], each, user);
    return r == 0 ? tell_unknown(buf_span(&text), each, user) : r;
}

struct wanted {
    struct span key;
    struct buf *json;
    bool found;
};

static int take_wanted(void *user, const struct config_item *item) {
    struct wanted *w = user;
    if (!span_eq(item->name, w->key)) return 0;
    w->found = true;
    buf_clear(w->json);
    return buf_append_span(w->json, item->json);
}

int config_get(const char *file, const char *key, struct buf *ret_json, struct err *err) {
    struct wanted w = {.key = span_str(key), .json = ret_json};
    int r = config_each(file, take_wanted, &w, err);
    if (r < 0) return r;
    return w.found ? 0 : err_set(err, -ENOENT, "there is no key \"%s\"", key);
}

/* Changing */

int config_edit(struct span text, const char *name, const struct config_change *change, struct buf *out,
                struct err *err) {
    const struct key *key = key_find(span_str(change->key));
    const struct jedit_step step = {.name = span_str(change->key)};
    AUTO(buf) struct buf json = BUF_INIT(CONFIG_FILE_BYTES_MAX);
    struct span old;
    int r = check(text, name, err);
    if (r < 0) return r;
    if (!change->value || !change->value[0]) {
        bool there = step.name.n && jedit_find(text, &step, 1, &old);
        return there ? jedit_remove(text, &step, 1, out, err) : buf_append_span(out, text);
    }
    if (!key) return err_set(err, -ENOENT, "there is no key \"%s\"", change->key);
    r = key_from_text(key, span_str(change->value), &json, err);
    return r < 0 ? r : jedit_put(text, &step, 1, buf_span(&json), out, err);
}

struct edit {
    const char *file;
    const struct config_change *changes;
    size_t count;
};

/* One change after the other, each on what the one before has made. */
static int edit(void *user, struct span text, struct buf *out, struct err *err) {
    const struct edit *e = user;
    (void)buf_append_span(out, text);
    for (size_t i = 0; i < e->count; i++) {
        AUTO(buf) struct buf next = BUF_INIT(CONFIG_FILE_BYTES_MAX);
        int r = config_edit(buf_span(out), e->file, &e->changes[i], &next, err);
        if (r < 0) return r;
        buf_clear(out);
        (void)buf_append_span(out, buf_span(&next));
    }
    return 0;
}

int config_change(const char *file, const struct config_change *changes, size_t n, struct err *err) {
    return config_file_edit(file, edit, &(struct edit){.file = file, .changes = changes, .count = n}, err);
}

int config_set(const char *file, const char *key, const char *value, struct err *err) {
    return config_change(file, &(struct config_change){.key = key, .value = value}, 1, err);
}
