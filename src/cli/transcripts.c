#include "cli/transcripts.h"

#include "base/mem.h"
#include "base/strv.h"
#include "repair/claude.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void transcripts_fini(struct transcripts *t) {
    for (size_t i = 0; i < t->count; i++)
        free(t->items[i].path);
    free(t->items);
    strv_free(t->roots);
    *t = TRANSCRIPTS_INIT;
}

static int add(void *user, const char *path, const struct file_mark *mark) {
    struct transcripts *t = user;
    if (t->count == t->room) {
        t->room = t->room ? t->room * 2 : 64;
        t->items = xreallocarray(t->items, t->room, sizeof *t->items);
    }
    t->items[t->count++] = (struct transcript_item){.path = xstrdup(path), .mark = *mark};
    return 0;
}

/* What was added from `first` on was found by a walk through `dir`. */
static void confine(struct transcripts *t, size_t first, const char *dir) {
    strv_push(&t->roots, span_str(dir));
    size_t n = strv_count((const char *const *)t->roots);
    for (size_t i = first; i < t->count; i++)
        t->items[i].root = t->roots[n - 1];
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const struct transcript_item *)a)->path, ((const struct transcript_item *)b)->path);
}

/* Directories list in any order; people want the same one every time. */
static void sort_from(struct transcripts *t, size_t first) {
    if (t->count > first) qsort(t->items + first, t->count - first, sizeof *t->items, by_path);
}

/* An absolute path of the same file: verdicts are kept by path. The last part stays as it is, it may be a link. */
static int absolute(const char *word, char out[PATH_BYTES]) {
    struct span path = span_str(word);
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path.n--;
    if (path.n >= PATH_BYTES) return -ENAMETOOLONG;
    char text[PATH_BYTES];
    memcpy(text, path.p, path.n);
    text[path.n] = '\0';
    if (text[0] == '/') {
        memcpy(out, text, path.n + 1);
        return 0;
    }
    char *slash = strrchr(text, '/');
    if (slash) *slash = '\0';
    const char *dir = slash ? text : ".", *name = slash ? slash + 1 : text;
    char *real = realpath(dir, NULL);
    bool is_place = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
    int r = path_join(out, real ? real : dir, name);
    free(real);
    if (r < 0 || !is_place) return r;
    real = realpath(out, NULL);
    if (real && strlen(real) < PATH_BYTES) memcpy(out, real, strlen(real) + 1);
    free(real);
    return 0;
}

/* A session's id, unless there is a file of that name. */
static bool find_session(const char *word, char out[PATH_BYTES]) {
    char projects[PATH_BYTES];
    return access(word, F_OK) < 0 && claude_projects(projects) == 0 &&
           claude_find(projects, span_str(word), out) == 0;
}

int transcripts_one(const char *word, char out[PATH_BYTES], struct err *err) {
    if (find_session(word, out)) return 0;
    int r = absolute(word, out);
    return r < 0 ? err_set(err, r, "the path \"%.200s\" is too long", word) : 0;
}

int transcripts_add(struct transcripts *t, const char *word, struct err *err) {
    char path[PATH_BYTES];
    struct stat st;
    int r = transcripts_one(word, path, err);
    if (r < 0) return r;
    bool is_there = stat(path, &st) == 0;
    size_t first = t->count;
    if (is_there && S_ISDIR(st.st_mode)) {
        r = claude_each_in(path, add, t);
        if (r == 0) r = claude_each(path, add, t);
        if (r < 0) return err_sys(err, r, "%s cannot be read", path);
        confine(t, first, path);
        sort_from(t, first);
        return 0;
    }
    struct file_mark mark = is_there ? claude_mark(&st) : (struct file_mark){0};
    r = add(t, path, &mark);
    char projects[PATH_BYTES];
    bool is_session = claude_is_session_id(span_str(word)) && claude_projects(projects) == 0 &&
                      claude_holds(projects, path);
    if (is_session) confine(t, first, projects);
    return r;
}

int transcripts_add_all(struct transcripts *t, char projects[PATH_BYTES], struct err *err) {
    int r = claude_projects(projects);
    if (r < 0) return err_set(err, r, "no home directory: set HOME or CLAUDE_CONFIG_DIR");
    size_t first = t->count;
    r = claude_each(projects, add, t);
    if (r < 0) return err_sys(err, r, "%s cannot be read", projects);
    confine(t, first, projects);
    sort_from(t, first);
    return 0;
}
