/*
 * Straight from the keeper, as a guest. It knows no screens: what it shows comes from the journal, with what was printed
 * since on top. When the ring no longer has all of that the program is asked to paint anew.
 */
#include "base/cleanup.h"
#include "base/mem.h"
#include "cli/client.h"
#include "cli/tap.h"
#include "platform/unixsock.h"
#include "pty/journal.h"
#include "term/frame_feed.h"

#include <errno.h>
#include <sys/socket.h>

enum { READ_BYTES = 64 << 10, SCREEN_MAX = 64 << 20 };

/* How it was begun; what a keeper refuses is tried the next way. */
enum way { WAY_GO_ON, WAY_JOURNAL, WAY_RING, WAY_NONE };

struct tap_keeper {
    struct tap tap;
    const struct tap_events *events;
    void *user;
    char socket[PATH_BYTES], journal[PATH_BYTES];
    enum way way;
    struct tap_from from;   /* WAY_GO_ON: what the viewer has */
    struct vt *vt;          /* while it catches up */
    uint64_t epoch, offset; /* the next byte to come */
    uint64_t until;         /* it has caught up here */
    bool welcomed, moved;   /* it has said something; beyond its welcome */
    bool gap;
    unsigned cols, rows;           /* the terminal's */
    unsigned want_cols, want_rows; /* the viewer's; 0: it has none */
    struct frame_feed feed;
    struct buf out;
    bool stop; /* nothing more is to be read of this connection: */
    int over;  /* why; 0 when another one was begun */
    struct err why;
};

