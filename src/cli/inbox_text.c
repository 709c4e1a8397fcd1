#include "cli/inbox_text.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "cli/cells.h"
#include "cli/screen.h"

#include <stdio.h>

#define BOLD "\x1b[1m"
#define DIM "\x1b[2m"
#define YELLOW "\x1b[1;33m"
#define GREEN "\x1b[32m"
#define RED "\x1b[31m"
#define BLUE "\x1b[34m"
#define PLAIN "\x1b[0m"

enum { TEXT_BYTES_MAX = 64 << 20, INDENT = 2, BAR_CELLS = 4, MARGIN_BYTES = 64 };

const char *inbox_state_words(const struct inbox_request *r) {
    static const struct {
        const char *state, *words;
    } all[] = {{"allowed", "allowed"},
               {"denied", "denied"},
               {"desk", "answered at its own dialog"},
               {"expired", "expired: nobody can answer it any more"},
               {"gone", "gone: its agent has ended, or went on"}};
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        if (span_eq_str(r->state, all[i].state)) return all[i].words;
    return "open";
}

/* Lines of ours */

/* A text of ours, or with names in it, at the usual indent. */
static void put(struct buf *out, const struct inbox_look *look, const char *colour, struct span text) {
    char first[MARGIN_BYTES], more[MARGIN_BYTES];
    const char *begin = look->colour && colour ? colour : "";
    int n = snprintf(first, sizeof first, "%*s%s", INDENT, "", begin);
    int k = snprintf(more, sizeof more, "%*s%s", 2 * INDENT, "", begin);
    const struct cells_margin margin = {.first = span_of(first, (size_t)n),
                                        .more = span_of(more, (size_t)k),
                                        .indent = 2 * INDENT,
                                        .width = look->width,
                                        .end = *begin ? SPAN(PLAIN) : SPAN_NONE};
    cells_wrap(text, &margin, out);
}

/* What the agent wrote, behind a bar */

static void put_barred(struct buf *out, const struct inbox_look *look, const char *colour, struct span text) {
    char first[MARGIN_BYTES], more[MARGIN_BYTES];
    bool on = look->colour;
    const char *begin = on && colour ? colour : "";
    int n = snprintf(first, sizeof first, "  %s│%s %s", on ? DIM : "", on ? PLAIN : "", begin);
    int k = snprintf(more, sizeof more, "  %s│%s   %s", on ? DIM : "", on ? PLAIN : "", begin);
    const struct cells_margin margin = {.first = span_of(first, (size_t)n),
                                        .more = span_of(more, (size_t)k),
                                        .indent = BAR_CELLS + INDENT,
                                        .width = look->width,
                                        .end = *begin ? SPAN(PLAIN) : SPAN_NONE};
    cells_wrap(text, &margin, out);
}

static const char *diff_colour(struct span line, bool first) {
    if (first) return BOLD;
    if (span_starts(line, SPAN("@@"))) return BLUE;
    if (span_starts(line, SPAN("+"))) return GREEN;
    return span_starts(line, SPAN("-")) ? RED : NULL;
}

static void put_diff(struct buf *out, const struct inbox_look *look, struct span diff) {
    for (bool first = true; diff.n; first = false) {
        struct span line = span_split(&diff, '\n');
        put_barred(out, look, diff_colour(line, first), line);
    }
}

/* The sign before an option while somebody chooses. */
static const char *sign(const struct inbox_draft *d, size_t question, unsigned option) {
    if (!d || question >= INBOX_QUESTIONS_MAX) return "";
    return option < 32 && (d->chosen[question] & 1U << option) ? "● " : "○ ";
}

