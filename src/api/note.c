#include "api/note.h"

#include "spool/append.h"

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

int note_end(const struct notes *n, struct jwrite *w) {
    jwrite_object_end(w);
    jwrite_key(w, "payload");
    jwrite_object(w);
    jwrite_object_end(w);
    jwrite_object_end(w);
    int r = spool_append(n->spool_dir, &(struct iovec){w->out->p, w->out->n}, 1);
    if (r == 0) ingest_poke(n->ingest);
    return r;
}
