#include "api/tty.h"

#include "api/api.h"
#include "api/terminal_shape.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "pty/viewers.h"
#include "wire/tty_msg.h"

#include <errno.h>
#include <stdlib.h>

enum { MESSAGE_BYTES_MAX = 256 << 20, CLOSE_NOT_FOUND = 4404, CLOSE_NORMAL = 1000 };

struct refusal {
    const char *code, *sentence;
};

struct tty {
    struct list in_ttys;
    struct ttys *ttys;
    struct ws *ws;
    bool binary; /* ostler.tty.v1 */
    char session[ID_BYTES];
    char worker[ID_BYTES];
    struct terminal *terminal; /* until it is attached to */
    struct terminal_viewer viewer;
    struct refusal refusal; /* why it gets nothing but this */
    bool has_place;
    uint64_t epoch, offset; /* where it wants to go on */
    unsigned cols, rows;    /* of the viewer; 0: it did not say */
    bool needs_hello, needs_state, needs_history, over;
    const char *activity, *activity_told;
    char cut[4]; /* the beginning of a character whose rest has not come yet */
    size_t cut_n;
    struct ws_frame *waiting[TTY_WAITING_MAX];
    size_t first, count;
};

void ttys_open(struct ttys *ttys, const struct api *api) {
    ttys->api = api;
    list_init(&ttys->clients);
}

/* Messages */

static struct ws_frame *text_frame(struct buf *message) {
    struct ws_frame *f = message->failed ? NULL : ws_frame_text(buf_span(message));
    buf_fini(message);
    return f;
}

/* Answers wait until they are taken; a client that asks and never reads gets the first few. */
static void answer(struct tty *c, struct buf *message) {
    struct ws_frame *f = text_frame(message);
    if (!f || c->count == TTY_WAITING_MAX) {
        ws_frame_unref(f);
        return;
    }
    c->waiting[(c->first + c->count++) % TTY_WAITING_MAX] = f;
    ws_want_write(c->ws);
}

static void complain(struct tty *c, const char *code, const char *sentence) {
    struct buf message = BUF_INIT(MESSAGE_BYTES_MAX);
    tty_msg_error(&message, code, sentence);
    answer(c, &message);
}

static void shape_of(const struct tty *c, struct terminal_shape *ret) {
    const struct api *api = c->ttys->api;
    terminal_shape(ret, c->viewer.terminal, api->state, usec_to_msec(clock_wall(api->clock)));
}

/* What agent console calls it. */
static const char *activity_of(const struct worker *w) {
    if (!w || w->type != WORKER_TYPE_AGENT) return NULL;
    switch (w->conversation.status) {
    case SESSION_STATUS_PROMPTING:
    case SESSION_STATUS_WORKING: return "active";
    case SESSION_STATUS_APPROVAL:
    case SESSION_STATUS_INPUT: return "asking";
    case SESSION_STATUS_IDLE:
    case SESSION_STATUS_WAITING: return "idle";
    case SESSION_STATUS_ENDED:
    case SESSION_STATUS_CONNECTING:
    case SESSION_STATUS_N_: break;
    }
    return "unknown";
}

/* Output as JSON text */

/* Bytes at the end of `s` that are the beginning of a character. */
static size_t unfinished(struct span s) {
    for (size_t back = 1; back <= 3 && back <= s.n; back++) {
        unsigned char b = (unsigned char)s.p[s.n - back];
        if ((b & 0xc0) == 0x80) continue;
        size_t whole = b > 0xf4 ? 1 : b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : b >= 0xc2 ? 2 : 1;
        return whole > back ? back : 0;
    }
    return 0;
}

static struct ws_frame *text_of(struct tty *c, const struct terminal_item *item) {
    AUTO(buf) struct buf text = BUF_INIT(MESSAGE_BYTES_MAX);
    struct buf message = BUF_INIT(MESSAGE_BYTES_MAX);
    bool is_output = item->kind == TERMINAL_OUTPUT;
    uint64_t start = item->offset, end = item->offset;
    if (is_output) {
        (void)buf_append(&text, c->cut, c->cut_n);
        start -= c->cut_n;
        end += item->bytes.n;
    }
    (void)buf_append_span(&text, item->bytes);
    c->cut_n = is_output ? unfinished(buf_span(&text)) : 0;
    struct span whole = span_take(buf_span(&text), text.n - c->cut_n);
    if (c->cut_n) memcpy(c->cut, text.p + whole.n, c->cut_n);
    bool history = !is_output || c->needs_history;
    if (history) c->needs_history = false;
    if (!history && !whole.n) return NULL;
    tty_msg_text(&message, history ? "history" : "output", whole, start, end - c->cut_n, item->epoch);
    return text_frame(&message);
}

