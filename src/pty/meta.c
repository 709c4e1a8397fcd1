#include "pty/meta.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/own.h"
#include "base/str.h"
#include "base/strv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

static const char *const kinds[] = {
    [TERMINAL_SHELL] = "shell", [TERMINAL_AGENT] = "agent", [TERMINAL_COMMAND] = "command"};

const char *terminal_kind_to_str(enum terminal_kind kind) {
    return kinds[kind];
}

void meta_fini(struct meta *m) {
    char *const strings[] = {m->directory, m->cwd, m->typed, m->command, m->title, m->label, m->lost};
    for (size_t i = 0; i < ARRAY_LEN(strings); i++)
        free(strings[i]);
    strv_free(m->argv);
    strv_free(m->words);
    strv_free(m->env);
    strv_free(m->commands);
    *m = (struct meta){0};
}

static void write_list(struct jwrite *w, const char *key, char *const *list) {
    jwrite_key(w, key);
    if (!list) {
        jwrite_null(w);
        return;
    }
    jwrite_array(w);
    for (size_t i = 0; list[i]; i++)
        jwrite_cstr(w, list[i]);
    jwrite_array_end(w);
}

void meta_write(const struct meta *m, struct buf *out) {
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_ki64(&w, "v", 1);
    jwrite_kcstr(&w, "id", m->id);
    jwrite_kcstr(&w, "kind", kinds[m->kind]);
    jwrite_ki64(&w, "created", m->created_ms);
    jwrite_ki64(&w, "started", m->started_ms);
    jwrite_ki64(&w, "output", m->output_ms);
    jwrite_ku64(&w, "epoch", m->epoch);
    jwrite_ku64(&w, "bytes", m->bytes);
    jwrite_ki64(&w, "cols", m->cols);
    jwrite_ki64(&w, "rows", m->rows);
    jwrite_kcstr(&w, "directory", m->directory);
    jwrite_kcstr(&w, "cwd", m->cwd);
    write_list(&w, "argv", m->argv);
    write_list(&w, "words", m->words);
    jwrite_kbool(&w, "marked", m->marked);
    write_list(&w, "env", m->env);
    jwrite_kcstr(&w, "typed", m->typed);
    jwrite_kcstr(&w, "command", m->command);
    jwrite_kcstr(&w, "title", m->title);
    jwrite_kcstr(&w, "label", m->label);
    jwrite_kcstr(&w, "lost", m->lost);
    write_list(&w, "commands", m->commands);
    jwrite_kbool(&w, "ended", m->ended);
    jwrite_kbool(&w, "rested", m->rested);
    jwrite_ki64(&w, "endedAt", m->ended_ms);
    jwrite_ki64(&w, "code", m->code);
    jwrite_ki64(&w, "signal", m->signal);
    jwrite_object_end(&w);
    (void)buf_append_char(out, '\n');
}

enum {
    AT_ID,
    AT_KIND,
    AT_CREATED,
    AT_STARTED,
    AT_OUTPUT,
    AT_EPOCH,
    AT_BYTES,
    AT_COLS,
    AT_ROWS,
    AT_DIRECTORY,
    AT_CWD,
    AT_ARGV,
    AT_WORDS,
    AT_MARKED,
    AT_ENV,
    AT_TYPED,
    AT_COMMAND,
    AT_TITLE,
    AT_LABEL,
    AT_LOST,
    AT_COMMANDS,
    AT_ENDED,
    AT_RESTED,
    AT_ENDED_AT,
    AT_CODE,
    AT_SIGNAL,
    AT_N_
};

static void read_string(struct span value, struct arena *arena, char **ret) {
    struct span s;
    if (jscan_kind(value) == JKIND_STRING && jscan_string(value, arena, &s) == 0) (void)str_set(ret, s);
}

static void read_list(struct span value, struct arena *arena, char ***ret) {
    if (jscan_kind(value) != JKIND_ARRAY) return;
    struct span element, s;
    while (jscan_array_next(&value, &element) == 1)
        if (jscan_kind(element) == JKIND_STRING && jscan_string(element, arena, &s) == 0) strv_push(ret, s);
}

static unsigned read_size(struct span value, unsigned other) {
    int64_t n;
    return jscan_i64(value, &n) && n > 0 && n <= VT_COLS_MAX ? (unsigned)n : other;
}

