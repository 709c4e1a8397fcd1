#include "app/resumes.h"

#include "api/agent_launch.h"
#include "api/terminals.h"
#include "app/app.h"
#include "app/transcripts.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "base/str.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { WAIT_MS = 10000, ANSWER_BYTES = 4096 };

/* What will be done, and what is said about it. */
struct plan {
    struct terminal *terminal; /* NULL: it gets a new one */
    char id[TERMINAL_ID_BYTES];
    enum terminal_kind kind;
    char **argv;   /* NULL: what ran before, or a shell */
    char *program; /* what people are shown */
    bool fresh;
    const char *message;
};

static struct terminal *terminal_of(const struct app *app, const struct worker *w) {
    const char *id = w->terminal_id ? w->terminal_id : w->last_terminal_id;
    return id ? terminals_find(app->terminals, span_str(id)) : NULL;
}

/* Answers and returns false when there is nothing to bring back. */
static bool is_over(const struct app *app, struct http_exchange *x, const struct worker *w) {
    const struct terminal *t = terminal_of(app, w);
    struct terminal_facts f = {.connection = TERMINAL_ENDED};
    if (t) terminal_facts(t, &f);
    bool ended = w->conversation.status == SESSION_STATUS_ENDED;
    bool live = f.connection == TERMINAL_LIVE || f.connection == TERMINAL_STARTING;
    if (live && ended)
        http_reply_error(x, 409, "its terminal is still open: start the agent there, or close it first");
    else if (live || !ended)
        http_reply_error(x, 409, "the session is live");
    return !live && ended;
}

static struct span body_of(struct http_exchange *x, const struct plan *p) {
    AUTO(buf) struct buf body = BUF_INIT(ANSWER_BYTES);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kbool(&w, "ok", true);
    jwrite_kcstr(&w, "terminalId", p->id);
    jwrite_kbool(&w, "newTerminal", p->terminal == NULL);
    jwrite_kbool(&w, "fresh", p->fresh);
    if (p->message) jwrite_kcstr(&w, "message", p->message);
    jwrite_object_end(&w);
    return arena_dup(http_request(x)->arena, buf_span(&body));
}

/* The words of its agent, as a line for people. */
static char *line_of(char *const *words) {
    AUTO(buf) struct buf line = BUF_INIT(ANSWER_BYTES);
    for (size_t i = 0; words[i]; i++)
        (void)buf_printf(&line, "%s%s", i ? " " : "", words[i]);
    return str_dup(buf_span(&line));
}

static void plan_agent(const struct app *app, const struct worker *w, const char *before, struct plan *p) {
    const char *message;
    AUTO(strv)
    char **words = agent_launch_resume_words(&w->conversation, p->fresh, span_str(before), &message);
    if (!p->message) p->message = message;
    p->kind = TERMINAL_AGENT;
    p->argv = agent_launch_argv(&app->place, (const char *const *)words);
    p->program = line_of(words);
}

static void plan_fini(struct plan *p) {
    strv_free(p->argv);
    free(p->program);
}

static void start(struct app *app, const struct session *s, struct plan *p, struct terminal_call *call) {
    if (p->terminal) {
        terminal_resume(p->terminal, (const char *const *)p->argv, SPAN_NONE, terminal_call_done, call);
        return;
    }
    const struct terminal_spec spec = {
        .id = p->id,
        .kind = p->kind,
        .directory = s->project_path,
        .argv = (const char *const *)p->argv,
        .command = span_str(p->program),
        .title = s->titled ? span_str(s->title) : SPAN_NONE,
        .label = span_str(s->label),
    };
    terminals_create(app->terminals, &spec, terminal_call_done, call);
}

