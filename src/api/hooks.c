/*
 * POST /api/hooks: a payload goes into the same spool as the hook's records, and is answered once it is there. Whether
 * it is a valid event is checked first, with the very function that will read it back.
 */
#include "api/api.h"
#include "base/cleanup.h"
#include "base/jmend.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "core/event.h"
#include "net/peer.h"
#include "platform/proc.h"
#include "spool/append.h"
#include "spool/record.h"

#include <errno.h>
#include <string.h>

enum { KEY_MAX = 128, ARENA_BYTES = 8 * SPOOL_RECORD_MAX };

static void reply_refused(struct http_exchange *x, int status, const char *why) {
    AUTO(buf) struct buf body = BUF_INIT(4096);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kbool(&w, "success", false);
    jwrite_kcstr(&w, "error", why);
    jwrite_object_end(&w);
    api_reply_json(x, status, &body);
}

/* Of this user and this machine? Of anybody else the numbers of processes mean nothing here, or somebody else, who would be killed
 * in the agent's place. */
static bool is_from_here(const struct http_exchange *x) {
    return http_who(x) == HTTP_USER || http_who(x) == HTTP_OWNER;
}

/* Since when the process runs that the payload names, in clock ticks since boot, as our own hook would tell: only with that is
 * it known for the same one later. 0: it names none, or one that is gone. */
static uint64_t process_start(struct span payload) {
    struct jmember pid = JMEMBER("claude_pid");
    int64_t number = 0;
    struct proc p;
    bool named = jscan_kind(payload) == JKIND_OBJECT && jscan_object(payload, &pid, 1) == 1 &&
                 jscan_i64(pid.value, &number);
    return named && number > 0 && number <= INT32_MAX && proc_read((pid_t)number, &p) == 0 ? p.start : 0;
}

/* The record up to the payload. */
static void write_envelope(struct buf *out, const struct api *api, struct span cli, struct span key,
                           bool from_here, struct span payload) {
    uint64_t start = from_here ? process_start(payload) : 0;
    usec_t now = clock_wall(api->clock);
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_key(&w, "ostler");
    jwrite_object(&w);
    jwrite_ki64(&w, "v", 1);
    jwrite_kcstr(&w, "via", "http");
    if (cli.n) jwrite_kstr(&w, "cli", cli);
    jwrite_key(&w, "hook_sent_at");
    jwrite_double(&w, (double)now / 1000.0);
    if (key.n) jwrite_kstr(&w, "key", key);
    if (start) jwrite_ku64(&w, "claude_start", start);
    if (!from_here) jwrite_kbool(&w, "elsewhere", true);
    jwrite_object_end(&w);
    jwrite_key(&w, "payload");
}

static void reply_append_failed(struct http_exchange *x, const struct api *api, int code) {
    char why[ERR_MSG_BYTES];
    (void)snprintf(why, sizeof why, "the spool %s cannot be written: %s", api->spool_dir, strerror(-code));
    reply_refused(x, 503, why);
}

static bool admit(const struct api *api, struct http_exchange *x) {
    char peer[HTTP_PEER_BYTES];
    http_peer(x, peer);
    if (rate_allow(api->hook_rate, span_str(peer), clock_mono(api->clock))) return true;
    http_add_header(x, SPAN("Retry-After"), SPAN("1"));
    reply_refused(x, 429, "Hook rate limit exceeded (100/sec)");
    return false;
}

void api_post_hook(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    struct api *api = user;
    const struct http_request *req = http_request(x);
    if (!admit(api, x)) return;
    struct span key = http_header(x, SPAN("idempotency-key")), cli = SPAN_NONE;
    (void)http_query(x, SPAN("cli"), &cli);
    if (key.n > KEY_MAX) {
        reply_refused(x, 400, "Idempotency-Key too long (max 128 chars)");
        return;
    }
    if (req->body.n > SPOOL_PAYLOAD_MAX) {
        reply_refused(x, 413, "payload too large (max 8 MiB)");
        return;
    }

    /* What lies in the spool is what was meant, not how it was written. */
    AUTO(arena) struct arena arena = ARENA_INIT(ARENA_BYTES);
    struct span payload;
    if (jmend(req->body, EVENT_DEPTH_MAX, &arena, &payload) < 0) {
        hook_stats_note_refused(api->hook_stats, SPAN_NONE);
        reply_refused(x, 400, "payload must be a JSON object");
        return;
    }
    AUTO(buf) struct buf record = BUF_INIT(SPOOL_RECORD_MAX);
    write_envelope(&record, api, cli, key, is_from_here(x), payload);
    size_t at = record.n;
    (void)buf_append_span(&record, payload);
    (void)buf_append_char(&record, '}');
    if (record.failed) {
        reply_refused(x, 413, "payload too large (max 8 MiB)");
        return;
    }
    record_flatten(record.p + at, payload.n);

    struct event ev;
    struct err err = {0};
    int r = event_parse(buf_span(&record), 0, &arena, &ev, &err);
    if (r < 0) {
        hook_stats_note_refused(api->hook_stats, event_unknown_name(r, &err));
        reply_refused(x, 400, err.msg);
        return;
    }
    const struct iovec part = {.iov_base = record.p, .iov_len = record.n};
    r = spool_append(api->spool_dir, &part, 1);
    if (r < 0) {
        reply_append_failed(x, api, r);
        return;
    }
    ingest_poke(api->ingest);
    http_reply_static(x, 200, SPAN("application/json; charset=utf-8"), SPAN("{\"ok\":true}"));
}
