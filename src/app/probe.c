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

static bool is_alive(const struct conversation *c) {
    struct proc p;
    if (proc_read((pid_t)c->pid, &p) < 0) return false;
    return c->pid_start == 0 || p.start == c->pid_start;
}

static bool has_child(const struct conversation *c, int64_t now_ms) {
    int64_t since = c->tool_now ? c->tool_now_ms : c->status_since_ms;
    return proc_has_child((pid_t)c->pid, proc_ticks_ago(now_ms - since + SLACK_MS));
}

void probe_run(const struct probe_site *site, const struct session *s, enum probe what) {
    const struct conversation *c = &s->primary->conversation;
    int64_t now_ms = usec_to_msec(clock_wall(site->clock));
    bool alive = is_alive(c);
    AUTO(buf) struct buf record = BUF_INIT(RECORD_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&record);
    jwrite_object(&w);
    jwrite_key(&w, "ostler");
    jwrite_object(&w);
    jwrite_ki64(&w, "v", 1);
    jwrite_kcstr(&w, "via", "daemon");
    jwrite_ki64(&w, "hook_sent_at", now_ms);
    jwrite_key(&w, "probe");
    jwrite_object(&w);
    jwrite_kcstr(&w, "session", s->id);
    jwrite_kcstr(&w, "for", probe_to_str(what));
    jwrite_ki64(&w, "pid", c->pid);
    jwrite_kbool(&w, "alive", alive);
    jwrite_kbool(&w, "child", alive && has_child(c, now_ms));
    jwrite_object_end(&w);
    jwrite_object_end(&w);
    jwrite_key(&w, "payload");
    jwrite_object(&w);
    jwrite_object_end(&w);
    jwrite_object_end(&w);

    int r = spool_append(site->spool_dir, &(struct iovec){record.p, record.n}, 1);
    if (r < 0)
        log_warn("cannot note what process %lld does: %s", (long long)c->pid, strerror(-r));
    else
        ingest_poke(site->ingest);
}