/* The program ended in the middle of a character: what there is of it is told. */
static void flush_cut(struct tty *c, const struct terminal_item *exit) {
    if (!c->cut_n) return;
    struct buf message = BUF_INIT(MESSAGE_BYTES_MAX);
    tty_msg_text(&message, "output", span_of(c->cut, c->cut_n), exit->offset - c->cut_n, exit->offset,
                 exit->epoch);
    c->cut_n = 0;
    answer(c, &message);
}

/* The end of a conversation about what is no more. */
static struct ws_frame *say_deleted(struct tty *c) {
    struct buf message = BUF_INIT(MESSAGE_BYTES_MAX);
    c->over = true;
    if (c->binary)
        tty_msg_deleted(&message);
    else
        tty_msg_error(&message, "SESSION_DELETED", "the session and its terminal were deleted");
    return text_frame(&message);
}

static struct ws_frame *say_exit(struct tty *c, const struct terminal_item *item) {
    struct buf message = BUF_INIT(MESSAGE_BYTES_MAX);
    tty_msg_exit(&message, item->code, terminal_signal_name(item->signal));
    if (c->binary || !c->cut_n) return text_frame(&message);
    flush_cut(c, item);
    answer(c, &message);
    return NULL;
}

static struct ws_frame *bytes_of(const struct terminal_item *item) {
    char head[TTY_HEAD_BYTES];
    tty_msg_head(head, item->kind == TERMINAL_SNAPSHOT ? TTY_SNAPSHOT : TTY_OUTPUT, item->cols, item->rows,
                 item->epoch, item->offset);
    return ws_frame_binary(span_of(head, sizeof head), item->bytes);
}

/* One item for this client; NULL when its dialect has no word for it. */
static struct ws_frame *tell(struct tty *c, const struct terminal_item *item) {
    struct buf message = BUF_INIT(MESSAGE_BYTES_MAX);
    switch (item->kind) {
    case TERMINAL_OUTPUT:
    case TERMINAL_SNAPSHOT: return c->binary ? bytes_of(item) : text_of(c, item);
    case TERMINAL_RESIZED: tty_msg_resized(&message, item->offset, item->cols, item->rows); break;
    case TERMINAL_GAP: tty_msg_gap(&message, item->offset, item->to); break;
    case TERMINAL_EPOCH: tty_msg_epoch(&message, item->epoch); break;
    case TERMINAL_EXIT: return say_exit(c, item);
    case TERMINAL_DELETED: return say_deleted(c);
    case TERMINAL_NOTHING: break;
    }
    if (c->binary) return text_frame(&message);
    buf_fini(&message);
    return NULL;
}

/* Pulling */

static struct ws_frame *next_waiting(struct tty *c) {
    if (!c->count) return NULL;
    struct ws_frame *f = c->waiting[c->first];
    c->first = (c->first + 1) % TTY_WAITING_MAX;
    c->count--;
    return f;
}

/* What it should know beside the output. */
static struct ws_frame *next_news(struct tty *c) {
    struct buf message = BUF_INIT(MESSAGE_BYTES_MAX);
    struct terminal_shape shape;
    if (!c->viewer.terminal) return NULL;
    if (c->needs_hello) {
        c->needs_hello = c->needs_state = false;
        shape_of(c, &shape);
        tty_msg_hello(&message, &shape);
    } else if (c->needs_state) {
        c->needs_state = false;
        shape_of(c, &shape);
        tty_msg_state(&message, &shape);
    } else if (c->activity && c->activity != c->activity_told) {
        c->activity_told = c->activity;
        tty_msg_activity(&message, c->activity);
    } else {
        return NULL;
    }
    return text_frame(&message);
}

/* A history was asked for and there is nothing behind what the client has. */
static struct ws_frame *empty_history(struct tty *c) {
    struct buf message = BUF_INIT(MESSAGE_BYTES_MAX);
    const struct stream_viewer *at = &c->viewer.cursor;
    c->needs_history = false;
    tty_msg_text(&message, "history", SPAN_NONE, at->offset, at->offset, at->epoch);
    return text_frame(&message);
}

