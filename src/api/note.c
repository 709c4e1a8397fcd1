#define LOG_TAG "spool"
#include "api/note.h"

#include "base/log.h"
#include "base/mem.h"
#include "spool/append.h"

#include <errno.h>
#include <stdlib.h>

struct note {
    struct list in_queue;
    size_t n;
    char text[];
};

void note_queue_open(struct note_queue *q, void (*later)(void *user), void *user) {
    *q = (struct note_queue){.later = later, .user = user};
    list_init(&q->waiting);
}

static void forget(struct note_queue *q, struct note *note) {
    q->bytes -= note->n;
    list_remove(&note->in_queue);
    free(note);
}

void note_queue_free(struct note_queue *q) {
    if (!q->later) return; /* it was never opened */
    list_for_each_safe(at, &q->waiting)
        forget(q, list_entry(at, struct note, in_queue));
}

struct jwrite note_begin(const struct notes *n, struct buf *record, const char *key) {
    struct jwrite w = JWRITE_INIT(record);
    jwrite_object(&w);
    jwrite_key(&w, "ostler");
    jwrite_object(&w);
    jwrite_ki64(&w, "v", 1);
    jwrite_kcstr(&w, "via", "daemon");
    jwrite_ki64(&w, "hook_sent_at", usec_to_msec(clock_wall(n->clock)));
    jwrite_key(&w, key);
    return w;
}

static void finish(struct jwrite *w) {
    jwrite_object_end(w);
    jwrite_key(w, "payload");
    jwrite_object(w);
    jwrite_object_end(w);
    jwrite_object_end(w);
}

static int write_now(const struct notes *n, struct span record) {
    int r = spool_append(n->spool_dir, &(struct iovec){(void *)record.p, record.n}, 1);
    if (r == 0) ingest_poke(n->ingest);
    return r;
}

/* Those that wait go first: 0 when there are none. */
static int write_waiting(const struct notes *n) {
    struct note_queue *q = n->queue;
    if (!q) return 0;
    list_for_each_safe(at, &q->waiting) {
        struct note *note = list_entry(at, struct note, in_queue);
        int r = write_now(n, span_of(note->text, note->n));
        if (r < 0) return r;
        forget(q, note);
    }
    return 0;
}

static int wait(const struct notes *n, struct span record, int why) {
    struct note_queue *q = n->queue;
    if (!q || q->bytes + record.n > NOTES_WAITING_BYTES) return why;
    if (list_empty(&q->waiting))
        log_warn("%s cannot be written (%s): what this daemon notes waits", n->spool_dir, strerror(-why));
    struct note *note = xmalloc(sizeof *note + record.n);
    *note = (struct note){.n = record.n};
    memcpy(note->text, record.p, record.n);
    list_append(&q->waiting, &note->in_queue);
    q->bytes += record.n;
    q->later(q->user);
    return 0;
}

int note_end_now(const struct notes *n, struct jwrite *w) {
    finish(w);
    int r = write_waiting(n);
    return r < 0 ? r : write_now(n, buf_span(w->out));
}

int note_end(const struct notes *n, struct jwrite *w) {
    int r = note_end_now(n, w);
    return r < 0 ? wait(n, buf_span(w->out), r) : 0;
}

bool note_retry(const struct notes *n) {
    return write_waiting(n) == 0;
}
