#define LOG_TAG "state"
#include "app/state_files.h"

#include "app/cli_files.h"
#include "app/told.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/jmend.h"
#include "base/jscan.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/path.h"
#include "core/inbox.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    FILE_BYTES_MAX = 64 << 10,
    ARENA_BYTES = 8 * FILE_BYTES_MAX, /* for a file in which every byte has to be escaped, and its texts */
    DEPTH_MAX = 32,
    LOOK_AGAIN_US = USEC_PER_SEC / 2
};

struct state_dir {
    struct list in_list;
    struct state_files *files;
    uv_fs_event_t event;
    bool missing; /* it is not there yet: its parent is watched instead */
    char path[PATH_BYTES];
};

/* Reading */

static int read_file(const char *dir, const char *name, struct buf *out) {
    char path[PATH_BYTES];
    struct stat st;
    int r = path_join(path, dir, name);
    if (r < 0) return r;
    AUTO(fd) int fd = cli_file_open(CLI_CLAUDE, path, &st);
    return fd < 0 ? fd : file_read_fd(fd, out);
}

/* "shell": its turn is over, but a command goes on in the background and will bring it back. */
static bool read_activity(struct span status, enum activity *ret) {
    if (span_eq(status, SPAN("shell"))) {
        *ret = ACTIVITY_BUSY;
        return true;
    }
    return activity_from_str(status, ret) && *ret <= ACTIVITY_IDLE;
}

static void look_later(struct state_files *f);

/* What was answered from here is still said to be waited for. When it is so later, too, it is something else. */
static bool is_settling(struct state_files *f, const struct worker *w, enum activity activity) {
    bool settles =
        activity == ACTIVITY_WAITING && inbox_settles(f->state, w, usec_to_msec(clock_wall(f->notes->clock)));
    if (settles) look_later(f);
    return settles;
}

/* A file is written in place: what cannot be read yet is read when it is complete. */
static void tell(struct state_files *f, struct span json) {
    AUTO(arena) struct arena arena = ARENA_INIT(ARENA_BYTES);
    struct jmember m[] = {JMEMBER("sessionId"), JMEMBER("status"), JMEMBER("waitingFor"),
                          JMEMBER("statusUpdatedAt"), JMEMBER("updatedAt")};
    if (jmend(json, DEPTH_MAX, &arena, &json) < 0 || jscan_object(json, m, ARRAY_LEN(m)) < 0) return;
    const struct worker *w = state_find(f->state, jscan_text(m[0].value, &arena));
    struct told t = {.by = EVIDENCE_FILE, .text = jscan_text(m[2].value, &arena)};
    if (!w || !read_activity(jscan_text(m[1].value, &arena), &t.activity)) return;
    if (!jscan_i64(m[3].value, &t.since_ms) && !jscan_i64(m[4].value, &t.since_ms)) return;
    if (is_settling(f, w, t.activity)) return;
    t.session = w->session->id;
    (void)told_report(f->notes, &t);
}

/* PID.json; beside them are keys, which are nobody's business. */
static bool is_state_name(const char *name) {
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && strcmp(name + digits, ".json") == 0;
}

static void look(const struct state_dir *d, const char *name) {
    AUTO(buf) struct buf text = BUF_INIT(FILE_BYTES_MAX);
    if (d->files->begun && is_state_name(name) && read_file(d->path, name, &text) == 0)
        tell(d->files, span_trim(buf_span(&text)));
}

static void look_at_all(const struct state_dir *d) {
    AUTO(fd) int fd = cli_dir_open(CLI_CLAUDE, d->path);
    AUTO(dir) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (dir) (void)TAKE_FD(fd); /* the stream's, from here on */
    for (struct dirent *e; dir && (e = readdir(dir));)
        look(d, e->d_name);
}

static void on_later(uv_timer_t *timer) {
    const struct state_files *f = CONTAINER_OF(timer, struct state_files, later);
    list_for_each(pos, &f->dirs)
        look_at_all(list_entry(pos, struct state_dir, in_list));
}

static void look_later(struct state_files *f) {
    if (!uv_is_active((uv_handle_t *)&f->later) && !uv_is_closing((uv_handle_t *)&f->later))
        (void)uv_timer_start(&f->later, on_later, INBOX_SETTLE_MS, 0);
}