static bool is_caught_up(const struct tty *c) {
    return c->viewer.terminal && c->viewer.attached && !c->viewer.fetch && !c->viewer.awaits_written;
}

static struct ws_frame *on_next(void *user) {
    struct tty *c = user;
    struct ws_frame *f = next_waiting(c);
    if (f) return f;
    if (c->over) {
        if (c->refusal.code)
            ws_close(c->ws, CLOSE_NOT_FOUND, span_str(c->refusal.sentence));
        else
            ws_close(c->ws, CLOSE_NORMAL, SPAN("deleted"));
        return NULL;
    }
    if (c->viewer.terminal && !c->viewer.attached) return NULL; /* its screen is being read */
    if ((f = next_news(c))) return f;
    for (;;) {
        struct terminal_item item;
        terminal_pull(&c->viewer, TTY_OUTPUT_BYTES, &item);
        if (item.kind == TERMINAL_NOTHING) break;
        if ((f = tell(c, &item)) || (f = next_waiting(c))) return f;
    }
    return c->needs_history && is_caught_up(c) ? empty_history(c) : NULL;
}

/* Requests */

static void type(struct tty *c, struct span bytes) {
    struct terminal *t = c->viewer.terminal;
    int r = t ? terminal_input(t, bytes) : -EPIPE;
    if (r == -EPIPE)
        complain(c, "NOT_LIVE", "its program is not running: resume the session first");
    else if (r == -ENOBUFS)
        complain(c, "BUSY", "the program does not read what it was sent before: try again later");
    else if (r < 0)
        complain(c, "INPUT_FAILED", "the terminal does not take input at the moment");
}

/* The page resizes what it shows whether it lives or not. */
static void resize(struct tty *c, unsigned cols, unsigned rows) {
    struct terminal *t = c->viewer.terminal;
    if (t && terminal_viewer_resize(&c->viewer, cols, rows) == -EINVAL)
        complain(c, "BAD_SIZE", "a terminal has 2 to 1000 columns and 1 to 500 rows");
}

static void attach(struct tty *c, struct terminal *t, const uint64_t *epoch, const uint64_t *offset) {
    c->cut_n = 0;
    c->viewer.cursor.flow = c->binary;
    terminal_attach(t, &c->viewer, epoch, offset);
    ws_want_write(c->ws);
}

/* The past again: from an offset, or as the screen is now. */
static void show_history(struct tty *c, const struct tty_request *req) {
    struct terminal *t = c->viewer.terminal;
    if (!t) return;
    struct terminal_facts f;
    terminal_facts(t, &f);
    terminal_detach(&c->viewer);
    c->needs_history = true;
    attach(c, t, req->has_offset ? &f.epoch : NULL, req->has_offset ? &req->offset : NULL);
}

static const char look_words[] = "this login may only look";

static void on_message(void *user, struct span message, bool binary) {
    struct tty *c = user;
    if (c->over) return;
    if (binary) {
        if (ws_is_look_only(c->ws))
            complain(c, "LOOK_ONLY", look_words);
        else if (!c->binary)
            complain(c, "BAD_MESSAGE", "messages are JSON text");
        else if (message.n > TTY_INPUT_MAX)
            complain(c, "MESSAGE_TOO_LARGE", "an input may have 256 KiB at most: send it in pieces");
        else
            type(c, message);
        return;
    }
    AUTO(arena) struct arena arena = ARENA_INIT(TTY_MESSAGE_MAX);
    struct tty_request req;
    struct err err;
    int r = tty_request_parse(message, &arena, &req, &err);
    if (r < 0) {
        complain(c, r == -EMSGSIZE ? "MESSAGE_TOO_LARGE" : "BAD_MESSAGE", err.msg);
        return;
    }
    if (ws_is_look_only(c->ws) && req.type != TTY_ACK && req.type != TTY_HISTORY) {
        complain(c, "LOOK_ONLY", look_words);
        return;
    }
    switch (req.type) {
    case TTY_INPUT: type(c, req.data); break;
    case TTY_RESIZE: resize(c, req.cols, req.rows); break;
    case TTY_ACK: terminal_ack(&c->viewer, req.offset); break;
    case TTY_HISTORY: show_history(c, &req); break;
    case TTY_IMAGE:
        complain(c, "UNSUPPORTED_OPERATION", "images are not taken: save it to a file and name that");
        break;
    }
}

