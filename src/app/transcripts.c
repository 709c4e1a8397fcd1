#define LOG_TAG "repair"
#include "app/transcripts.h"

#include "app/app.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"

#include <errno.h>
#include <stdlib.h>

enum { WAIT_MS = 10000, ANSWER_BYTES = 4096 };

/* What was found, in the words of the board */

enum transcript_health transcripts_health(const struct mend_news *n) {
    const struct mender_outcome *o = &n->outcome;
    if (n->waits) return TRANSCRIPT_HEALTH_CORRUPTED;
    switch (o->scan.status) {
    case TRANSCRIPT_MISSING: return TRANSCRIPT_HEALTH_MISSING;
    case TRANSCRIPT_UNREADABLE: return TRANSCRIPT_HEALTH_UNREADABLE;
    case TRANSCRIPT_CORRUPTED:
        return o->scan.left_alone ? TRANSCRIPT_HEALTH_CORRUPTED : TRANSCRIPT_HEALTH_UNRECOVERABLE;
    case TRANSCRIPT_HEALTHY:
    case TRANSCRIPT_N_: break;
    }
    if (o->mend.status == MEND_FAILED) return TRANSCRIPT_HEALTH_UNRECOVERABLE;
    return o->mend.status == MEND_REPAIRED ? TRANSCRIPT_HEALTH_REPAIRED : TRANSCRIPT_HEALTH_HEALTHY;
}

static const char *advice(const struct mend_news *n, enum transcript_health health) {
    if (health == TRANSCRIPT_HEALTH_MISSING)
        return "There is no transcript on disk: a resume would start fresh.";
    if (health == TRANSCRIPT_HEALTH_CORRUPTED && n->outcome.scan.left_alone)
        return "Its repair was undone: ostler repair fix mends it again.";
    if (health == TRANSCRIPT_HEALTH_CORRUPTED)
        return "It is being written to: it will be mended when that pauses.";
    if (health == TRANSCRIPT_HEALTH_UNREADABLE || health == TRANSCRIPT_HEALTH_UNRECOVERABLE) {
        const char *why = n->outcome.err.msg;
        return why[0] ? why : "It could not be mended: ostler repair fix says why.";
    }
    return NULL;
}

/* Links that were mended by this look, and lines that were parted. */
static uint64_t links_of(const struct mend_news *n) {
    const struct mend_verdict *v = &n->outcome.mend;
    if (v->status != MEND_REPAIRED) return 0;
    return v->orphans_fixed + v->cycles_fixed + v->stop_hooks_fixed + v->glued_fixed;
}

static uint64_t mended_earlier(const struct app *app, struct span session_id) {
    const uint64_t *links = map_get(&app->mended, session_id);
    return links ? *links : 0;
}

static struct transcript_news news_of(const struct app *app, const struct mend_news *n) {
    const struct scan_verdict *before = links_of(n) ? &n->outcome.mend.before : &n->outcome.scan;
    struct transcript_news news = {.health = transcripts_health(n),
                                   .depth = n->outcome.scan.depth,
                                   .depth_before = before->depth,
                                   .orphans = before->orphans + before->cycles + before->glued,
                                   .fixed = links_of(n)};
    news.message = advice(n, news.health);
    /* Mended earlier in this daemon's life, by the walk over the disk perhaps: that is news to who asks now. */
    uint64_t earlier = mended_earlier(app, n->session_id);
    if (earlier && news.health == TRANSCRIPT_HEALTH_HEALTHY) {
        news.health = TRANSCRIPT_HEALTH_REPAIRED;
        news.fixed = earlier;
    }
    return news;
}