/* Watching */

static void on_closed(uv_handle_t *handle) {
    free(CONTAINER_OF(handle, struct state_dir, event));
}

static int start_watch(struct state_dir *d);

static void on_change(uv_fs_event_t *event, const char *name, int events UNUSED, int status) {
    struct state_dir *d = CONTAINER_OF(event, struct state_dir, event);
    if (status != 0 || !name) return;
    if (!d->missing) {
        look(d, name);
    } else if (strcmp(name, "sessions") == 0) {
        (void)uv_fs_event_stop(&d->event);
        (void)start_watch(d);
    }
}

/* The CLI makes the directory when it starts, perhaps after its first event. */
static int start_watch(struct state_dir *d) {
    int r = uv_fs_event_start(&d->event, on_change, d->path, 0);
    d->missing = r == UV_ENOENT;
    if (r == 0) look_at_all(d);
    if (r != UV_ENOENT) return r;
    char parent[PATH_BYTES];
    (void)snprintf(parent, sizeof parent, "%.*s", (int)(strlen(d->path) - sizeof "/sessions" + 1), d->path);
    r = uv_fs_event_start(&d->event, on_change, parent, 0);
    bool came = r == 0 && access(d->path, F_OK) == 0; /* between the two */
    if (!came) return r;
    (void)uv_fs_event_stop(&d->event);
    return start_watch(d);
}

static void watch_dir(struct state_files *f, const char *path) {
    struct state_dir *d = xcalloc(1, sizeof *d);
    d->files = f;
    (void)snprintf(d->path, sizeof d->path, "%s", path);
    (void)uv_fs_event_init(f->loop, &d->event);
    int r = start_watch(d);
    if (r < 0) {
        f->missed_us = clock_mono(f->notes->clock);
        log_debug("cannot watch %s: %s", path, uv_strerror(r));
        uv_close((uv_handle_t *)&d->event, on_closed);
        return;
    }
    list_append(&f->dirs, &d->in_list);
    f->count++;
}

/* DIR/projects/PROJECT/ID.jsonl → DIR/sessions */
static bool dir_of_transcript(const char *transcript, char ret[PATH_BYTES]) {
    struct span path = span_str(transcript);
    for (int i = 0; i < 3; i++) {
        const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;
        if (!slash) return false;
        if (i == 2 && !span_eq(span_skip(path, (size_t)(slash - path.p)), SPAN("/projects"))) return false;
        path = span_take(path, (size_t)(slash - path.p));
    }
    int n = snprintf(ret, PATH_BYTES, "%.*s/sessions", SPAN_ARG(path));
    return path.n && n > 0 && n < PATH_BYTES;
}

void state_files_session(struct state_files *f, const struct session *s) {
    const struct conversation *c = &s->primary->conversation;
    char path[PATH_BYTES];
    if (!f->begun || c->cli != CLI_CLAUDE || !c->transcript_path || f->count == STATE_DIRS_MAX) return;
    if (!dir_of_transcript(c->transcript_path, path)) return;
    list_for_each(pos, &f->dirs)
        if (strcmp(list_entry(pos, struct state_dir, in_list)->path, path) == 0) return;
    if (!f->missed_us || clock_mono(f->notes->clock) - f->missed_us >= LOOK_AGAIN_US) watch_dir(f, path);
}

void state_files_begin(struct state_files *f) {
    f->begun = true;
    list_for_each(pos, &f->state->sessions)
        state_files_session(f, list_entry(pos, struct session, in_state));
}

void state_files_open(struct state_files *f, uv_loop_t *loop, const struct notes *notes,
                      const struct state *state) {
    *f = (struct state_files){.loop = loop, .notes = notes, .state = state};
    list_init(&f->dirs);
    (void)uv_timer_init(loop, &f->later);
}

void state_files_close(struct state_files *f) {
    f->begun = false;
    uv_close((uv_handle_t *)&f->later, NULL);
    list_for_each_safe(pos, &f->dirs) {
        struct state_dir *d = list_entry(pos, struct state_dir, in_list);
        list_remove(&d->in_list);
        uv_close((uv_handle_t *)&d->event, on_closed);
    }
}
