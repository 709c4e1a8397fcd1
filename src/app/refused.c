#define LOG_TAG "feed"
#include "app/refused.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/own.h"
#include "core/event.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { SOON_MS = 200, LINE_BYTES_MAX = 8 * REFUSED_PAYLOAD_BYTES };

static void drop_oldest(struct refused *r) {
    r->bytes -= strlen(r->lines[0]) + 1;
    free(r->lines[0]);
    memmove(r->lines, r->lines + 1, --r->n * sizeof *r->lines);
}

static void keep(struct refused *r, struct span line) {
    while (r->n && (r->n == REFUSED_KEPT_MAX || r->bytes + line.n + 1 > REFUSED_BYTES_MAX))
        drop_oldest(r);
    r->lines[r->n++] = xstrndup(line.p, line.n);
    r->bytes += line.n + 1;
}

/* The same record is read again after a crash: everything but the time is as it was. */
static bool is_kept(const struct refused *r, struct span line) {
    const char *time = memmem(line.p, line.n, ",\"at\":", 6);
    size_t same = time ? (size_t)(time - line.p) + 1 : line.n;
    for (size_t i = 0; i < r->n; i++)
        if (strncmp(r->lines[i], line.p, same) == 0) return true;
    return false;
}

/* Writing */

static void join(const struct refused *r, struct buf *out) {
    buf_clear(out);
    for (size_t i = 0; i < r->n; i++)
        (void)buf_printf(out, "%s\n", r->lines[i]);
}

static void write_out(uv_work_t *work) {
    struct refused *r = CONTAINER_OF(work, struct refused, work);
    r->result = file_replace(r->path, buf_span(&r->text), 0600, false);
}

static void on_soon(uv_timer_t *timer);

static void write_soon(struct refused *r) {
    r->changed = true;
    if (!r->writing && !uv_is_active((uv_handle_t *)&r->soon))
        (void)uv_timer_start(&r->soon, on_soon, SOON_MS, 0);
}

static void on_written(uv_work_t *work, int status UNUSED) {
    struct refused *r = CONTAINER_OF(work, struct refused, work);
    r->writing = false;
    if (r->result < 0 && !r->complained) log_warn("cannot write %s: %s", r->path, strerror(-r->result));
    r->complained = r->result < 0;
    if (r->changed && !uv_is_closing((uv_handle_t *)&r->soon)) write_soon(r);
}

static void on_soon(uv_timer_t *timer) {
    struct refused *r = CONTAINER_OF(timer, struct refused, soon);
    r->changed = false;
    join(r, &r->text);
    r->writing = uv_queue_work(timer->loop, &r->work, write_out, on_written) == 0;
}

/* Noting */

static void write_line(const struct refused *r, uint64_t pos, enum event_refusal reason, const char *why,
                       struct span payload, struct buf *out) {
    AUTO(buf) struct buf text = BUF_INIT(REFUSED_PAYLOAD_BYTES);
    (void)buf_append_span(&text, span_take(payload, REFUSED_PAYLOAD_BYTES));
    if (*r->masks) redact_text(*r->masks, text.p, text.n);
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "reason", event_refusal_to_str(reason));
    jwrite_kcstr(&w, "why", why);
    jwrite_ku64(&w, "position", pos);
    jwrite_ku64(&w, "bytes", payload.n);
    jwrite_kstr(&w, "payload", buf_span(&text));
    jwrite_ki64(&w, "at", usec_to_msec(clock_wall(r->clock)));
    jwrite_object_end(&w);
}

void refused_note(struct refused *r, uint64_t pos, enum event_refusal reason, const char *why,
                  struct span record) {
    r->stats->refused++;
    r->stats->refused_by[reason]++;
    r->stats->refused_ms = usec_to_msec(clock_wall(r->clock));
    AUTO(buf) struct buf line = BUF_INIT(LINE_BYTES_MAX);
    write_line(r, pos, reason, why, event_payload(record), &line);
    if (line.failed || is_kept(r, buf_span(&line))) return;
    keep(r, buf_span(&line));
    write_soon(r);
}

/* Life */

static void load(struct refused *r) {
    AUTO(buf) struct buf text = BUF_INIT(2 * REFUSED_BYTES_MAX);
    AUTO(fd) int fd = own_open(r->path, O_RDONLY, 0);
    if (fd < 0 || file_read_fd(fd, &text) < 0) return;
    for (struct span rest = buf_span(&text); rest.n;) {
        struct span line = span_split(&rest, '\n');
        if (line.n && line.n < LINE_BYTES_MAX && !memchr(line.p, '\0', line.n)) keep(r, line);
    }
}

void refused_open(struct refused *r, uv_loop_t *loop, const struct paths *paths, const struct clock *clock,
                  struct api_stats *stats, struct redact_set *const *masks) {
    *r =
        (struct refused){.stats = stats, .clock = clock, .masks = masks, .text = BUF_INIT(REFUSED_BYTES_MAX)};
    (void)uv_timer_init(loop, &r->soon);
    if (path_join(r->path, paths->state, REFUSED_NAME) < 0) r->path[0] = '\0';
    load(r);
}

/* What is being written on the pool keeps the loop alive until it is done. */
void refused_close(struct refused *r) {
    if (r->changed && !r->writing) {
        join(r, &r->text);
        write_out(&r->work);
    }
    uv_close((uv_handle_t *)&r->soon, NULL);
}

void refused_fini(struct refused *r) {
    while (r->n)
        drop_oldest(r);
    buf_fini(&r->text);
}
