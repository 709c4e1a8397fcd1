#include "cli/log_follow.h"

#include "app/patterns.h"
#include "base/cleanup.h"
#include "base/str.h"
#include "cli/tap.h"

#include <errno.h>
#include <stdio.h>

enum { MASKED_MAX = 8 << 20 };

struct follow {
    const struct log_sink *sink;
    void *user;
    struct tap_from at;
    struct redact *redact;
    bool exited;
};

static void pass(struct follow *f, const struct buf *masked) {
    if (masked->n) f->sink->output(f->user, buf_span(masked));
    (void)fflush(stdout);
}

/* What is held back is decided without what comes: it has nothing to do with it. */
static void flush(struct follow *f) {
    AUTO(buf) struct buf masked = BUF_INIT(MASKED_MAX);
    (void)redact_flush(f->redact, &masked);
    pass(f, &masked);
}

static void on_screen(void *user, const struct tap_screen *s) {
    struct follow *f = user;
    struct vt *vt = vt_new(s->cols, s->rows, VT_SCROLLBACK, NULL, NULL);
    vt_set_answering(vt, false);
    vt_feed(vt, s->bytes.p, s->bytes.n);
    flush(f);
    f->at = (struct tap_from){.epoch = s->epoch, .offset = s->offset};
    f->sink->replace(f->user, vt);
}

static void on_output(void *user, uint64_t epoch, uint64_t offset, struct span bytes) {
    struct follow *f = user;
    AUTO(buf) struct buf masked = BUF_INIT(MASKED_MAX);
    (void)redact_feed(f->redact, bytes, &masked);
    f->at = (struct tap_from){.epoch = epoch, .offset = offset + bytes.n};
    pass(f, &masked);
}

static void on_resized(void *user, unsigned cols, unsigned rows) {
    struct follow *f = user;
    f->sink->resized(f->user, cols, rows);
}

static void on_gap(void *user) {
    struct follow *f = user;
    flush(f);
    f->sink->gap(f->user);
}

static void on_exited(void *user, struct ending e UNUSED) {
    struct follow *f = user;
    flush(f);
    f->exited = true;
}

static const struct tap_events tap_events = {
    .screen = on_screen, .output = on_output, .resized = on_resized, .gap = on_gap, .exited = on_exited};

static int listen_to(struct follow *f, struct tap *tap, struct err *err) {
    int r = 0;
    while (r == 0 && !f->exited) {
        struct pollfd fd = {.fd = tap->fd, .events = tap_wants(tap)};
        if (poll(&fd, 1, -1) < 0) continue;
        r = tap_ready(tap, fd.revents, err);
        tap_shown(tap, f->at.offset);
    }
    tap_close(tap);
    return f->exited ? 0 : r;
}

/* Through the daemon, and when that goes, from the keeper. */
static int follow(struct follow *f, const struct roster *r, const struct tap_target *target,
                  struct err *err) {
    struct tap *tap;
    int result =
        r->has_daemon ? tap_open_daemon(&r->daemon, target, &f->at, &tap_events, f, &tap, err) : -EPIPE;
    if (result == 0) result = listen_to(f, tap, err);
    if (result != -EPIPE && result != -ENOENT) return result;
    result = tap_open_keeper(target, &f->at, &tap_events, f, &tap, err);
    return result == 0 ? listen_to(f, tap, err) : result;
}

int log_follow(const struct roster *r, const struct roster_entry *e, struct tape_place place,
               const struct log_sink *sink, void *user, struct err *err) {
    char dir[PATH_BYTES];
    struct redact_set *set;
    int result = roster_dir(r, e, dir);
    if (result < 0) return err_sys(err, result, "its directory cannot be named");
    result = patterns_compile(&r->paths, &set, err);
    if (result < 0) return result;
    AUTO(free) char *id = str_dup(e->id);
    AUTO(free) char *session = str_dup(e->card.n ? e->card : e->id);
    const struct tap_target target = {.terminal = id, .session = session, .dir = dir, .exact = true};
    struct follow f = {.sink = sink,
                       .user = user,
                       .at = {.epoch = place.epoch, .offset = place.offset},
                       .redact = redact_new(set)};
    result = follow(&f, r, &target, err);
    redact_free(f.redact);
    redact_set_free(set);
    return result;
}
