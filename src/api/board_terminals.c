#include "api/board_terminals.h"

#include "api/board_int.h"
#include "api/terminal_shape.h"
#include "base/mem.h"
#include "pty/viewers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* A terminal that has been told of. */
struct board_terminal {
    struct list in_board;
    char id[TERMINAL_ID_BYTES];
    uint64_t version;       /* when it changed last */
    struct list thumbnails; /* struct thumbnail.in_terminal */
};

/* A client wants to see its screen. */
struct thumbnail {
    struct list in_client, in_terminal, in_due;
    struct client_terminals *of;
    char id[TERMINAL_ID_BYTES];
};

/* A client wants its output. */
struct subscription {
    struct list in_client;
    struct client_terminals *of;
    struct terminal_viewer viewer;
    char id[TERMINAL_ID_BYTES];
    bool needs_ready;
    bool may_have; /* something may be there to pull */
};

void board_terminals_init(struct board_terminals *bt) {
    *bt = (struct board_terminals){.by_id = MAP_INIT};
    list_init(&bt->by_change);
}

static void board_terminal_free(struct board_terminal *bt) {
    list_for_each_safe(pos, &bt->thumbnails)
        list_remove(pos);
    list_remove(&bt->in_board);
    free(bt);
}

void board_terminals_fini(struct board_terminals *bt) {
    MAP_FOR_EACH(slot, &bt->by_id)
        board_terminal_free(slot->value);
    map_fini(&bt->by_id);
}

void board_set_terminals(struct board *b, struct terminals *ts) {
    b->terminals.all = ts;
}

/* What happens to them */

static struct board_terminal *known(struct board *b, const struct terminal *t) {
    struct terminal_facts f;
    terminal_facts(t, &f);
    struct board_terminal *bt = map_get(&b->terminals.by_id, span_str(f.id));
    if (bt) return bt;
    bt = xcalloc(1, sizeof *bt);
    (void)snprintf(bt->id, sizeof bt->id, "%s", f.id);
    list_init(&bt->in_board);
    list_init(&bt->thumbnails);
    (void)map_put(&b->terminals.by_id, span_str(bt->id), bt);
    return bt;
}

void board_terminal_changed(struct board *b, struct terminal *t) {
    struct board_terminal *bt = known(b, t);
    bt->version = ++b->terminals.version;
    list_remove(&bt->in_board);
    list_append(&b->terminals.by_change, &bt->in_board);
    list_for_each(pos, &b->clients) {
        struct client *c = list_entry(pos, struct client, in_board);
        if (c->dialect == BOARD_V1) ws_want_write(c->ws);
    }
}

static void thumbnail_due(struct thumbnail *th) {
    if (list_empty(&th->in_due)) list_append(&th->of->due, &th->in_due);
    ws_want_write(th->of->client->ws);
}

void board_terminal_painted(struct board *b, struct terminal *t) {
    list_for_each(pos, &known(b, t)->thumbnails)
        thumbnail_due(list_entry(pos, struct thumbnail, in_terminal));
}

void board_terminal_removed(struct board *b, const char *id) {
    struct board_terminal *bt = map_remove(&b->terminals.by_id, span_str(id));
    if (!bt) return;
    terminal_msg_removed(&b->scratch, bt->id);
    board_send_all(b, BOARD_V1, board_take_frame(b));
    board_terminal_free(bt);
}

/* A client's */

void client_terminals_init(struct client_terminals *ct, struct client *c) {
    *ct = (struct client_terminals){.client = c};
    list_init(&ct->subscriptions);
    list_init(&ct->thumbnails);
    list_init(&ct->due);
}

static void unsubscribe(struct subscription *s) {
    terminal_detach(&s->viewer);
    list_remove(&s->in_client);
    s->of->subscribed--;
    free(s);
}

static void drop_thumbnails(struct client_terminals *ct) {
    list_for_each_safe(pos, &ct->thumbnails) {
        struct thumbnail *th = list_entry(pos, struct thumbnail, in_client);
        list_remove(&th->in_client);
        list_remove(&th->in_terminal);
        list_remove(&th->in_due);
        free(th);
    }
}

void client_terminals_fini(struct client_terminals *ct) {
    list_for_each_safe(pos, &ct->subscriptions)
        unsubscribe(list_entry(pos, struct subscription, in_client));
    drop_thumbnails(ct);
}

