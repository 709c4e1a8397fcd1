#define LOG_TAG "probe"
#include "app/probe.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "platform/proc.h"

#include <string.h>

/* The hook's clock and the process' start need not agree to the millisecond. */
enum { SLACK_MS = 1000, RECORD_BYTES_MAX = 4096 };

static bool has_child(const struct conversation *c, int64_t now_ms) {
    int64_t since = c->tool_now ? c->tool_now_ms : c->status_since_ms;
    return proc_child((pid_t)c->pid, proc_ticks_ago(now_ms - since + SLACK_MS)) != 0;
}

int probe_report(const struct notes *notes, const struct probe_finding *f) {
    AUTO(buf) struct buf record = BUF_INIT(RECORD_BYTES_MAX);
    struct jwrite w = note_begin(notes, &record, "probe");
    jwrite_object(&w);
    jwrite_kcstr(&w, "session", f->session);
    jwrite_kcstr(&w, "for", probe_to_str(f->what));
    jwrite_ki64(&w, "pid", f->pid);
    if (f->start) jwrite_ku64(&w, "start", f->start);
    jwrite_kbool(&w, "alive", f->alive);
    jwrite_kbool(&w, "child", f->child);
    jwrite_object_end(&w);
    int r = note_end(notes, &w);
    if (r < 0) log_warn("cannot note what process %lld does: %s", (long long)f->pid, strerror(-r));
    return r;
}

void probe_run(const struct notes *notes, const struct session *s, enum probe what) {
    const struct conversation *c = &s->primary->conversation;
    bool alive = proc_alive(c->pid, c->pid_start);
    struct probe_finding f = {.session = s->id, .what = what, .pid = c->pid, .alive = alive};
    f.child = alive && has_child(c, usec_to_msec(clock_wall(notes->clock)));
    (void)probe_report(notes, &f);
}
