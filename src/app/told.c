#define LOG_TAG "told"
#include "app/told.h"

#include "base/cleanup.h"
#include "base/log.h"

#include <string.h>

enum { RECORD_BYTES_MAX = 1 << 20 };

static void put(struct jwrite *w, const char *key, struct span value) {
    if (value.n) jwrite_kstr(w, key, value);
}

int told_report(const struct notes *notes, const struct told *t) {
    AUTO(buf) struct buf record = BUF_INIT(RECORD_BYTES_MAX);
    struct jwrite w = note_begin(notes, &record, "state");
    jwrite_object(&w);
    jwrite_kcstr(&w, "session", t->session);
    jwrite_kcstr(&w, "activity", activity_to_str(t->activity));
    jwrite_kcstr(&w, "by", evidence_source_to_str(t->by));
    jwrite_ki64(&w, "since", t->since_ms);
    put(&w, "for", t->text);
    put(&w, "call", t->call);
    put(&w, "tool", t->tool);
    if (t->input.n) {
        jwrite_key(&w, "input");
        jwrite_raw(&w, t->input);
    }
    jwrite_object_end(&w);
    int r = note_end(notes, &w);
    if (r < 0) log_warn("cannot note what %s does: %s", t->session, strerror(-r));
    return r;
}