/* Requests */

static struct subscription *find_subscription(struct client_terminals *ct, struct span id) {
    list_for_each(pos, &ct->subscriptions) {
        struct subscription *s = list_entry(pos, struct subscription, in_client);
        if (span_eq_str(id, s->id)) return s;
    }
    return NULL;
}

static void on_wake(void *user) {
    struct subscription *s = user;
    s->may_have = true;
    ws_want_write(s->of->client->ws);
}

static void say_unavailable(struct client *c, struct span id) {
    terminal_msg_closed(&c->board->scratch, id, "unavailable");
    client_push_scratch(c);
}

/* Again: it wants the whole of it once more. */
static void subscribe(struct client *c, struct span id) {
    struct client_terminals *ct = &c->terminals;
    struct terminal *t = terminals_find(c->board->terminals.all, id);
    struct subscription *s = find_subscription(ct, id);
    if (s) unsubscribe(s);
    if (!t) {
        say_unavailable(c, id);
        return;
    }
    if (ct->subscribed == BOARD_SUBSCRIBED_MAX) {
        client_refuse(c, "too many terminals on this connection: leave one first");
        return;
    }
    s = xcalloc(1, sizeof *s);
    *s = (struct subscription){.of = ct, .needs_ready = true, .may_have = true};
    s->viewer.wake = on_wake;
    s->viewer.user = s;
    s->viewer.unsized = true;
    memcpy(s->id, id.p, id.n);
    list_append(&ct->subscriptions, &s->in_client);
    ct->subscribed++;
    terminal_attach(t, &s->viewer, NULL, NULL);
    ws_want_write(c->ws);
}

static void type(struct client *c, struct terminal *t, struct span bytes) {
    int r = t ? terminal_input(t, bytes) : -ENOENT;
    if (r == -ENOENT)
        client_refuse(c, "no such terminal");
    else if (r == -EPIPE)
        client_refuse(c, "the terminal's program is not running: resume the session first");
    else if (r < 0)
        client_refuse(c, "the terminal's program does not read what it was sent before: try again later");
}

static void resize(struct client *c, struct span id, struct terminal *t, unsigned cols, unsigned rows) {
    struct subscription *s = t ? find_subscription(&c->terminals, id) : NULL;
    if (!t)
        client_refuse(c, "no such terminal");
    else if ((s ? terminal_viewer_resize(&s->viewer, cols, rows) : terminal_resize(t, cols, rows)) == -EINVAL)
        client_refuse(c, "a terminal has 2 to 1000 columns and 1 to 500 rows");
}

/* Those that it named before and does not name again are not wanted any more. */
static void want_thumbnails(struct client *c, const struct board_terminal_request *req) {
    struct client_terminals *ct = &c->terminals;
    drop_thumbnails(ct);
    for (size_t i = 0; i < req->ids_count; i++) {
        struct terminal *t = terminals_find(c->board->terminals.all, req->ids[i]);
        if (!t) continue;
        struct board_terminal *bt = known(c->board, t);
        struct thumbnail *th = xcalloc(1, sizeof *th);
        *th = (struct thumbnail){.of = ct};
        memcpy(th->id, bt->id, sizeof th->id);
        list_append(&ct->thumbnails, &th->in_client);
        list_append(&bt->thumbnails, &th->in_terminal);
        list_append(&ct->due, &th->in_due);
    }
    ws_want_write(c->ws);
}

void client_terminals_request(struct client *c, const struct board_terminal_request *req) {
    struct terminal *t = terminals_find(c->board->terminals.all, req->id);
    struct subscription *s;
    switch (req->type) {
    case BOARD_TERMINAL_SUBSCRIBE: subscribe(c, req->id); break;
    case BOARD_TERMINAL_DISCONNECT: /* who says so looks elsewhere; others may not */
    case BOARD_TERMINAL_UNSUBSCRIBE:
        s = find_subscription(&c->terminals, req->id);
        if (s) unsubscribe(s);
        break;
    case BOARD_TERMINAL_INPUT: type(c, t, req->data); break;
    case BOARD_TERMINAL_RESIZE: resize(c, req->id, t, req->cols, req->rows); break;
    case BOARD_TERMINAL_THUMBNAILS: want_thumbnails(c, req); break;
    }
}

