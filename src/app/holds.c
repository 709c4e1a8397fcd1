#define LOG_TAG "reply"
#include "app/holds.h"

#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "core/hold_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINE_BYTES = 160, KEY_BYTES = HOLD_KEY_BYTES };

enum hold_state {
    HOLD_GREETS, /* it has not said who it is */
    HOLD_WAITS,
    HOLD_OFFERED, /* it was asked whether it is there */
    HOLD_TOLD,    /* it has its answer */
    HOLD_CLOSES,
};

/* A hook that waits. Owned by its handle: freed when that is closed. */
struct hold {
    uv_pipe_t pipe;
    struct holds *holds;
    struct list link;
    enum hold_state state;
    enum cli cli;
    usec_t since_us; /* that it is in this state; of one that waits: that it came */
    char key[KEY_BYTES];
    char line[LINE_BYTES];
    size_t n;
    enum decision decision;
    char *reply; /* what it prints; NULL: nothing yet */
};

/* Whose hook a key is. */
struct held_request {
    char key[KEY_BYTES];
    char session[ID_BYTES], request[ID_BYTES];
    bool of_subagent;
};

/* An answer that was sent. */
struct told_answer {
    struct list link;
    char session[ID_BYTES], request[ID_BYTES];
    usec_t at_us;
};

struct writing {
    uv_write_t write;
    char bytes[];
};

static usec_t now_us(const struct holds *h) {
    return clock_mono(h->calls->notes->clock);
}

/* The spool */

static void note_undelivered(const struct holds *h, const char *session, const char *request,
                             const char *why) {
    struct command cmd = {.kind = COMMAND_UNDELIVERED,
                          .session = span_str(session),
                          .request = span_str(request),
                          .value = span_str(why)};
    int r = calls_note(h->calls, &cmd);
    log_info("the answer to %s did not arrive: %s", request, why);
    if (r < 0) log_warn("cannot note that an answer did not arrive: %s", strerror(-r));
}

static void undelivered(const struct hold *hold, const char *why) {
    const struct held_request *of = map_get(&hold->holds->asked, span_str(hold->key));
    if (of) note_undelivered(hold->holds, of->session, of->request, why);
}

static void tell_changed(struct holds *h, const char *key) {
    const struct held_request *of = map_get(&h->asked, span_str(key));
    if (of) h->ops->changed(h->user, of->session, of->request);
}

/* One hook */

static void on_closed(uv_handle_t *handle) {
    struct hold *hold = CONTAINER_OF((uv_pipe_t *)handle, struct hold, pipe);
    free(hold->reply);
    free(hold);
}

static void let_go(struct hold *hold) {
    struct holds *h = hold->holds;
    if (hold->state == HOLD_CLOSES) return;
    hold->state = HOLD_CLOSES;
    if (hold->key[0] && map_get(&h->by_key, span_str(hold->key)) == hold)
        (void)map_remove(&h->by_key, span_str(hold->key));
    list_remove(&hold->link);
    h->count--;
    uv_close((uv_handle_t *)&hold->pipe, on_closed);
}

static void on_written(uv_write_t *write, int status UNUSED) {
    free(CONTAINER_OF(write, struct writing, write));
}

static void send_bytes(struct hold *hold, struct span head, struct span body) {
    struct writing *w = xmalloc(sizeof *w + head.n + body.n);
    memcpy(w->bytes, head.p, head.n);
    if (body.n) memcpy(w->bytes + head.n, body.p, body.n);
    uv_buf_t buf = uv_buf_init(w->bytes, (unsigned)(head.n + body.n));
    if (uv_write(&w->write, (uv_stream_t *)&hold->pipe, &buf, 1, on_written) < 0) free(w);
}

static void send_word(struct hold *hold, struct span word) {
    send_bytes(hold, word, SPAN_NONE);
}

static void watch_soon(struct holds *h);