static void put_question(struct buf *out, const struct inbox_look *look, const struct inbox_request *r,
                         const struct inbox_question *q, size_t at, struct arena *arena) {
    const struct inbox_draft *d = look->draft;
    struct span rest = q->options;
    struct inbox_option o;
    put_barred(out, look, BOLD,
               arena_printf(arena, "%s%.*s", d && d->question == at ? "▸ " : "", SPAN_ARG(q->question)));
    if (q->many) put_barred(out, look, DIM, SPAN("(choose any number)"));
    for (unsigned i = 0; inbox_option_next(r, &rest, &o); i++)
        put_barred(out, look, NULL,
                   arena_printf(arena, "%s%u. %.*s%s%.*s", sign(d, at, i), i + 1, SPAN_ARG(o.label),
                                o.description.n ? ": " : "", SPAN_ARG(o.description)));
    if (d && at < INBOX_QUESTIONS_MAX && d->own[at])
        put_barred(out, look, NULL, arena_printf(arena, "● %s", d->own[at]));
}

static void put_asked(struct buf *out, const struct inbox_look *look, const struct inbox_request *r) {
    AUTO(arena) struct arena arena = ARENA_INIT(TEXT_BYTES_MAX);
    struct span rest = r->questions;
    struct inbox_question q;
    if (r->questions.n) {
        for (size_t i = 0; inbox_question_next(r, &rest, &q); i++) {
            if (i) put_barred(out, look, NULL, SPAN(""));
            put_question(out, look, r, &q, i, &arena);
        }
        return;
    }
    /* A command, a change and a plan are in their details, whole. */
    if (!r->detail.n || span_eq(r->form, SPAN("text"))) put_barred(out, look, NULL, r->text);
    if (!r->detail.n) return;
    if (span_eq(r->form, SPAN("diff")))
        put_diff(out, look, r->detail);
    else
        put_barred(out, look, NULL, r->detail);
}

/* What can be answered */

static void put_can(struct buf *out, const struct inbox_look *look, const struct inbox_request *r,
                    struct arena *arena) {
    AUTO(buf) struct buf list = BUF_INIT(TEXT_BYTES_MAX);
    struct span rest = r->rules, mode;
    struct inbox_rule rule;
    if (!r->can) {
        put(out, look, YELLOW, arena_printf(arena, "Not to be answered from here: %.*s", SPAN_ARG(r->why)));
        return;
    }
    for (size_t i = 0; i < CAN_N_; i++)
        if (r->can & 1U << i)
            (void)buf_printf(&list, "%s%s", list.n ? ", " : "", can_to_str((enum can_index)i));
    put(out, look, NULL, arena_printf(arena, "Takes: %.*s", SPAN_ARG(buf_span(&list))));
    while (inbox_rule_next(r, &rest, &rule))
        put(out, look, NULL,
            arena_printf(arena, "always writes %.*s (%.*s)", SPAN_ARG(rule.rule), SPAN_ARG(rule.where)));
    buf_clear(&list);
    rest = r->modes;
    for (size_t i = 0; inbox_mode_next(r, &rest, &mode); i++)
        (void)buf_printf(&list, "%s%s%.*s", list.n ? ", " : "",
                         look->draft && look->draft->mode == i ? "● " : "", SPAN_ARG(mode));
    if (list.n) put(out, look, NULL, arena_printf(arena, "Goes on in: %.*s", SPAN_ARG(buf_span(&list))));
}

/* The whole */

/* What the session is called. */
static struct span name_of(const struct inbox_request *r) {
    return r->title.n ? r->title : r->project;
}

static void put_whose(struct buf *out, const struct inbox_look *look, const struct inbox_request *r,
                      struct arena *arena) {
    bool elsewhere = r->title.n && r->project.n && !span_starts(r->title, r->project);
    put(out, look, NULL,
        arena_printf(arena, "%.*s%s%.*s · %.*s%s%.*s%s%.*s", SPAN_ARG(name_of(r)), elsewhere ? " · " : "",
                     SPAN_ARG(elsewhere ? r->project : SPAN_NONE), SPAN_ARG(r->cli), r->tool.n ? " · " : "",
                     SPAN_ARG(r->tool), r->agent.n ? " · subagent " : "", SPAN_ARG(r->agent)));
}

