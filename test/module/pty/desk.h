/* A journal on a loop of its own, and what it told. */
#pragma once

#include "base/cleanup.h"
#include "base/mem.h"
#include "pty/journal.h"
#include "temp_dir.h"
#include "test.h"

enum { DESK_PATIENCE_MS = 30000 };

struct desk {
    uv_loop_t loop;
    uv_timer_t patience;
    struct redact_set *set;
    struct journal *j;
    uint64_t epoch, written;
    unsigned troubles, recoveries;
    char trouble[ERR_MSG_BYTES]; /* "" when there is none */
    bool closed;
};

static inline void desk_written(void *user, uint64_t epoch, uint64_t offset) {
    struct desk *d = user;
    CHECK(epoch != d->epoch || offset > d->written);
    d->epoch = epoch;
    d->written = offset;
}

static inline void desk_trouble(void *user, const char *why) {
    struct desk *d = user;
    (void)snprintf(d->trouble, sizeof d->trouble, "%s", why ? why : "");
    if (why)
        d->troubles++;
    else
        d->recoveries++;
}

static inline void desk_impatient(uv_timer_t *timer) {
    (void)timer;
    fail_msg("waited in vain");
}

static inline void desk_open(struct desk *d, const char *dir) {
    static const struct journal_ops ops = {.written = desk_written, .trouble = desk_trouble};
    *d = (struct desk){0};
    CHECK_INT(uv_loop_init(&d->loop), 0);
    CHECK_INT(uv_timer_init(&d->loop, &d->patience), 0);
    CHECK_INT(uv_timer_start(&d->patience, desk_impatient, DESK_PATIENCE_MS, 0), 0);
    CHECK_INT(redact_compile(SPAN_NONE, &d->set, NULL), 0);
    d->j = journal_open(&d->loop, dir, d->set, &ops, d);
}

static inline void desk_turn(struct desk *d) {
    (void)uv_run(&d->loop, UV_RUN_ONCE);
}

static inline void desk_await(struct desk *d, uint64_t written) {
    while (d->written < written)
        desk_turn(d);
}

static inline void desk_on_closed(void *user) {
    ((struct desk *)user)->closed = true;
}

static inline void desk_close(struct desk *d) {
    journal_close(d->j, desk_on_closed, d);
    uv_close((uv_handle_t *)&d->patience, NULL);
    (void)uv_run(&d->loop, UV_RUN_DEFAULT);
    CHECK(d->closed);
    CHECK_INT(uv_loop_close(&d->loop), 0);
    redact_set_free(d->set);
}

/* Lines that tell their place: byte `offset` of a made-up output. Only at a line's end nothing of it is held back as what
 * might begin a secret. */
#define DESK_LINE "\033[1mline\033[m ........ of a program's output, line by line\r\n"
enum { DESK_LINE_BYTES = sizeof DESK_LINE - 1 };

static inline char desk_byte(uint64_t offset) {
    uint64_t line = offset / DESK_LINE_BYTES, at = offset % DESK_LINE_BYTES;
    return DESK_LINE[at] == '.' ? (char)('0' + (line >> at % 8 * 3) % 8) : DESK_LINE[at];
}

static inline uint64_t desk_line_end(uint64_t offset) {
    return (offset + DESK_LINE_BYTES - 1) / DESK_LINE_BYTES * DESK_LINE_BYTES;
}

static inline void desk_output(struct buf *out, uint64_t offset, size_t n) {
    char *to = buf_reserve(out, n);
    CHECK(to);
    for (size_t i = 0; i < n; i++)
        to[i] = desk_byte(offset + i);
    buf_grew(out, n);
}

static inline void desk_append(struct desk *d, uint64_t offset, size_t n) {
    AUTO(buf) struct buf bytes = BUF_INIT(1 << 30);
    desk_output(&bytes, offset, n);
    journal_append(d->j, offset, buf_span(&bytes));
}

/* Are these the bytes from `offset` on? */
static inline void desk_check(struct span bytes, uint64_t offset) {
    for (size_t i = 0; i < bytes.n; i++)
        if (bytes.p[i] != desk_byte(offset + i)) fail_msg("byte %" PRIu64 " is another one", offset + i);
}

static inline void desk_same_screen(const struct vt *a, const struct vt *b) {
    AUTO(buf) struct buf x = BUF_INIT(1 << 30);
    AUTO(buf) struct buf y = BUF_INIT(1 << 30);
    vt_snapshot(a, VT_SCROLLBACK, &x);
    vt_snapshot(b, VT_SCROLLBACK, &y);
    CHECK_INT(x.n, y.n);
    CHECK(memcmp(x.p, y.p, x.n) == 0);
}
