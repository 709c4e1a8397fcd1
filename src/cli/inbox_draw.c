/* The frame of the inbox: a title, the list when there are several, the request, and below it what keys do. */
#include "base/cleanup.h"
#include "base/jscan.h"
#include "cli/cells.h"
#include "cli/inbox_view.h"

#include <stdarg.h>
#include <stdio.h>

#define BEGIN "\x1b[?2026h\x1b[?25l\x1b[H"
#define END "\x1b[J\x1b[?2026l"
#define LINE_END "\x1b[K\r\n"
#define REVERSE "\x1b[7m"
#define BOLD "\x1b[1m"
#define PLAIN "\x1b[0m"

enum { FRAME_BYTES_MAX = 64 << 20, LIST_ROWS_MAX = 6, PAGE_MIN = 3 };

void inbox_view_note(struct inbox_view *v, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    /* va_start() is a line above. NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vsnprintf(v->note, sizeof v->note, fmt, ap);
    va_end(ap);
}

static size_t count_lines(struct span text) {
    size_t n = 0;
    for (; text.n; n++)
        (void)span_split(&text, '\n');
    return n;
}

static bool is_away(const struct inbox_view *v) {
    struct jmember m = JMEMBER("away");
    bool away = false;
    if (v->list.away.n && jscan_object(v->list.away, &m, 1) == 1) (void)jscan_bool(m.value, &away);
    return away;
}

static void put_title(const struct inbox_view *v, struct buf *out) {
    char text[128];
    (void)snprintf(text, sizeof text, "ostler inbox: %zu open%s%s", v->list.open,
                   is_away(v) ? ", you are away" : "", v->connected ? "" : ", no daemon");
    (void)buf_append_span(out, v->colour ? SPAN(REVERSE) : SPAN_NONE);
    for (size_t cells = cells_append(span_str(text), v->cols, out); v->colour && cells < v->cols; cells++)
        (void)buf_append_char(out, ' ');
    (void)buf_append_span(out, v->colour ? SPAN(PLAIN "\r\n") : SPAN(LINE_END));
}

/* The lines around the chosen one; returns how many. */
static size_t put_list(const struct inbox_view *v, const struct inbox_look *look, struct buf *out) {
    size_t room = MIN((size_t)LIST_ROWS_MAX, v->rows / 4), n = v->list.open, at = 0;
    if (n < 2 || room < 2) return 0;
    while (at < n && !span_eq_str(v->list.v[at]->id, v->at.id))
        at++;
    size_t count = MIN(room, n), from = at >= count ? at - count + 1 : 0;
    struct inbox_look narrow = *look;
    narrow.width = look->width > 2 ? look->width - 2 : 1;
    for (size_t i = from; i < from + count; i++) {
        bool chosen = i == at;
        (void)buf_append_span(out, chosen && v->colour ? SPAN(BOLD) : SPAN_NONE);
        (void)buf_append_span(out, chosen ? SPAN("> ") : SPAN("  "));
        inbox_text_line(out, v->list.v[i], &narrow);
        (void)buf_append_span(out, chosen && v->colour ? SPAN(PLAIN LINE_END) : SPAN(LINE_END));
    }
    (void)buf_append_span(out, SPAN(LINE_END));
    return count + 1;
}

/* What keys do, of this request. */
static void put_keys(const struct inbox_request *r, struct buf *out) {
    static const struct {
        unsigned can;
        const char *words;
    } keys[] = {{CAN_ALLOW, "a allow"},
                {CAN_ALWAYS, "A always"},
                {CAN_ANSWERS, "1–9 choose · t own words · Enter send"},
                {CAN_MODE, "1–3 mode"},
                {CAN_DENY, "d deny"},
                {CAN_MESSAGE, "D deny with words"},
                {CAN_STOP, "s deny and stop"},
                {CAN_INPUT, "e edit"}};
    size_t before = out->n;
    for (size_t i = 0; r && i < ARRAY_LEN(keys); i++)
        if (r->can & keys[i].can) (void)buf_printf(out, "%s%s", out->n > before ? " · " : "", keys[i].words);
    (void)buf_printf(out, "%s%sn/p next, previous · q quit", out->n > before ? " · " : "",
                     r ? "o open its terminal · " : "");
}

static void put_prompt(const struct inbox_view *v, const struct inbox_request *r, struct buf *out) {
    AUTO(arena) struct arena arena = ARENA_INIT(FRAME_BYTES_MAX);
    struct span rest = r ? r->rules : SPAN_NONE,
                prompt = SPAN("Tell the agent (Enter denies, Esc goes back):");
    struct inbox_rule first = {0};
    if (v->typing == INBOX_TYPES_ANSWER) prompt = SPAN("In your own words (Enter takes it, Esc goes back):");
    if (v->typing == INBOX_TYPES_RULE && r && inbox_rule_next(r, &rest, &first))
        prompt = arena_printf(
            &arena, "Always, rule %zu, into %.*s (Enter takes it, empty leaves it out, Esc goes back):",
            v->rule_at + 1, SPAN_ARG(first.where));
    line_edit_draw(&v->line, prompt, v->cols, out);
}

/* Below the request: where in it we are, what came of the last key, what keys do. */
static void write_footer(const struct inbox_view *v, const struct inbox_request *r, bool soon,
                         struct buf *out) {
    AUTO(buf) struct buf keys = BUF_INIT(FRAME_BYTES_MAX);
    const struct cells_margin margin = {.more = SPAN("  "), .indent = 2, .width = v->cols};
    if (v->note[0]) cells_wrap(span_str(v->note), &margin, out);
    if (v->typing != INBOX_READS) {
        put_prompt(v, r, out);
        return;
    }
    if (soon && r && r->can) /* the keys are shown when they count */
        (void)buf_append_span(&keys, SPAN("Look at it first …"));
    else
        put_keys(r, &keys);
    cells_wrap(buf_span(&keys), &margin, out);
}

static void put_rows(struct span text, size_t skip, size_t count, struct buf *out) {
    while (skip-- && text.n)
        (void)span_split(&text, '\n');
    for (; count && text.n; count--) {
        (void)buf_append_span(out, span_split(&text, '\n'));
        (void)buf_append_span(out, SPAN(LINE_END));
    }
}

static void put_place(const struct inbox_view *v, struct buf *out) {
    char text[96];
    if (v->lines <= v->page)
        text[0] = '\0';
    else
        (void)snprintf(text, sizeof text, "— lines %zu to %zu of %zu%s —", v->top + 1,
                       MIN(v->top + v->page, v->lines), v->lines, v->whole ? "" : ", space goes on");
    (void)cells_append(span_str(text), v->cols, out);
    (void)buf_append_span(out, SPAN(LINE_END));
}

void inbox_view_draw(struct inbox_view *v, usec_t now, int64_t wall_ms, struct buf *out) {
    AUTO(buf)
    struct buf body = BUF_INIT(FRAME_BYTES_MAX), footer = BUF_INIT(FRAME_BYTES_MAX),
               list = BUF_INIT(FRAME_BYTES_MAX);
    const struct inbox_request *r = inbox_view_request(v);
    const struct inbox_look look = {
        .width = v->cols, .colour = v->colour, .now_ms = wall_ms, .draft = r && r->can ? &v->draft : NULL};
    if (r)
        inbox_text_open(&body, r, &look);
    else
        (void)buf_append_span(&body,
                              v->connected ? SPAN("Nothing is asked.\n") : SPAN("Waiting for the daemon.\n"));
    write_footer(v, r, inbox_view_wait(v, now) > 0, &footer);
    size_t listed = put_list(v, &look, &list), below = count_lines(buf_span(&footer)),
           used = listed + below + 2;
    v->lines = count_lines(buf_span(&body));
    v->page = v->rows > used + PAGE_MIN ? v->rows - used : PAGE_MIN;
    v->top = v->lines > v->page ? MIN(v->top, v->lines - v->page) : 0;
    v->whole |= v->top + v->page >= v->lines;
    v->drawn = r ? v->at : (struct inbox_mark){0};
    (void)buf_append_span(out, SPAN(BEGIN));
    put_title(v, out);
    (void)buf_append_span(out, buf_span(&list));
    put_rows(buf_span(&body), v->top, v->page, out);
    put_place(v, out);
    put_rows(buf_span(&footer), 0, below, out);
    if (out->n > sizeof LINE_END) out->n -= 2; /* the last line has no end: it would scroll */
    (void)buf_append_span(out, SPAN(END));
}