/* The first line, which is not indented. */
static void put_head(struct buf *out, const struct inbox_look *look, const char *colour, struct span text) {
    const struct cells_margin margin = {.first = look->colour ? span_str(colour) : SPAN_NONE,
                                        .more = SPAN("  "),
                                        .indent = INDENT,
                                        .width = look->width,
                                        .end = look->colour ? SPAN(PLAIN) : SPAN_NONE};
    cells_wrap(text, &margin, out);
}

void inbox_text_open(struct buf *out, const struct inbox_request *r, const struct inbox_look *look) {
    AUTO(arena) struct arena arena = ARENA_INIT(TEXT_BYTES_MAX);
    put_head(out, look, YELLOW,
             arena_printf(&arena, "%.*s %.*s · asked %s ago%s", SPAN_ARG(r->kind), SPAN_ARG(r->id),
                          screen_age(look->now_ms - r->asked_ms).text, r->certain ? "" : " · only likely"));
    put_whose(out, look, r, &arena);
    put_asked(out, look, r);
    if (r->note.n) put(out, look, RED, arena_printf(&arena, "%.*s", SPAN_ARG(r->note)));
    if (r->answer.n)
        put(out, look, GREEN,
            arena_printf(&arena, "Answered a moment ago (%.*s%s%.*s); the agent does not have it yet",
                         SPAN_ARG(r->answer), r->answer_by.n ? ", from " : "", SPAN_ARG(r->answer_by)));
    else
        put_can(out, look, r, &arena);
}

void inbox_text_ended(struct buf *out, const struct inbox_request *r, const struct inbox_look *look) {
    AUTO(arena) struct arena arena = ARENA_INIT(TEXT_BYTES_MAX);
    const char *colour = span_eq(r->state, SPAN("allowed"))  ? GREEN
                         : span_eq(r->state, SPAN("denied")) ? RED
                                                             : DIM;
    put_head(out, look, colour,
             arena_printf(&arena, "%s · %.*s · %s ago%s%.*s", inbox_state_words(r), SPAN_ARG(r->id),
                          screen_age(look->now_ms - r->ended_ms).text, r->by.n ? " · from " : "",
                          SPAN_ARG(r->by)));
    put_whose(out, look, r, &arena);
    put_barred(out, look, NULL, r->text);
}

void inbox_text_line(struct buf *out, const struct inbox_request *r, const struct inbox_look *look) {
    AUTO(arena) struct arena arena = ARENA_INIT(TEXT_BYTES_MAX);
    (void)cells_append(arena_printf(&arena, "%.*s %s %.*s · %.*s: %.*s", SPAN_ARG(r->id),
                                    screen_age(look->now_ms - r->asked_ms).text, SPAN_ARG(r->kind),
                                    SPAN_ARG(name_of(r)), SPAN_ARG(r->text)),
                       look->width, out);
}

void inbox_text_away(struct buf *out, struct span away, const struct inbox_look *look) {
    struct jmember m[] = {JMEMBER("away"), JMEMBER("since"), JMEMBER("by"), JMEMBER("auto"),
                          JMEMBER("afterMinutes")};
    AUTO(arena) struct arena arena = ARENA_INIT(TEXT_BYTES_MAX);
    bool is_away = false, by_itself = false;
    int64_t since = 0, after = 0;
    if (jscan_kind(away) != JKIND_OBJECT || jscan_object(away, m, ARRAY_LEN(m)) < 1) return;
    (void)jscan_bool(m[0].value, &is_away);
    (void)jscan_bool(m[3].value, &by_itself);
    (void)jscan_i64(m[4].value, &after);
    bool dated = jscan_i64(m[1].value, &since);
    struct span by = jscan_text(m[2].value, &arena), text;
    if (by_itself)
        text = arena_printf(&arena,
                            "You are away: no key was typed for %lld min. Codex waits for answers from here.",
                            (long long)after);
    else if (is_away)
        text = arena_printf(&arena, "You are away%s%s%s%.*s. Codex waits for answers from here.",
                            dated ? ", for " : "", dated ? screen_age(look->now_ms - since).text : "",
                            by.n ? ", says " : "", SPAN_ARG(by));
    else
        return;
    const struct cells_margin margin = {.width = look->width};
    cells_wrap(text, &margin, out);
}
