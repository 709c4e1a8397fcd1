#include "config/config.h"

#include "base/cleanup.h"
#include "base/jedit.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "cli/cmd.h"
#include "cli/screen.h"
#include "cli/suggest.h"
#include "cli/tell.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>

enum { TEXT_BYTES_MAX = 1 << 20, KEY_WIDTH = 20, VALUE_WIDTH_MIN = 8, VALUE_WIDTH_MAX = 24, FROM_WIDTH = 7 };

static int open_file(char file[PATH_BYTES]) {
    struct paths paths;
    struct err err = {0};
    if (paths_resolve(&paths, &err) < 0) return cmd_fail(&cmd_config, CMD_FAILED, "%s", err.msg);
    return config_path(&paths, file) < 0 ? cmd_fail(&cmd_config, CMD_FAILED, "the file's path is too long")
                                         : CMD_OK;
}

/* The options of an action, that it has as many words as it takes, and the file. The exit status, or -1 to go on. */
static int begin(int argc, char **argv, int words, bool *ret_json, char file[PATH_BYTES]) {
    int option, status;
    *ret_json = false;
    while ((option = cmd_option(&cmd_config, argc, argv, &status)) != -1)
        *ret_json |= option == 'j';
    if (status >= 0) return status;
    if (argc - optind != words)
        return cmd_fail(&cmd_config, CMD_USAGE, "%s takes %s; see ostler config --help", argv[0],
                        words == 1 ? "a key" : "a key and a value");
    status = open_file(file);
    return status == CMD_OK ? -1 : status;
}

/* ---- values -------------------------------------------------------------------------------------------------------------- */

/* JSON without comments and white space. */
static void put_compact(struct jwrite *w, struct span json) {
    enum jkind kind = jscan_kind(json);
    struct jedit_child child = {0};
    if (kind != JKIND_ARRAY && kind != JKIND_OBJECT) {
        jwrite_raw(w, json);
        return;
    }
    kind == JKIND_ARRAY ? jwrite_array(w) : jwrite_object(w);
    while (jedit_next(json, &child)) {
        if (child.name.n) {
            jwrite_raw(w, child.name);
            (void)buf_append_char(w->out, ':');
            w->comma = false;
        }
        put_compact(w, child.value);
    }
    kind == JKIND_ARRAY ? jwrite_array_end(w) : jwrite_object_end(w);
}

static bool is_texts(struct span json) {
    struct jedit_child child = {0};
    bool ok = jscan_kind(json) == JKIND_ARRAY;
    while (ok && jedit_next(json, &child))
        ok = jscan_kind(child.value) == JKIND_STRING;
    return ok;
}

static void put_text(struct span json, struct buf *out) {
    AUTO(arena) struct arena arena = ARENA_INIT(TEXT_BYTES_MAX);
    struct span text;
    if (jscan_string(json, &arena, &text) == 0) (void)buf_append_span(out, text);
}

/* As config_set() takes it: words without quotes, with commas in lists, nothing for null. */
static void put_plain(struct span json, struct buf *out) {
    struct jedit_child child = {0};
    enum jkind kind = jscan_kind(json);
    if (kind == JKIND_STRING) {
        put_text(json, out);
    } else if (is_texts(json)) {
        for (bool first = true; jedit_next(json, &child); first = false) {
            if (!first) (void)buf_append_char(out, ',');
            put_text(child.value, out);
        }
    } else if (kind != JKIND_NULL) {
        put_compact(&JWRITE_INIT(out), json);
    }
}

/* ---- get, set, unset, path --------------------------------------------------------------------------------------------------- */

static int unknown_key(const char *key) {
    struct suggest s = {.word = span_str(key)};
    char meant[SUGGEST_TEXT_BYTES];
    for (size_t i = 0; config_key_name(i); i++)
        suggest_offer(&s, config_key_name(i));
    suggest_text(&s, "", meant);
    return cmd_fail(&cmd_config, CMD_USAGE, "there is no key \"%s\"%s", key,
                    meant[0] ? meant : "; ostler config list shows all");
}

static int run_get(int argc, char **argv) {
    char file[PATH_BYTES];
    bool json;
    int status = begin(argc, argv, 1, &json, file);
    if (status >= 0) return status;
    AUTO(buf) struct buf value = BUF_INIT(TEXT_BYTES_MAX), out = BUF_INIT(TEXT_BYTES_MAX);
    struct err err = {0};
    const char *key = argv[optind];
    if (strcmp(key, "passwordHash") == 0)
        return cmd_fail(&cmd_config, CMD_USAGE,
                        "passwordHash is not shown; ostler config list tells whether there is one");
    int r = config_get(file, key, &value, &err);
    if (r == -ENOENT) return unknown_key(key);
    if (r < 0) return cmd_fail(&cmd_config, CMD_FAILED, "%s", err.msg);
    if (json)
        put_compact(&JWRITE_INIT(&out), buf_span(&value));
    else
        put_plain(buf_span(&value), &out);
    screen_text(buf_span(&out));
    (void)putchar('\n');
    return CMD_OK;
}

static int change(const char *file, const char *key, const char *value) {
    struct err err = {0};
    int r = config_set(file, key, value, &err);
    if (r == -ENOENT) return unknown_key(key);
    if (r == 0 && strcmp(key, "passwordHash") == 0) r = tell_password(NULL, &err);
    return r < 0 ? cmd_fail(&cmd_config, r == -EINVAL ? CMD_USAGE : CMD_FAILED, "%s", err.msg) : CMD_OK;
}