static void tell_answer(struct hold *hold) {
    struct holds *h = hold->holds;
    const struct held_request *of = map_get(&h->asked, span_str(hold->key));
    if (!of || !hold->reply) {
        let_go(hold);
        return;
    }
    struct told_answer *told = xcalloc(1, sizeof *told);
    memcpy(told->session, of->session, sizeof told->session);
    memcpy(told->request, of->request, sizeof told->request);
    told->at_us = now_us(h);
    list_append(&h->told, &told->link);
    hold->state = HOLD_TOLD;
    char head[LINE_BYTES];
    int n = snprintf(head, sizeof head, "reply %s %s %s %zu\n", of->session, of->request,
                     decision_to_str(hold->decision), strlen(hold->reply));
    send_bytes(hold, span_of(head, (size_t)n), span_str(hold->reply));
    watch_soon(h);
}

/* Codex shows no dialog while its hook is asked, nor does Claude Code when a subagent in the background asks. */
static bool blocks_its_dialog(const struct hold *hold) {
    const struct held_request *of = map_get(&hold->holds->asked, span_str(hold->key));
    return hold->cli == CLI_CODEX || (of && of->of_subagent && hold->cli == CLI_CLAUDE);
}

/* A person at the desk must not be locked out. */
static bool may_stay(const struct hold *hold) {
    return !blocks_its_dialog(hold) || hold->holds->ops->is_away(hold->holds->user);
}

static void greeted(struct hold *hold, struct span line) {
    struct holds *h = hold->holds;
    char key[HOLD_KEY_BYTES] = "";
    if (hold_line_parse(line, key, &hold->cli) && !map_get(&h->by_key, span_str(key)))
        memcpy(hold->key, key, sizeof hold->key);
    if (!hold->key[0] || !may_stay(hold)) {
        let_go(hold);
        return;
    }
    (void)map_put(&h->by_key, span_str(hold->key), hold);
    hold->state = HOLD_WAITS;
    hold->since_us = now_us(h);
    send_word(hold, SPAN("held\n"));
    tell_changed(h, hold->key);
}

static void said(struct hold *hold, struct span line) {
    if (hold->state == HOLD_GREETS)
        greeted(hold, line);
    else if (hold->state == HOLD_OFFERED && span_eq(line, SPAN("take")))
        tell_answer(hold);
    else
        let_go(hold);
}

/* The hook is gone: its CLI ended it, or somebody did. Its answer, if it has one, is noted by itself. */
static void hook_left(struct hold *hold) {
    char key[KEY_BYTES];
    memcpy(key, hold->key, sizeof key);
    if (hold->state == HOLD_OFFERED)
        undelivered(hold, "its agent did not wait for the answer any longer: look what it does now");
    bool waited = hold->state == HOLD_WAITS || hold->state == HOLD_OFFERED;
    struct holds *h = hold->holds;
    let_go(hold);
    if (waited) tell_changed(h, key);
}

static void on_alloc(uv_handle_t *handle, size_t wanted UNUSED, uv_buf_t *ret) {
    struct hold *hold = CONTAINER_OF((uv_pipe_t *)handle, struct hold, pipe);
    *ret = uv_buf_init(hold->line + hold->n, (unsigned)(sizeof hold->line - hold->n));
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf UNUSED) {
    struct hold *hold = CONTAINER_OF((uv_pipe_t *)stream, struct hold, pipe);
    if (n == 0) return;
    if (n < 0) { /* ENOBUFS: a line that is too long is none of ours */
        hook_left(hold);
        return;
    }
    hold->n += (size_t)n;
    for (char *end; hold->state != HOLD_CLOSES && (end = memchr(hold->line, '\n', hold->n));) {
        size_t length = (size_t)(end - hold->line);
        said(hold, span_of(hold->line, length));
        if (hold->state == HOLD_CLOSES) return;
        hold->n -= length + 1;
        memmove(hold->line, end + 1, hold->n);
    }
}

/* The door */