/* The card learns of it by a record, like of everything that comes from outside; but not of what it knows. */
static void tell_card(struct app *app, const struct mend_news *n, const struct transcript_news *news) {
    const struct worker *w = state_find(&app->state, n->session_id);
    const struct conversation *c = w ? &w->conversation : NULL;
    if (!c || c->cli != CLI_CLAUDE || !c->session_id || !span_eq(n->session_id, span_str(c->session_id)))
        return;
    const struct scan_verdict *v = &n->outcome.scan;
    const struct transcript_finding *f = &c->transcript;
    uint64_t links = links_of(n);
    bool same_health =
        f->health == news->health || (f->health == TRANSCRIPT_HEALTH_REPAIRED &&
                                      transcripts_health(n) == TRANSCRIPT_HEALTH_HEALTHY && f->links);
    if (links == 0 && same_health && f->depth == v->depth && f->messages == v->messages) return;
    struct command cmd = {.kind = COMMAND_TRANSCRIPT,
                          .session = n->session_id,
                          .value = span_str(transcript_health_to_str(news->health)),
                          .title = span_str(news->message),
                          .depth = (int64_t)v->depth,
                          .messages = (int64_t)v->messages,
                          .links = (int64_t)links};
    int r = calls_note(&app->calls, &cmd);
    if (r < 0) log_warn("cannot note what was found in a transcript: %s", strerror(-r));
}

static void on_news(void *user, const struct mend_news *n) {
    struct app *app = user;
    struct transcript_news news = news_of(app, n);
    if (links_of(n)) {
        uint64_t *links = xmalloc(sizeof *links);
        *links = mended_earlier(app, n->session_id) + links_of(n);
        free(map_put(&app->mended, n->session_id, links));
        log_info("mended %s: %llu links, the chain is %llu messages long; its backup is %s", n->path,
                 (unsigned long long)links_of(n), (unsigned long long)news.depth, n->outcome.mend.backup);
    } else if (news.health == TRANSCRIPT_HEALTH_UNRECOVERABLE ||
               news.health == TRANSCRIPT_HEALTH_UNREADABLE) {
        log_warn("a transcript could not be mended: %s", news.message);
    }
    board_transcript_news(app->board, n->session_id, &news);
    tell_card(app, n, &news);
}

const struct mend_queue_ops transcripts_queue_ops = {.news = on_news};

/* Who asks */

void transcripts_look(void *user, struct span session_id, const struct session *s,
                      enum board_urgency urgency) {
    struct app *app = user;
    const struct conversation *c = s ? &s->primary->conversation : NULL;
    if (c && c->cli != CLI_CLAUDE) {
        struct transcript_news none = {.health = TRANSCRIPT_HEALTH_MISSING,
                                       .message = "Only the transcripts of Claude Code are looked after."};
        board_transcript_news(app->board, session_id, &none);
        return;
    }
    static const enum mend_priority priorities[BOARD_URGENCY_N_] = {MEND_ACTIVE, MEND_VISIBLE,
                                                                    MEND_BACKGROUND};
    mend_queue_look(&app->mend_queue, session_id, c ? c->transcript_path : NULL, priorities[urgency]);
}

void transcripts_ended(struct app *app, const struct session *s) {
    const struct conversation *c = &s->primary->conversation;
    mend_queue_look(&app->mend_queue, span_str(c->session_id), c->transcript_path, MEND_VISIBLE);
}

struct asking {
    struct app *app;
    struct http_exchange *exchange;
};

static void on_waited(void *user, int result, const struct mend_news *n) {
    struct asking *a = user;
    struct http_exchange *x = a->exchange;
    if (result == -ETIMEDOUT) {
        http_reply_error(x, 504, "its transcript is still being looked at; the card will say what was found");
    } else if (result < 0) {
        http_reply_error(
            x, 503,
            "its transcript was not looked at: the daemon is stopping, or its log says why it cannot");
    } else {
        struct transcript_news news = news_of(a->app, n);
        AUTO(buf) struct buf body = BUF_INIT(ANSWER_BYTES);
        board_msg_session_status(&body, n->session_id, &news);
        api_reply_json(x, 200, &body);
    }
    free(a);
}

void transcripts_repair(void *user, struct http_exchange *x, const struct session *s) {
    struct app *app = user;
    const struct conversation *c = &s->primary->conversation;
    if (c->cli != CLI_CLAUDE || !c->session_id) {
        http_reply_error(x, 409, "only the transcripts of Claude Code can be mended");
        return;
    }
    struct asking *a = xcalloc(1, sizeof *a);
    *a = (struct asking){app, x};
    (void)mend_queue_wait(&app->mend_queue, span_str(c->session_id), c->transcript_path, WAIT_MS, on_waited,
                          a);
}