static int run_set(int argc, char **argv) {
    char file[PATH_BYTES];
    bool json;
    int status = begin(argc, argv, 2, &json, file);
    if (status >= 0) return status;
    const char *key = argv[optind], *value = argv[optind + 1];
    if (strcmp(key, "passwordHash") == 0)
        return cmd_fail(&cmd_config, CMD_USAGE, "a password is set with ostler password set");
    status = change(file, key, value);
    if (status == CMD_OK)
        screen_print("%s is %s. A daemon that runs takes it over when it is started again.\n", key,
                     value[0] ? "set" : "back to its default");
    return status;
}

static int run_unset(int argc, char **argv) {
    char file[PATH_BYTES];
    bool json;
    int status = begin(argc, argv, 1, &json, file);
    if (status >= 0) return status;
    AUTO(buf) struct buf value = BUF_INIT(TEXT_BYTES_MAX);
    const char *key = argv[optind];
    if (strcmp(key, "passwordHash") == 0)
        return cmd_fail(&cmd_config, CMD_USAGE, "a password is removed with ostler password remove");
    if (config_get(file, key, &value, NULL) == -ENOENT) return unknown_key(key);
    status = change(file, key, NULL);
    if (status == CMD_OK) screen_print("%s is out of the file.\n", key);
    return status;
}

static int run_path(int argc, char **argv) {
    char file[PATH_BYTES];
    bool json;
    int status = begin(argc, argv, 0, &json, file);
    if (status >= 0) return status;
    screen_print("%s\n", file);
    return CMD_OK;
}

/* ---- list -------------------------------------------------------------------------------------------------------------------- */

struct listing {
    bool json;
    size_t value_width;
};

/* A hash is there or it is not; more is nobody's business. */
static void put_shown(const struct config_item *item, struct buf *out) {
    if (item->secret)
        (void)buf_append_span(out, jscan_kind(item->json) == JKIND_NULL ? SPAN("none") : SPAN("set"));
    else
        put_plain(item->json, out);
}

static int widen(void *user, const struct config_item *item) {
    struct listing *l = user;
    AUTO(buf) struct buf value = BUF_INIT(TEXT_BYTES_MAX);
    put_shown(item, &value);
    l->value_width = MIN(MAX(l->value_width, value.n), (size_t)VALUE_WIDTH_MAX);
    return 0;
}

static void print_row(const struct listing *l, const struct config_item *item) {
    AUTO(buf) struct buf value = BUF_INIT(TEXT_BYTES_MAX);
    put_shown(item, &value);
    size_t used = KEY_WIDTH + 1 + l->value_width + 1 + FROM_WIDTH + 1, width = screen_width();
    screen_column(item->name, KEY_WIDTH);
    (void)putchar(' ');
    screen_column(buf_span(&value), l->value_width);
    (void)putchar(' ');
    screen_column(item->from_file ? SPAN("file") : SPAN("default"), FROM_WIDTH);
    (void)putchar(' ');
    screen_cut(span_str(item->about ? item->about : "unknown to ostler"), width > used ? width - used : 0);
    (void)putchar('\n');
}

static void print_json(const struct config_item *item) {
    AUTO(buf) struct buf out = BUF_INIT(2 * TEXT_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_object(&w);
    jwrite_kstr(&w, "key", item->name);
    if (item->secret) {
        jwrite_kbool(&w, "set", jscan_kind(item->json) != JKIND_NULL);
    } else {
        jwrite_key(&w, "value");
        put_compact(&w, item->json);
    }
    jwrite_kcstr(&w, "from", item->from_file ? "file" : "default");
    if (item->initial) {
        jwrite_key(&w, "default");
        jwrite_raw(&w, span_str(item->initial));
    }
    jwrite_kcstr(&w, "about", item->about);
    jwrite_object_end(&w);
    screen_json(buf_span(&out));
}

static int list_one(void *user, const struct config_item *item) {
    const struct listing *l = user;
    if (l->json)
        print_json(item);
    else
        print_row(l, item);
    return 0;
}

static int run_list(int argc, char **argv) {
    char file[PATH_BYTES];
    struct err err = {0};
    struct listing l = {.value_width = VALUE_WIDTH_MIN};
    int status = begin(argc, argv, 0, &l.json, file);
    if (status >= 0) return status;
    int r = l.json ? 0 : config_each(file, widen, &l, &err);
    if (r == 0) r = config_each(file, list_one, &l, &err);
    return r < 0 ? cmd_fail(&cmd_config, CMD_FAILED, "%s", err.msg) : CMD_OK;
}

/* ---- the command ---------------------------------------------------------------------------------------------------------------- */

static const struct cmd_opt options[] = {
    {"json", 'j', .help = "as JSON; list: one object a line"},
    {0},
};

static const struct cmd_action actions[] = {
    {"list", NULL, NULL, "j", "every key, its value, where that comes from, and what it is", run_list},
    {"get", "KEY", CONFIG_KEYS, "j", "a key's value", run_get},
    {"set", "KEY VALUE", CONFIG_KEYS, NULL,
     "give it another: a number, true, a word, words with commas, or JSON", run_set},
    {"unset", "KEY", CONFIG_KEYS, NULL, "take it out of the file: its default holds", run_unset},
    {"path", NULL, NULL, NULL, "where the file is", run_path},
    {0},
};

const struct cmd cmd_config = {
    .name = "config",
    .group = CMD_SETUP,
    .summary = "show and change what ostler was told to do",
    .about =
        "Shows and changes the configuration file. Everything else in the file stays as it is: keys of others, order, comments. "
        "A file that cannot be understood is reported with line and column, and never written.",
    .options = options,
    .actions = actions,
    .notes = "Options of ostler serve, and PORT in the environment, come before the file.",
    .examples = "ostler config set port 4000\n"
                "ostler config set enabledClis claude,codex\n"
                "ostler config list",
};