/* Pulling */

/* The oldest change that the client does not know of. */
static struct board_terminal *next_changed(const struct board *b, uint64_t told) {
    struct board_terminal *oldest = NULL;
    for (struct list *pos = b->terminals.by_change.prev; pos != &b->terminals.by_change; pos = pos->prev) {
        struct board_terminal *bt = list_entry(pos, struct board_terminal, in_board);
        if (bt->version <= told) break;
        oldest = bt;
    }
    return oldest;
}

static struct ws_frame *next_state(struct client *c) {
    struct board *b = c->board;
    if (c->dialect != BOARD_V1) return NULL;
    for (struct board_terminal *bt; (bt = next_changed(b, c->terminals.told));) {
        c->terminals.told = bt->version;
        const struct terminal *t = terminals_find(b->terminals.all, span_str(bt->id));
        if (!t) continue;
        struct terminal_shape shape;
        terminal_shape(&shape, t, b->state, usec_to_msec(clock_wall(b->clock)));
        terminal_msg_state(&b->scratch, &shape);
        return board_take_frame(b);
    }
    return NULL;
}

static void on_screen(void *user, struct terminal *t) {
    if (t) board_terminal_painted(user, t);
}

static struct ws_frame *next_thumbnail(struct client *c) {
    struct board *b = c->board;
    for (struct thumbnail *th; (th = list_first(&c->terminals.due, struct thumbnail, in_due));) {
        list_remove(&th->in_due);
        struct terminal *t = terminals_find(b->terminals.all, span_str(th->id));
        if (!t) continue;
        const struct vt *vt = terminal_screen(t);
        if (!vt) { /* it is read, and due again then */
            terminal_with_screen(t, on_screen, b);
            continue;
        }
        struct screen_shape screen;
        terminal_screen_shape(&screen, vt, 0);
        terminal_msg_screen(&b->scratch, th->id, &screen);
        return board_take_frame(b);
    }
    return NULL;
}

/* Why it is closed, in the seed's words. */
static void put_closed(struct buf *out, const char *id, int signal) {
    char reason[32] = "exited";
    if (signal > 0) (void)snprintf(reason, sizeof reason, "signal %d", signal);
    terminal_msg_closed(out, span_str(id), reason);
}

/* One message out of what is next for it; NULL when there is nothing. */
static struct ws_frame *pull(struct subscription *s) {
    struct board *b = s->of->client->board;
    for (;;) {
        struct terminal_item item;
        if (s->needs_ready) {
            s->needs_ready = false;
            terminal_msg_ready(&b->scratch, s->id);
            return board_take_frame(b);
        }
        terminal_pull(&s->viewer, BOARD_OUTPUT_BYTES, &item);
        switch (item.kind) {
        case TERMINAL_NOTHING: s->may_have = false; return NULL;
        case TERMINAL_SNAPSHOT:
        case TERMINAL_OUTPUT: terminal_msg_output(&b->scratch, s->id, item.bytes); return board_take_frame(b);
        case TERMINAL_EXIT: put_closed(&b->scratch, s->id, item.signal); return board_take_frame(b);
        case TERMINAL_DELETED:
            terminal_msg_closed(&b->scratch, span_str(s->id), "unavailable");
            unsubscribe(s);
            return board_take_frame(b);
        case TERMINAL_EPOCH: s->needs_ready = true; break; /* it lives again */
        case TERMINAL_RESIZED:
        case TERMINAL_GAP: break;
        }
    }
}

/* Each in its turn, so that none that floods keeps the others waiting. */
static struct ws_frame *next_output(struct client_terminals *ct) {
    struct ws_frame *f = NULL;
    for (unsigned left = ct->subscribed; left && !f; left--) {
        struct subscription *s = list_entry(ct->subscriptions.next, struct subscription, in_client);
        list_remove(&s->in_client);
        list_append(&ct->subscriptions, &s->in_client);
        if (s->may_have) f = pull(s);
    }
    return f;
}

struct ws_frame *client_terminals_next(struct client *c) {
    struct ws_frame *f = next_state(c);
    if (!f) f = next_thumbnail(c);
    return f ? f : next_output(&c->terminals);
}