/* What is left out or of another kind keeps its default. */
static void read_members(const struct jmember *at, struct arena *arena, struct meta *m) {
    char *kind = NULL;
    read_string(at[AT_KIND].value, arena, &kind);
    for (size_t i = 0; kind && i < ARRAY_LEN(kinds); i++)
        if (strcmp(kind, kinds[i]) == 0) m->kind = (enum terminal_kind)i;
    free(kind);
    int64_t epoch = 0, bytes = 0, code = -1, signal = 0;
    (void)jscan_i64(at[AT_CREATED].value, &m->created_ms);
    (void)jscan_i64(at[AT_STARTED].value, &m->started_ms);
    (void)jscan_i64(at[AT_OUTPUT].value, &m->output_ms);
    (void)jscan_i64(at[AT_ENDED_AT].value, &m->ended_ms);
    (void)jscan_i64(at[AT_EPOCH].value, &epoch);
    (void)jscan_i64(at[AT_BYTES].value, &bytes);
    (void)jscan_i64(at[AT_CODE].value, &code);
    (void)jscan_i64(at[AT_SIGNAL].value, &signal);
    (void)jscan_bool(at[AT_ENDED].value, &m->ended);
    (void)jscan_bool(at[AT_RESTED].value, &m->rested);
    m->epoch = (uint64_t)epoch;
    m->bytes = (uint64_t)bytes;
    m->code = (int)code;
    m->signal = (int)signal;
    m->cols = read_size(at[AT_COLS].value, TERMINAL_COLS);
    m->rows = read_size(at[AT_ROWS].value, TERMINAL_ROWS);
    read_string(at[AT_DIRECTORY].value, arena, &m->directory);
    read_string(at[AT_CWD].value, arena, &m->cwd);
    read_list(at[AT_ARGV].value, arena, &m->argv);
    read_list(at[AT_WORDS].value, arena, &m->words);
    (void)jscan_bool(at[AT_MARKED].value, &m->marked);
    read_list(at[AT_ENV].value, arena, &m->env);
    read_string(at[AT_TYPED].value, arena, &m->typed);
    read_string(at[AT_COMMAND].value, arena, &m->command);
    read_string(at[AT_TITLE].value, arena, &m->title);
    read_string(at[AT_LABEL].value, arena, &m->label);
    read_string(at[AT_LOST].value, arena, &m->lost);
    read_list(at[AT_COMMANDS].value, arena, &m->commands);
}

int meta_parse(struct span json, struct meta *ret, struct err *err) {
    AUTO(arena) struct arena arena = ARENA_INIT(META_BYTES_MAX * 2);
    struct jmember at[AT_N_] = {
        [AT_ID] = JMEMBER("id"),
        [AT_KIND] = JMEMBER("kind"),
        [AT_CREATED] = JMEMBER("created"),
        [AT_STARTED] = JMEMBER("started"),
        [AT_OUTPUT] = JMEMBER("output"),
        [AT_EPOCH] = JMEMBER("epoch"),
        [AT_BYTES] = JMEMBER("bytes"),
        [AT_COLS] = JMEMBER("cols"),
        [AT_ROWS] = JMEMBER("rows"),
        [AT_DIRECTORY] = JMEMBER("directory"),
        [AT_CWD] = JMEMBER("cwd"),
        [AT_ARGV] = JMEMBER("argv"),
        [AT_WORDS] = JMEMBER("words"),
        [AT_MARKED] = JMEMBER("marked"),
        [AT_ENV] = JMEMBER("env"),
        [AT_TYPED] = JMEMBER("typed"),
        [AT_COMMAND] = JMEMBER("command"),
        [AT_TITLE] = JMEMBER("title"),
        [AT_LABEL] = JMEMBER("label"),
        [AT_LOST] = JMEMBER("lost"),
        [AT_COMMANDS] = JMEMBER("commands"),
        [AT_ENDED] = JMEMBER("ended"),
        [AT_RESTED] = JMEMBER("rested"),
        [AT_ENDED_AT] = JMEMBER("endedAt"),
        [AT_CODE] = JMEMBER("code"),
        [AT_SIGNAL] = JMEMBER("signal"),
    };
    struct span id;
    if (jvalid(json, 8) < 0 || jscan_object(json, at, AT_N_) < 0 ||
        jscan_string(at[AT_ID].value, &arena, &id) < 0 || id.n == 0 || id.n >= TERMINAL_ID_BYTES ||
        memchr(id.p, '\0', id.n))
        return err_set(err, -EBADMSG, "this is not what ostler wrote about a terminal");
    struct meta m = {0};
    memcpy(m.id, id.p, id.n);
    read_members(at, &arena, &m);
    *ret = m;
    return 0;
}

int meta_save(const char *dir, struct span json, bool durable) {
    char path[PATH_BYTES];
    int r = path_join(path, dir, "meta.json");
    return r < 0 ? r : file_replace(path, json, 0600, durable);
}

int meta_load(const char *dir, struct meta *ret, struct err *err) {
    char path[PATH_BYTES];
    int r = path_join(path, dir, "meta.json");
    if (r < 0) return err_sys(err, r, "%s", dir);
    AUTO(fd) int fd = own_open(path, O_RDONLY, 0);
    if (fd < 0 && own_refusal(fd)) return err_set(err, fd, "%s: %s", path, own_refusal(fd));
    if (fd < 0) return err_sys(err, fd, "cannot open %s", path);
    AUTO(buf) struct buf text = BUF_INIT(META_BYTES_MAX);
    r = file_read_fd(fd, &text);
    if (r < 0) return err_sys(err, r, "cannot read %s", path);
    return meta_parse(buf_span(&text), ret, err);
}

static void rename_in(const char *dir, const char *from, const char *to) {
    char old[PATH_BYTES], new[PATH_BYTES];
    if (path_join(old, dir, from) == 0 && path_join(new, dir, to) == 0) (void)rename(old, new);
}

void meta_put_aside(const char *dir) {
    rename_in(dir, "meta.json", "meta.json.damaged");
}

#define FORGOTTEN "forgotten"

/* A rename needs no room on a full disk. */
void meta_forget(const char *dir) {
    char path[PATH_BYTES];
    rename_in(dir, "meta.json", FORGOTTEN);
    if (meta_forgotten(dir) || path_join(path, dir, FORGOTTEN) < 0) return;
    AUTO(fd) int fd = own_open(path, O_WRONLY | O_CREAT, 0600);
    (void)fd;
}

bool meta_forgotten(const char *dir) {
    char path[PATH_BYTES];
    struct stat st;
    return path_join(path, dir, FORGOTTEN) == 0 && lstat(path, &st) == 0;
}