/* Who it is about */

static struct worker *find_worker(const struct session *s, struct span id) {
    list_for_each(pos, &s->workers) {
        struct worker *w = list_entry(pos, struct worker, in_session);
        if (span_eq_str(id, w->id)) return w;
        for (size_t i = 0; i < w->alias_count; i++)
            if (span_eq_str(id, w->aliases[i])) return w;
    }
    return NULL;
}

static struct refusal find_terminal(struct tty *c, struct span session, struct span worker) {
    const struct api *api = c->ttys->api;
    const struct worker *w = state_find(api->state, session);
    c->terminal = terminals_find(api->terminals, worker); /* perhaps one that it had before, by its name */
    if (!w && c->terminal) return (struct refusal){0};    /* its card is about to be made */
    if (!w) return (struct refusal){"SESSION_NOT_FOUND", "Session not found"};
    memcpy(c->session, w->session->id, sizeof c->session);
    w = find_worker(w->session, worker);
    if (!w) return (struct refusal){"WORKER_NOT_FOUND", "the session has no such worker"};
    memcpy(c->worker, w->id, sizeof c->worker);
    c->activity = activity_of(w);
    struct span id = span_str(w->terminal_id ? w->terminal_id : w->last_terminal_id);
    if (!c->terminal) c->terminal = terminals_find(api->terminals, id);
    if (!c->terminal) return (struct refusal){"NO_TERMINAL", "the worker runs in no terminal of ours"};
    return (struct refusal){0};
}

static void on_wake(void *user) {
    struct tty *c = user;
    ws_want_write(c->ws);
}

static void on_opened(void *user, struct ws *ws UNUSED) {
    struct tty *c = user;
    if (c->refusal.code) {
        complain(c, c->refusal.code, c->refusal.sentence);
        c->over = true;
        return;
    }
    c->needs_hello = c->binary;
    attach(c, c->terminal, c->has_place ? &c->epoch : NULL, c->has_place ? &c->offset : NULL);
    if (c->cols && c->rows) (void)terminal_viewer_resize(&c->viewer, c->cols, c->rows);
    c->terminal = NULL;
}

static void on_closed(void *user) {
    struct tty *c = user;
    terminal_detach(&c->viewer);
    for (struct ws_frame *f; (f = next_waiting(c));)
        ws_frame_unref(f);
    list_remove(&c->in_ttys);
    free(c);
}

static const struct ws_channel channel = {
    .max_message = TTY_MESSAGE_MAX,
    .opened = on_opened,
    .message = on_message,
    .next = on_next,
    .closed = on_closed,
};

const struct ws_channel *tty_connect(struct ttys *ttys, struct ws *ws, const struct tty_visit *visit,
                                     void **ret_user) {
    struct tty *c = xcalloc(1, sizeof *c);
    c->ttys = ttys;
    c->ws = ws;
    c->binary = visit->binary;
    c->has_place = visit->has_place;
    c->epoch = visit->epoch;
    c->offset = visit->offset;
    c->cols = visit->cols;
    c->rows = visit->rows;
    c->viewer.wake = on_wake;
    c->viewer.user = c;
    c->viewer.unsized = !c->binary; /* others are told the terminal's size */
    c->viewer.cursor.exact = visit->exact;
    c->refusal = find_terminal(c, visit->session, visit->worker);
    list_append(&ttys->clients, &c->in_ttys);
    *ret_user = c;
    return &channel;
}

/* News */

void ttys_changed(struct ttys *ttys, const struct terminal *t) {
    list_for_each(pos, &ttys->clients) {
        struct tty *c = list_entry(pos, struct tty, in_ttys);
        if (c->viewer.terminal != t || !c->binary) continue;
        c->needs_state = true;
        ws_want_write(c->ws);
    }
}

void ttys_session_changed(struct ttys *ttys, const struct session *s) {
    list_for_each(pos, &ttys->clients) {
        struct tty *c = list_entry(pos, struct tty, in_ttys);
        if (strcmp(c->session, s->id) != 0) continue;
        c->activity = activity_of(find_worker(s, span_str(c->worker)));
        if (c->activity != c->activity_told) ws_want_write(c->ws);
    }
}