static void welcome(struct holds *h, int fd) {
    struct unixsock_peer peer;
    bool ours = unixsock_peer(fd, &peer) == 0 && (peer.uid == geteuid() || peer.uid == 0);
    struct hold *hold = xcalloc(1, sizeof *hold);
    *hold = (struct hold){.holds = h, .since_us = now_us(h)};
    (void)uv_pipe_init(h->loop, &hold->pipe, 0);
    list_append(&h->all, &hold->link);
    h->count++;
    if (uv_pipe_open(&hold->pipe, fd) < 0) {
        (void)close(fd);
        let_go(hold);
    } else if (!ours || h->count > HOLDS_MAX ||
               uv_read_start((uv_stream_t *)&hold->pipe, on_alloc, on_read) < 0) {
        let_go(hold);
    }
    watch_soon(h);
}

static void on_door(uv_poll_t *poll, int status UNUSED, int events UNUSED) {
    struct holds *h = CONTAINER_OF(poll, struct holds, door);
    for (int fd; (fd = unixsock_accept(&h->socket)) >= 0;)
        welcome(h, fd);
}

/* Time */

static bool is_hurried(const struct hold *hold) {
    return hold->state == HOLD_OFFERED || hold->state == HOLD_GREETS;
}

static void look_at(struct hold *hold, usec_t now) {
    struct holds *h = hold->holds;
    usec_t waited = now - hold->since_us;
    if (is_hurried(hold) && waited > HOLDS_TAKE_MS * USEC_PER_MSEC) {
        if (hold->state == HOLD_OFFERED)
            undelivered(hold, "its hook does not respond, and was let go: answer it in its terminal");
        char key[KEY_BYTES];
        memcpy(key, hold->key, sizeof key);
        let_go(hold);
        tell_changed(h, key);
    } else if (hold->state == HOLD_WAITS) {
        bool claimed = map_get(&h->asked, span_str(hold->key)) != NULL;
        if (!claimed && waited > HOLDS_CLAIM_MS * USEC_PER_MSEC) let_go(hold);
    }
}

/* An answer that was sent, and of which nothing is heard. */
static void look_at_told(struct holds *h, usec_t now) {
    list_for_each_safe(pos, &h->told) {
        struct told_answer *told = list_entry(pos, struct told_answer, link);
        if (now - told->at_us < HOLDS_NOTED_MS * USEC_PER_MSEC) continue;
        note_undelivered(h, told->session, told->request,
                         "its hook took the answer and was gone: look what the agent does now");
        list_remove(&told->link);
        free(told);
    }
}

static void on_timer(uv_timer_t *timer) {
    struct holds *h = CONTAINER_OF(timer, struct holds, timer);
    usec_t now = now_us(h);
    bool hurry = false;
    list_for_each_safe(pos, &h->all) {
        struct hold *hold = list_entry(pos, struct hold, link);
        look_at(hold, now);
    }
    look_at_told(h, now);
    list_for_each(pos, &h->all) {
        struct hold *hold = list_entry(pos, struct hold, link);
        hurry |= is_hurried(hold);
        if (hold->state == HOLD_WAITS) send_word(hold, SPAN("beat\n"));
    }
    hurry |= !list_empty(&h->told);
    if (h->count || hurry) (void)uv_timer_start(timer, on_timer, hurry ? HOLDS_TAKE_MS : HOLDS_BEAT_MS, 0);
}

/* Something is under way that must not take long. */
static void watch_soon(struct holds *h) {
    bool soon = uv_is_active((uv_handle_t *)&h->timer) && uv_timer_get_due_in(&h->timer) <= HOLDS_TAKE_MS;
    if (!soon && !uv_is_closing((uv_handle_t *)&h->timer))
        (void)uv_timer_start(&h->timer, on_timer, HOLDS_TAKE_MS, 0);
}

/* Requests */

bool holds_has(const struct holds *h, const char *key) {
    const struct hold *hold = key ? map_get(&h->by_key, span_str(key)) : NULL;
    return hold && hold->state != HOLD_TOLD;
}

