/* Where the roster comes from: the daemon, or the terminals' directories. */
#include "base/cleanup.h"
#include "cli/client.h"
#include "cli/roster_int.h"
#include "platform/unixsock.h"
#include "pty/meta.h"

#include <dirent.h>
#include <errno.h>

static struct span keep(struct roster *r, const char *s) {
    return arena_dup(&r->arena, span_str(s));
}

/* Does its keeper answer? Without one it has ended, as far as anybody can tell. */
static bool has_keeper(const char *dir) {
    char path[PATH_BYTES];
    AUTO(fd) int fd = path_join(path, dir, "keeper.sock") == 0 ? unixsock_connect(path) : -1;
    return fd >= 0;
}

static void add_from_disk(struct roster *r, const char *dir) {
    struct meta m;
    if (meta_load(dir, &m, NULL) < 0) return;
    bool live = has_keeper(dir);
    struct roster_entry *e = roster_add(r);
    *e = (struct roster_entry){.id = keep(r, m.id),
                               .title = keep(r, m.title),
                               .label = keep(r, m.label),
                               .command = keep(r, m.command),
                               .kind = keep(r, terminal_kind_to_str(m.kind)),
                               .directory = keep(r, m.cwd ? m.cwd : m.directory),
                               .connection = live      ? SPAN("live")
                                             : m.ended ? SPAN("ended")
                                                       : SPAN("restored"),
                               .since_ms = live || !m.ended ? m.started_ms : m.ended_ms};
    meta_fini(&m);
}

static int by_id(const void *a, const void *b) {
    const struct roster_entry *x = a, *y = b;
    int order = memcmp(x->id.p, y->id.p, MIN(x->id.n, y->id.n));
    return order ? order : (x->id.n > y->id.n) - (x->id.n < y->id.n);
}

static void load_disk(struct roster *r) {
    char dir[PATH_BYTES], path[PATH_BYTES];
    if (path_join(dir, r->paths.state, "terminals") < 0) return;
    AUTO(dir) DIR *all = opendir(dir);
    if (!all) return;
    for (struct dirent *d; r->n < ROSTER_DISK_MAX && (d = readdir(all));)
        if (d->d_name[0] != '.' && path_join(path, dir, d->d_name) == 0) add_from_disk(r, path);
    if (r->n) qsort(r->entries, r->n, sizeof *r->entries, by_id);
}

int roster_load_sessions(struct roster *r, const struct roster *terminals, struct err *err) {
    *r = (struct roster){.arena = ARENA_INIT(CLIENT_BODY_MAX)};
    if (!terminals->has_daemon) return 0;
    r->has_daemon = true;
    r->daemon = terminals->daemon;
    AUTO(buf) struct buf body = BUF_INIT(CLIENT_BODY_MAX / 2);
    int result = client_call(&r->daemon, "GET", "/api/sessions", SPAN_NONE, &body, NULL, err);
    if (result < 0) return result;
    if (roster_read_sessions(r, arena_dup(&r->arena, buf_span(&body))) < 0)
        return err_set(err, -EPROTO, "the daemon's answer is not understood: is it another version?");
    return 0;
}

static int load_daemon(struct roster *r, struct err *err) {
    AUTO(buf) struct buf body = BUF_INIT(ROSTER_BYTES_MAX / 4);
    int result = client_find(&r->daemon, err);
    if (result == 0) result = client_call(&r->daemon, "GET", "/api/terminals", SPAN_NONE, &body, NULL, err);
    if (result < 0) return result;
    r->has_daemon = true;
    struct span kept = arena_dup(&r->arena, buf_span(&body));
    if (roster_read(r, kept) < 0)
        return err_set(err, -EPROTO, "the daemon's answer is not understood: is it another version?");
    return 0;
}

int roster_load(struct roster *r, struct err *err) {
    *r = (struct roster){.arena = ARENA_INIT(ROSTER_BYTES_MAX)};
    int result = paths_resolve(&r->paths, err);
    if (result < 0) return result;
    result = load_daemon(r, &r->no_daemon);
    if (result == 0) return 0;
    /* One that hangs is as good as none. */
    if (result != -ENOENT && result != -ETIMEDOUT) return err_set(err, result, "%s", r->no_daemon.msg);
    load_disk(r);
    return 0;
}