static int flush(struct tap_keeper *k) {
    while (k->out.n) {
        ssize_t n = send(k->tap.fd, k->out.p, k->out.n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno == EAGAIN ? 0 : -errno;
        buf_consume(&k->out, (size_t)n);
    }
    return 0;
}

static int send_frame(struct tap_keeper *k, enum frame_type type, const void *fixed, size_t n,
                      struct span data) {
    char head[FRAME_HEAD_BYTES + 128];
    size_t bytes = frame_encode(head, type, fixed, n, data.n);
    if (k->out.n + bytes + data.n > k->out.cap) return -ENOBUFS;
    (void)buf_append(&k->out, head, bytes);
    (void)buf_append_span(&k->out, data);
    return 0;
}

static void send_size(struct tap_keeper *k, unsigned cols, unsigned rows) {
    const struct frame_size size = {.cols = (uint16_t)cols, .rows = (uint16_t)rows};
    (void)send_frame(k, FRAME_RESIZE, &size, sizeof size, SPAN_NONE);
}

/* The screen from the journal; without one, nothing but the ring. */
static void load_screen(struct tap_keeper *k) {
    struct journal_tail tail;
    vt_free(k->vt);
    k->vt = NULL;
    k->epoch = k->offset = 0;
    if (k->way != WAY_JOURNAL || journal_load(k->journal, VT_SCROLLBACK, &tail, NULL) < 0) return;
    k->vt = TAKE(tail.vt);
    k->epoch = tail.epoch;
    k->offset = tail.offset;
    journal_tail_fini(&tail);
}

static int begin(struct tap_keeper *k, enum way way, struct err *err) {
    if (k->tap.fd >= 0) (void)close(k->tap.fd);
    k->way = way;
    k->welcomed = k->moved = k->gap = false;
    k->feed = (struct frame_feed){0};
    buf_clear(&k->out);
    if (way == WAY_GO_ON) {
        k->epoch = k->from.epoch;
        k->offset = k->from.offset;
    } else {
        load_screen(k);
    }
    k->tap.fd = unixsock_connect(k->socket);
    if (k->tap.fd < 0) return err_sys(err, k->tap.fd, "its keeper does not answer");
    const struct frame_hello hello = {.version = FRAME_VERSION,
                                      .role = FRAME_ROLE_GUEST,
                                      .epoch = k->epoch,
                                      .offset = k->offset,
                                      .limit = UINT64_MAX};
    (void)send_frame(k, FRAME_HELLO, &hello, sizeof hello, SPAN_NONE);
    if (k->want_cols) send_size(k, k->want_cols, k->want_rows);
    return flush(k) < 0 ? err_set(err, -EPIPE, "its keeper is gone") : 0;
}

/* A program that is told of another size paints everything. */
static void ask_for_paint(struct tap_keeper *k) {
    send_size(k, k->cols, k->rows > 1 ? k->rows - 1 : 2);
    send_size(k, k->cols, k->rows);
}

static void show_screen(struct tap_keeper *k) {
    AUTO(buf) struct buf bytes = BUF_INIT(SCREEN_MAX);
    vt_snapshot(k->vt, VT_SCROLLBACK, &bytes);
    vt_free(TAKE(k->vt));
    k->events->screen(k->user, &(struct tap_screen){.epoch = k->epoch,
                                                    .offset = k->offset,
                                                    .cols = k->cols,
                                                    .rows = k->rows,
                                                    .bytes = buf_span(&bytes)});
    if (k->gap) ask_for_paint(k);
}

static void caught_up(struct tap_keeper *k) {
    if (k->vt && k->welcomed && k->offset >= k->until) show_screen(k);
}

static void stop(struct tap_keeper *k, int r, const char *why) {
    k->stop = true;
    k->over = err_set(&k->why, r, "%s", why);
}

static void not_understood(struct tap_keeper *k) {
    stop(k, -EPROTO, "what its keeper says is not understood");
}

static void begin_anew(struct tap_keeper *k, enum way way) {
    k->stop = true;
    k->over = begin(k, way, &k->why);
}

static void on_welcome(struct tap_keeper *k, const struct frame *f) {
    struct frame_welcome w;
    if (frame_read(f, &w, sizeof w, NULL) < 0) {
        not_understood(k);
        return;
    }
    k->welcomed = true;
    k->epoch = w.epoch;
    k->until = w.newest;
    k->cols = w.cols;
    k->rows = w.rows;
    if (k->way != WAY_GO_ON && !k->vt) k->vt = vt_new(w.cols, w.rows, VT_SCROLLBACK, NULL, NULL);
    if (k->vt) vt_set_answering(k->vt, false);
    caught_up(k);
}

static void on_output(void *user, uint64_t offset, struct span bytes) {
    struct tap_keeper *k = user;
    if (offset != k->offset || !k->welcomed) {
        not_understood(k);
        return;
    }
    k->moved = true;
    k->offset += bytes.n;
    if (k->vt)
        vt_feed(k->vt, bytes.p, bytes.n);
    else
        k->events->output(k->user, k->epoch, offset, bytes);
    caught_up(k);
}

static void on_resized(struct tap_keeper *k, const struct frame *f) {
    struct frame_size s;
    if (frame_read(f, &s, sizeof s, NULL) < 0 || !s.cols || !s.rows) {
        not_understood(k);
        return;
    }
    k->cols = s.cols;
    k->rows = s.rows;
    if (k->vt)
        vt_resize(k->vt, s.cols, s.rows);
    else
        k->events->resized(k->user, s.cols, s.rows);
}

static void on_gap(struct tap_keeper *k, const struct frame *f) {
    struct frame_gap g;
    if (frame_read(f, &g, sizeof g, NULL) < 0 || g.to < g.from || g.from != k->offset) {
        not_understood(k);
        return;
    }
    if (k->way == WAY_GO_ON && !k->moved) { /* too long ago: the journal may know more */
        begin_anew(k, WAY_JOURNAL);
        return;
    }
    k->offset = g.to;
    k->gap = true;
    if (k->vt) {
        vt_gap(k->vt);
    } else {
        k->events->gap(k->user);
        ask_for_paint(k);
    }
    caught_up(k);
}

static void on_exited(struct tap_keeper *k, const struct frame *f) {
    struct frame_exit e;
    if (frame_read(f, &e, sizeof e, NULL) < 0) {
        not_understood(k);
        return;
    }
    if (k->vt) show_screen(k);
    k->events->exited(k->user, (struct ending){.code = e.code, .signal = e.signal});
}

/* What the viewer or the journal has is not this incarnation's, or more than there is: something else is tried. */
static void on_refused(struct tap_keeper *k, const struct frame *f) {
    if (k->way + 1 < WAY_NONE && !k->welcomed) {
        begin_anew(k, k->way + 1);
        return;
    }
    k->stop = true;
    k->over = err_set(&k->why, -ECONNREFUSED, "%.*s", SPAN_ARG(f->payload));
}

static void on_frame(void *user, const struct frame *f) {
    struct tap_keeper *k = user;
    switch (f->type) {
    case FRAME_WELCOME: on_welcome(k, f); break;
    case FRAME_RESIZED: on_resized(k, f); break;
    case FRAME_GAP: on_gap(k, f); break;
    case FRAME_EXITED: on_exited(k, f); break;
    case FRAME_REFUSED: on_refused(k, f); break;
    default: break;
    }
}

static const struct frame_feed_ops feed_ops = {.output = on_output, .frame = on_frame};

static int ready(struct tap *t, short events, struct err *err) {
    struct tap_keeper *k = CONTAINER_OF(t, struct tap_keeper, tap);
    k->stop = false;
    if (events & (POLLIN | POLLHUP | POLLERR)) {
        AUTO(free) char *bytes = xmalloc(READ_BYTES);
        ssize_t n = recv(t->fd, bytes, READ_BYTES, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
        if (n <= 0) return err_set(err, -EPIPE, "its keeper is gone");
        if (frame_feed(&k->feed, span_of(bytes, (size_t)n), &feed_ops, k, &k->stop) < 0) not_understood(k);
        if (k->stop && k->over < 0) return err_set(err, k->over, "%s", k->why.msg);
    }
    return flush(k) < 0 ? err_set(err, -EPIPE, "its keeper is gone") : 0;
}

static int send_input(struct tap_keeper *k, uint64_t answers, struct span bytes) {
    const struct frame_input head = {.answers = answers};
    int r = 0;
    for (; bytes.n && r == 0; bytes = span_skip(bytes, FRAME_DATA_MAX))
        r = send_frame(k, FRAME_INPUT, &head, sizeof head, span_take(bytes, FRAME_DATA_MAX));
    (void)flush(k);
    return r;
}

static int input(struct tap *t, struct span bytes) {
    return send_input(CONTAINER_OF(t, struct tap_keeper, tap), 0, bytes);
}

/* A daemon that is there, or on its way, answers by itself. Questions are rare: it is looked for each time. */
static void answer(struct tap *t, uint64_t offset, struct span bytes) {
    struct daemon_info daemon;
    AUTO(fd) int fd = client_find(&daemon, NULL) == 0 ? client_connect(&daemon, NULL) : -1;
    if (fd < 0) (void)send_input(CONTAINER_OF(t, struct tap_keeper, tap), offset, bytes);
}

static int resize(struct tap *t, unsigned cols, unsigned rows) {
    struct tap_keeper *k = CONTAINER_OF(t, struct tap_keeper, tap);
    k->want_cols = cols;
    k->want_rows = rows;
    send_size(k, cols, rows);
    return flush(k);
}

static void shown(struct tap *t UNUSED, uint64_t offset UNUSED) {}

static int end(struct tap *t, struct err *err) {
    struct tap_keeper *k = CONTAINER_OF(t, struct tap_keeper, tap);
    int r = send_frame(k, FRAME_END, NULL, 0, SPAN_NONE);
    if (r == 0) r = flush(k);
    return r < 0 ? err_sys(err, r, "its keeper does not take it") : 0;
}

static bool takes(const struct tap *t) {
    return CONTAINER_OF(t, const struct tap_keeper, tap)->welcomed;
}

static size_t unsent(const struct tap *t) {
    return CONTAINER_OF(t, const struct tap_keeper, tap)->out.n;
}

static void close_tap(struct tap *t) {
    struct tap_keeper *k = CONTAINER_OF(t, struct tap_keeper, tap);
    if (t->fd >= 0) (void)close(t->fd);
    vt_free(k->vt);
    buf_fini(&k->out);
    free(k);
}

static const struct tap_type keeper_type = {.ready = ready,
                                            .input = input,
                                            .answer = answer,
                                            .resize = resize,
                                            .shown = shown,
                                            .end = end,
                                            .takes = takes,
                                            .unsent = unsent,
                                            .close = close_tap};

int tap_open_keeper(const struct tap_target *target, const struct tap_from *from,
                    const struct tap_events *events, void *user, struct tap **ret, struct err *err) {
    struct tap_keeper *k = xcalloc(1, sizeof *k);
    k->tap = (struct tap){.type = &keeper_type, .fd = -1};
    k->events = events;
    k->user = user;
    k->out = BUF_INIT(TAP_UNSENT_MAX * 2);
    k->want_cols = target->cols;
    k->want_rows = target->rows;
    if (from) k->from = *from;
    int r = path_join(k->socket, target->dir, "keeper.sock");
    if (r == 0) r = path_join(k->journal, target->dir, "journal");
    r = r < 0 ? err_sys(err, r, "its directory cannot be named")
              : begin(k, from ? WAY_GO_ON : WAY_JOURNAL, err);
    if (r < 0) {
        close_tap(&k->tap);
        return r;
    }
    *ret = &k->tap;
    return 0;
}