/* The card is told before anything is started: the agent's first words find it waiting for them. */
static void carry_out(struct app *app, struct http_exchange *x, const struct session *s, struct plan *p) {
    const struct command resume = {.kind = COMMAND_RESUME,
                                   .session = span_str(s->id),
                                   .terminal = span_str(p->id),
                                   .hosts = span_str(terminal_kind_to_str(p->kind)),
                                   .program = span_str(p->program),
                                   .value = p->fresh ? SPAN("fresh") : SPAN_NONE};
    int r = calls_note(&app->calls, &resume);
    if (r < 0) {
        http_reply_error(x, 503, "nothing was changed: the spool %s cannot be written: %s", app->paths.spool,
                         strerror(-r));
        return;
    }
    struct arena *arena = http_request(x)->arena;
    struct command *undo = arena_alloc(arena, sizeof *undo);
    if (undo)
        *undo =
            (struct command){.kind = COMMAND_TERMINAL_GONE, .terminal = arena_dup(arena, span_str(p->id))};
    struct terminal_call call = {.api = &app->api, .exchange = x, .undo = undo, .body = body_of(x, p)};
    memcpy(call.id, p->id, sizeof call.id);
    start(app, s, p, terminal_call_begin(&call));
}

static bool is_directory(const char *path) {
    struct stat st;
    return path && path[0] == '/' && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void bring_back(struct app *app, struct http_exchange *x, const struct session *s, bool fresh,
                       const char *message) {
    const struct worker *w = s->primary;
    if (!is_over(app, x, w)) return;
    struct plan p = {.terminal = terminal_of(app, w), .fresh = fresh, .message = message};
    struct terminal_facts f = {0};
    if (p.terminal) {
        terminal_facts(p.terminal, &f);
        memcpy(p.id, f.id, strlen(f.id) + 1);
        p.kind = f.kind;
    } else if (!is_directory(s->project_path)) {
        http_reply_error(x, 400, "its directory %s is not there any more", str_or_empty(s->project_path));
        return;
    } else if (terminal_new_id(p.id, app->clock) < 0) {
        http_reply_error(x, 500, "the system gives no random numbers");
        return;
    }
    if (w->type == WORKER_TYPE_AGENT)
        plan_agent(app, w, str_or_empty(f.command), &p);
    else
        p.program = xstrdup(str_or_empty(f.command));
    carry_out(app, x, s, &p);
    plan_fini(&p);
}

/* A conversation is mended before it goes on, so that it goes on whole. */
struct resuming {
    struct app *app;
    struct http_exchange *exchange;
    char session[ID_BYTES];
};

/* Why a conversation cannot go on; NULL when it can. */
static const char *reason_to_begin_anew(int result, const struct mend_news *n) {
    if (result < 0) return NULL; /* not known: the agent will see for itself */
    switch (transcripts_health(n)) {
    case TRANSCRIPT_HEALTH_MISSING: return "There is no transcript of it on disk: it starts fresh.";
    case TRANSCRIPT_HEALTH_UNREADABLE: return "Its transcript cannot be read: it starts fresh.";
    case TRANSCRIPT_HEALTH_UNRECOVERABLE: return "Its transcript could not be mended: it starts fresh.";
    case TRANSCRIPT_HEALTH_UNKNOWN:
    case TRANSCRIPT_HEALTH_HEALTHY:
    case TRANSCRIPT_HEALTH_REPAIRED:
    case TRANSCRIPT_HEALTH_CORRUPTED:
    case TRANSCRIPT_HEALTH_N_: break;
    }
    return NULL;
}

static void on_waited(void *user, int result, const struct mend_news *n) {
    struct resuming *r = user;
    const struct worker *w = state_find(&r->app->state, span_str(r->session));
    const char *why = reason_to_begin_anew(result, n);
    if (r->app->stopping)
        http_reply_error(r->exchange, 503, "ostler is stopping; nothing was started");
    else if (!w)
        http_reply_error(r->exchange, 404, "Session not found");
    else
        bring_back(r->app, r->exchange, w->session, why != NULL, why);
    free(r);
}

void resumes_request(void *user, struct http_exchange *x, const struct session *s) {
    struct app *app = user;
    const struct worker *w = s->primary;
    const struct conversation *c = &w->conversation;
    if (!is_over(app, x, w)) return;
    if (w->type != WORKER_TYPE_AGENT || c->cli != CLI_CLAUDE || !c->session_id) {
        bring_back(app, x, s, false, NULL);
        return;
    }
    struct resuming *r = xcalloc(1, sizeof *r);
    *r = (struct resuming){.app = app, .exchange = x};
    memcpy(r->session, s->id, sizeof r->session);
    (void)mend_queue_wait(&app->mend_queue, span_str(c->session_id), c->transcript_path, WAIT_MS, on_waited,
                          r);
}
