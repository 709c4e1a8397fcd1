#define LOG_TAG "probe"
#include "app/probe.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "platform/proc.h"
#include "spool/append.h"

#include <string.h>

/* The hook's clock and the process' start need not agree to the millisecond. */
enum { SLACK_MS = 1000, RECORD_BYTES_MAX = 4096 };

static bool has_child(const struct conversation *c, int64_t now_ms) {
    int64_t since = c->tool_now ? c->tool_now_ms : c->status_since_ms;
    return proc_has_child((pid_t)c->pid, proc_ticks_ago(now_ms - since + SLACK_MS));
}

static void write_record(struct jwrite *w, const struct probe_finding *f, int64_t now_ms) {
    jwrite_object(w);
    jwrite_key(w, "ostler");
    jwrite_object(w);
    jwrite_ki64(w, "v", 1);
    jwrite_kcstr(w, "via", "daemon");
    jwrite_ki64(w, "hook_sent_at", now_ms);
    jwrite_key(w, "probe");
    jwrite_object(w);
    jwrite_kcstr(w, "session", f->session);
    jwrite_kcstr(w, "for", probe_to_str(f->what));
    jwrite_ki64(w, "pid", f->pid);
    if (f->start) jwrite_ku64(w, "start", f->start);
    jwrite_kbool(w, "alive", f->alive);
    jwrite_kbool(w, "child", f->child);
    jwrite_object_end(w);
    jwrite_object_end(w);
    jwrite_key(w, "payload");
    jwrite_object(w);
    jwrite_object_end(w);
    jwrite_object_end(w);
}

int probe_report(const struct probe_site *site, const struct probe_finding *f) {
    AUTO(buf) struct buf record = BUF_INIT(RECORD_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&record);
    write_record(&w, f, usec_to_msec(clock_wall(site->clock)));
    int r = spool_append(site->spool_dir, &(struct iovec){record.p, record.n}, 1);
    if (r < 0) {
        log_warn("cannot note what process %lld does: %s", (long long)f->pid, strerror(-r));
        return r;
    }
    ingest_poke(site->ingest);
    return 0;
}

void probe_run(const struct probe_site *site, const struct session *s, enum probe what) {
    const struct conversation *c = &s->primary->conversation;
    bool alive = proc_alive(c->pid, c->pid_start);
    struct probe_finding f = {.session = s->id, .what = what, .pid = c->pid, .alive = alive};
    f.child = alive && has_child(c, usec_to_msec(clock_wall(site->clock)));
    (void)probe_report(site, &f);
}