void holds_asked(struct holds *h, const struct session *s, const struct request *r) {
    if (!r->hold || strlen(r->hold) >= KEY_BYTES || map_get(&h->asked, span_str(r->hold))) return;
    struct held_request *of = xcalloc(1, sizeof *of);
    (void)snprintf(of->key, sizeof of->key, "%s", r->hold);
    memcpy(of->session, s->id, sizeof of->session);
    memcpy(of->request, r->id, sizeof of->request);
    of->of_subagent = r->agent != NULL;
    (void)map_put(&h->asked, span_str(of->key), of);
    struct hold *hold = map_get(&h->by_key, span_str(of->key));
    if (hold && hold->state == HOLD_WAITS && !may_stay(hold)) let_go(hold);
}

void holds_ended(struct holds *h, const struct request *r) {
    list_for_each_safe(pos, &h->told) {
        struct told_answer *told = list_entry(pos, struct told_answer, link);
        if (strcmp(told->request, r->id) != 0) continue;
        list_remove(&told->link);
        free(told);
    }
    if (!r->hold) return;
    free(map_remove(&h->asked, span_str(r->hold)));
    struct hold *hold = map_get(&h->by_key, span_str(r->hold));
    if (hold && hold->state != HOLD_TOLD) let_go(hold); /* one that has its answer goes by itself */
}

void holds_reply(struct holds *h, const struct session *s, const struct request *r) {
    struct hold *hold = r->hold ? map_get(&h->by_key, span_str(r->hold)) : NULL;
    if (!hold || hold->state != HOLD_WAITS) {
        note_undelivered(h, s->id, r->id,
                         "its hook waits no longer, so the answer was not given: answer it in its terminal");
        return;
    }
    hold->decision = r->answer.decision;
    hold->reply = xstrdup(r->answer.reply);
    hold->state = HOLD_OFFERED;
    hold->since_us = now_us(h);
    send_word(hold, SPAN("offer\n"));
    watch_soon(h);
}

void holds_release(struct holds *h, const struct state *st, const struct session *s) {
    list_for_each_safe(pos, &h->all) {
        struct hold *hold = list_entry(pos, struct hold, link);
        const struct held_request *of = map_get(&h->asked, span_str(hold->key));
        const struct worker *w = of ? state_find(st, span_str(of->session)) : NULL;
        if (!blocks_its_dialog(hold) || hold->state != HOLD_WAITS || (s && (!w || w->session != s))) continue;
        char key[KEY_BYTES];
        memcpy(key, hold->key, sizeof key);
        let_go(hold);
        tell_changed(h, key);
    }
}

/* Life */

void holds_init(struct holds *h, uv_loop_t *loop, struct calls *calls, const struct holds_ops *ops,
                void *user) {
    *h = (struct holds){.loop = loop,
                        .calls = calls,
                        .ops = ops,
                        .user = user,
                        .socket = {.fd = -1},
                        .by_key = MAP_INIT,
                        .asked = MAP_INIT};
    list_init(&h->all);
    list_init(&h->told);
    (void)uv_timer_init(loop, &h->timer);
}

void holds_open(struct holds *h, const char *state_dir) {
    int r = path_join(h->path, state_dir, "reply.sock");
    if (r == 0) r = unixsock_listen(&h->socket, h->path);
    if (r == 0) {
        r = uv_poll_init(h->loop, &h->door, h->socket.fd);
        h->is_open = r == 0;
    }
    if (r == 0) r = uv_poll_start(&h->door, UV_READABLE, on_door);
    if (r < 0) log_warn("requests cannot be answered from here: %s: %s", h->path, strerror(-r));
}

void holds_close(struct holds *h) {
    list_for_each_safe(pos, &h->all)
        let_go(list_entry(pos, struct hold, link));
    if (h->is_open) uv_close((uv_handle_t *)&h->door, NULL);
    if (h->socket.fd >= 0) unixsock_close(&h->socket);
    h->is_open = false;
    uv_close((uv_handle_t *)&h->timer, NULL);
}

void holds_fini(struct holds *h) {
    if (!h->loop) return; /* the daemon did not come so far */
    MAP_FOR_EACH(slot, &h->asked)
        free(slot->value);
    map_fini(&h->asked);
    map_fini(&h->by_key);
    list_for_each_safe(pos, &h->told) {
        list_remove(pos);
        free(list_entry(pos, struct told_answer, link));
    }
}
