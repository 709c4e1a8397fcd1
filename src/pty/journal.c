/*
 * The journal's side of the loop. What is to be written is queued; while a job of the pool writes, more gathers for the next
 * one, so that a busy terminal is written in large pieces. A second job tidies up behind it. When the disk refuses, the writer
 * keeps what it has, is asked again every second, and gives up what grows too large.
 */
#include "pty/journal.h"

#define LOG_TAG "journal"

#include "base/list.h"
#include "base/log.h"
#include "base/mem.h"
#include "pty/journal_files.h"
#include "pty/journal_tidy.h"
#include "pty/journal_writer.h"

enum { OP_BYTES_MAX = 16 << 20 }; /* in one piece */

struct journal {
    uv_loop_t *loop;
    const struct journal_ops *ops;
    void *user;
    void (*done)(void *user); /* of journal_close() */
    void *done_user;

    struct list queue; /* struct journal_op */
    size_t queued;     /* bytes in it */
    struct buf spare;  /* the next one's, while it is busy: large pieces of memory are not cheap to come by */
    size_t unwritten;  /* bytes that the writer keeps because the disk refused them */
    uint64_t epoch, offset; /* told last */
    bool working, tidying, closing;
    bool due;     /* a second has passed: sync, or try again */
    bool refused; /* the disk did */
    uv_timer_t timer;

    /* The writing job's while it works. */
    uv_work_t work;
    struct journal_writer writer;
    struct list taken, finished;
    bool rests; /* nothing came for a while: memory is given back */
    size_t taken_bytes;
    bool syncs, last;
    int result;
    struct err err;

    /* The tidying job's. */
    uv_work_t tidy;
    uint64_t tidied; /* segments before this one are in order, or will be when it ends */
    int tidy_result;
    struct err tidy_err;
};

static void consider(struct journal *j);

static void op_free(struct journal_op *op) {
    list_remove(&op->in_journal);
    buf_fini(&op->bytes);
    free(op);
}

static void free_ops(struct list *ops) {
    list_for_each_safe(at, ops)
        op_free(list_entry(at, struct journal_op, in_journal));
}

static void on_timer(uv_timer_t *timer) {
    struct journal *j = timer->data;
    j->due = true;
    consider(j);
}

struct journal *journal_open(uv_loop_t *loop, const char *dir, const struct redact_set *set,
                             const struct journal_ops *ops, void *user) {
    struct journal *j = xcalloc(1, sizeof *j);
    j->loop = loop;
    j->ops = ops;
    j->user = user;
    list_init(&j->queue);
    list_init(&j->taken);
    list_init(&j->finished);
    j->spare = BUF_INIT(OP_BYTES_MAX);
    journal_writer_init(&j->writer, dir, set);
    (void)uv_timer_init(loop, &j->timer);
    j->timer.data = j->work.data = j->tidy.data = j;
    return j;
}

/* On the pool */

static void do_work(uv_work_t *work) {
    struct journal *j = work->data;
    struct journal_writer *w = &j->writer;
    j->result = journal_writer_open(w, &j->err);
    if (j->result < 0 && !j->last && j->taken_bytes < JOURNAL_PENDING_BYTES) return;
    if (j->result < 0) journal_writer_open_blind(w);
    while (!list_empty(&j->taken)) {
        struct journal_op *op = list_first(&j->taken, struct journal_op, in_journal);
        journal_writer_take(w, op);
        list_remove(&op->in_journal);
        list_append(&j->finished, &op->in_journal);
    }
    j->result = journal_writer_write(w, &j->err);
    if (j->result < 0 && (w->out.n >= JOURNAL_PENDING_BYTES || w->out.failed)) journal_writer_give_up(w);
    if (j->syncs && j->result == 0) j->result = journal_writer_sync(w, &j->err);
    if (j->rests) journal_writer_rest(w);
}

static void do_tidy(uv_work_t *work) {
    struct journal *j = work->data;
    j->tidy_result = journal_tidy(j->writer.dir, j->tidied, &j->tidy_err);
}

/* On the loop */

static void on_closed(uv_handle_t *timer) {
    struct journal *j = timer->data;
    void (*done)(void *user) = j->done;
    void *user = j->done_user;
    free_ops(&j->queue);
    free_ops(&j->taken);
    buf_fini(&j->spare);
    journal_writer_fini(&j->writer);
    free(j);
    if (done) done(user);
}

static void tell_trouble(struct journal *j) {
    bool refused = j->result < 0;
    if (refused == j->refused) return;
    j->refused = refused;
    if (refused) log_warn("%s", j->err.msg);
    if (!j->closing && j->ops->trouble) j->ops->trouble(j->user, refused ? j->err.msg : NULL);
}

static void tell_written(struct journal *j) {
    const struct journal_writer *w = &j->writer;
    if (!w->opened || (w->place.epoch == j->epoch && w->done == j->offset)) return;
    j->epoch = w->place.epoch;
    j->offset = w->done;
    if (!j->closing && j->ops->written) j->ops->written(j->user, j->epoch, j->offset);
}

static void after_tidy(uv_work_t *work, int status) {
    struct journal *j = work->data;
    (void)status;
    j->tidying = false;
    if (j->tidy_result < 0) log_warn("%s", j->tidy_err.msg);
    consider(j);
}

