#include "app/typing.h"

#include "app/screens.h"
#include "base/cleanup.h"
#include "core/dialog.h"

#include <errno.h>

enum {
    ROW_BYTES_MAX = 256 << 10,
    ARENA_BYTES_MAX = 8 << 20,
    KEYS_BYTES_MAX = 128 << 10,
    STEPS_MAX = 64, /* no dialog takes more */
};

void typings_open(struct typings *ts, uv_loop_t *loop, const struct clock *clock) {
    *ts = (struct typings){.loop = loop, .clock = clock};
    list_init(&ts->running);
}

static void on_closed(uv_handle_t *handle) {
    struct typing *t = CONTAINER_OF(handle, struct typing, timer);
    t->ops->release(t);
}

static void finish(struct typing *t, bool done, const char *why) {
    list_remove(&t->in_running);
    uv_close((uv_handle_t *)&t->timer, on_closed);
    t->ops->end(t, done, why);
}

void typings_close(struct typings *ts) {
    if (!ts->loop) return;
    list_for_each_safe(pos, &ts->running)
        finish(list_entry(pos, struct typing, in_running), false, "ostler is stopping");
}

/* Looking */

static uint64_t typed_so_far(const struct terminal *terminal) {
    struct terminal_facts f;
    terminal_facts(terminal, &f);
    return f.typed;
}

static enum typing_next look_at(struct typing *t, bool is_late, struct arena *arena, struct buf *keys,
                                struct err *why) {
    const struct vt *vt = terminal_screen(t->terminal);
    AUTO(buf) struct buf text = BUF_INIT(ROW_BYTES_MAX);
    struct span rows[DIALOG_ROWS];
    if (!vt) {
        (void)err_set(why, -EPIPE, "its terminal is not there");
        return TYPING_FAILED;
    }
    struct vt_modes modes;
    vt_modes(vt, &modes);
    const struct typing_view view = {.rows = rows,
                                     .count = screens_rows(vt, ARRAY_LEN(rows), &text, rows),
                                     .takes_paste = modes.bracketed_paste,
                                     .is_late = is_late,
                                     .arena = arena};
    return t->ops->look(t, &view, keys, why);
}

static void look(struct typing *t);

static void on_timer(uv_timer_t *timer) {
    look(CONTAINER_OF(timer, struct typing, timer));
}

static void wait_for(struct typing *t, usec_t now_us, unsigned soon_ms) {
    usec_t left_ms = t->until_us > now_us ? usec_to_msec(t->until_us - now_us) + 1 : 1;
    uint64_t ms = soon_ms && soon_ms < left_ms ? soon_ms : (uint64_t)left_ms;
    (void)uv_timer_start(&t->timer, on_timer, ms, 0);
}

static void type_keys(struct typing *t, usec_t now_us, const struct buf *keys) {
    int r = keys->failed ? -ENOBUFS : terminal_input_for(t->terminal, buf_span(keys));
    if (r < 0 || ++t->steps > STEPS_MAX) {
        finish(t, false,
               r == -EPIPE ? "its program does not run" : "its program does not take what is typed");
        return;
    }
    t->until_us = now_us + TYPING_STEP_MS * USEC_PER_MSEC;
    wait_for(t, now_us, 0);
}

static void look(struct typing *t) {
    if (typed_so_far(t->terminal) != t->typed) {
        finish(t, false, "somebody typed in its terminal meanwhile: look there");
        return;
    }
    AUTO(arena) struct arena arena = ARENA_INIT(ARENA_BYTES_MAX);
    AUTO(buf) struct buf keys = BUF_INIT(KEYS_BYTES_MAX);
    struct err why = {0};
    usec_t now_us = clock_mono(t->owner->clock);
    bool is_late = now_us >= t->until_us;
    enum typing_next next = look_at(t, is_late, &arena, &keys, &why);
    if (is_late && (next == TYPING_WAIT || next == TYPING_SOON)) {
        (void)err_set(&why, -ETIMEDOUT, "its screen does not show what came of it: look there");
        next = TYPING_FAILED;
    }
    switch (next) {
    case TYPING_WAIT: wait_for(t, now_us, 0); break;
    case TYPING_SOON: wait_for(t, now_us, t->soon_ms); break;
    case TYPING_KEYS: type_keys(t, now_us, &keys); break;
    case TYPING_DONE: finish(t, true, NULL); break;
    case TYPING_FAILED: finish(t, false, why.msg); break;
    }
}

/* Beginning */

struct terminal *typing_terminal(struct terminals *terminals, const struct worker *w) {
    struct terminal *t =
        w && w->terminal_id && terminals ? terminals_find(terminals, span_str(w->terminal_id)) : NULL;
    if (!t) return NULL;
    struct terminal_facts f;
    terminal_facts(t, &f);
    return f.connection == TERMINAL_LIVE ? t : NULL;
}

int typing_begin(struct typings *ts, struct typing *t, const struct typing_ops *ops,
                 struct terminal *terminal) {
    list_for_each(pos, &ts->running)
        if (list_entry(pos, struct typing, in_running)->terminal == terminal) return -EBUSY;
    t->owner = ts;
    t->ops = ops;
    t->terminal = terminal;
    t->typed = typed_so_far(terminal);
    t->until_us = clock_mono(ts->clock) + TYPING_STEP_MS * USEC_PER_MSEC;
    (void)uv_timer_init(ts->loop, &t->timer);
    list_append(&ts->running, &t->in_running);
    look(t);
    return 0;
}

static struct typing *find(struct typings *ts, const struct terminal *terminal) {
    if (!ts->loop) return NULL;
    list_for_each(pos, &ts->running) {
        struct typing *t = list_entry(pos, struct typing, in_running);
        if (t->terminal == terminal) return t;
    }
    return NULL;
}

void typings_shown(struct typings *ts, const struct terminal *terminal) {
    struct typing *t = find(ts, terminal);
    if (t) look(t);
}

void typings_gone(struct typings *ts, const struct terminal *terminal) {
    struct typing *t = find(ts, terminal);
    if (t) finish(t, false, "its program has ended");
}