/* Segments that were finished since the last time. */
static void tidy_up(struct journal *j) {
    if (j->tidying || j->closing || j->writer.number <= MAX(j->tidied, 1)) return;
    j->tidied = j->writer.number;
    j->tidying = uv_queue_work(j->loop, &j->tidy, do_tidy, after_tidy) == 0;
}

/* The memory of the largest is kept for the next. */
static void recycle(struct journal *j) {
    list_for_each_safe(at, &j->finished) {
        struct journal_op *op = list_entry(at, struct journal_op, in_journal);
        if (!op->begins && op->bytes.room > j->spare.room) {
            struct buf larger = op->bytes;
            op->bytes = j->spare;
            j->spare = larger;
        }
        op_free(op);
    }
    buf_clear(&j->spare);
    if (j->rests) buf_fini(&j->spare);
}

static void after_work(uv_work_t *work, int status) {
    struct journal *j = work->data;
    (void)status;
    j->working = false;
    recycle(j);
    /* What was not even looked at, because the directory cannot be read, waits at its place. */
    while (!list_empty(&j->taken)) {
        struct list *last = j->taken.prev;
        list_remove(last);
        list_insert_before(j->queue.next, last);
        j->queued += list_entry(last, struct journal_op, in_journal)->bytes.n;
    }
    j->unwritten = j->writer.out.n;
    bool told_closing = j->closing;
    tell_written(j);
    tell_trouble(j);
    if (!told_closing) tidy_up(j);
    bool restless = journal_writer_restless(&j->writer) || j->spare.room > JOURNAL_REST_BYTES;
    if ((j->writer.dirty || j->refused || restless) && !uv_is_active((uv_handle_t *)&j->timer))
        (void)uv_timer_start(&j->timer, on_timer, JOURNAL_SYNC_MS, 0);
    consider(j);
}

static void start_work(struct journal *j) {
    while (!list_empty(&j->queue)) {
        struct list *op = j->queue.next;
        list_remove(op);
        list_append(&j->taken, op);
    }
    j->taken_bytes = j->queued;
    j->queued = 0;
    j->syncs = j->due || j->closing;
    j->rests = j->syncs && list_empty(&j->taken);
    j->last = j->closing;
    j->due = false;
    j->working = uv_queue_work(j->loop, &j->work, do_work, after_work) == 0;
}

static bool has_work(const struct journal *j) {
    if (j->closing && !j->last) return true;
    if (j->tidying && j->writer.number > j->tidied + 1)
        return false; /* it must not run away from the tidying */
    if (j->due) return true;
    if (j->refused) return j->queued + j->unwritten >= JOURNAL_PENDING_BYTES;
    return !list_empty(&j->queue);
}

static void consider(struct journal *j) {
    if (j->working) return;
    if (has_work(j))
        start_work(j);
    else if (j->last && !j->tidying && !uv_is_closing((uv_handle_t *)&j->timer))
        uv_close((uv_handle_t *)&j->timer, on_closed);
}

static struct journal_op *queue(struct journal *j, struct tape_record record) {
    assert(!j->closing);
    struct journal_op *op = xcalloc(1, sizeof *op);
    op->record = record;
    op->bytes = j->spare;
    j->spare = BUF_INIT(OP_BYTES_MAX);
    list_append(&j->queue, &op->in_journal);
    return op;
}

static struct journal_op *last_op(const struct journal *j, enum tape_kind kind) {
    if (list_empty(&j->queue)) return NULL;
    struct journal_op *op = list_entry(j->queue.prev, struct journal_op, in_journal);
    return !op->begins && op->record.kind == kind ? op : NULL;
}

void journal_begin(struct journal *j, uint64_t epoch, const struct vt *screen) {
    struct journal_op *op = queue(j, (struct tape_record){0});
    op->begins = true;
    op->epoch = epoch;
    op->bytes.cap = JOURNAL_FILES_SCREEN_MAX;
    if (screen) vt_save(screen, &op->bytes);
    consider(j);
}

void journal_append(struct journal *j, uint64_t offset, struct span bytes) {
    if (!bytes.n) return;
    struct journal_op *op = last_op(j, TAPE_OUTPUT);
    if (!op || op->record.offset + op->bytes.n != offset || op->bytes.n + bytes.n > op->bytes.cap)
        op = queue(j, (struct tape_record){.kind = TAPE_OUTPUT, .offset = offset});
    (void)buf_append_span(&op->bytes, bytes);
    j->queued += bytes.n;
    consider(j);
}

void journal_resized(struct journal *j, uint64_t offset, unsigned cols, unsigned rows) {
    struct tape_record size = {.kind = TAPE_RESIZED, .offset = offset, .cols = cols, .rows = rows};
    struct journal_op *op = last_op(j, TAPE_RESIZED);
    if (op)
        op->record = size;
    else
        (void)queue(j, size);
    consider(j);
}

void journal_gap(struct journal *j, uint64_t from, uint64_t to) {
    (void)queue(j, (struct tape_record){.kind = TAPE_GAP, .offset = from, .to = to});
    consider(j);
}

void journal_exited(struct journal *j, uint64_t offset, int code, int signal, int64_t at_ms) {
    (void)queue(j,
                (struct tape_record){
                    .kind = TAPE_EXITED, .offset = offset, .code = code, .signal = signal, .at_ms = at_ms});
    consider(j);
}

size_t journal_pending(const struct journal *j) {
    return j->queued + j->unwritten;
}

void journal_close(struct journal *j, void (*done)(void *user), void *user) {
    j->closing = true;
    j->done = done;
    j->done_user = user;
    consider(j);
}
