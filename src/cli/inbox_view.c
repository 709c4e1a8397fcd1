#include "cli/inbox_view.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>

enum { MESSAGE_BYTES_MAX = 1 << 20 };

/* Which one */

static struct inbox_mark mark_of(const struct inbox_request *r) {
    struct inbox_mark m = {0};
    (void)snprintf(m.id, sizeof m.id, "%.*s", SPAN_ARG(r->id));
    (void)snprintf(m.digest, sizeof m.digest, "%.*s", SPAN_ARG(r->digest));
    return m;
}

static bool is_same(const struct inbox_mark *a, const struct inbox_mark *b) {
    return strcmp(a->id, b->id) == 0 && strcmp(a->digest, b->digest) == 0;
}

const struct inbox_request *inbox_view_request(const struct inbox_view *v) {
    const struct inbox_request *r = v->at.id[0] ? inbox_list_find(&v->list, span_str(v->at.id)) : NULL;
    return r && inbox_request_is_open(r) ? r : NULL;
}

static void forget_draft(struct inbox_view *v) {
    for (size_t i = 0; i < INBOX_QUESTIONS_MAX; i++)
        free(v->draft.own[i]);
    v->draft = (struct inbox_draft){0};
    v->typing = INBOX_READS;
}

static void choose(struct inbox_view *v, const struct inbox_request *r) {
    struct inbox_mark m = r ? mark_of(r) : (struct inbox_mark){0};
    if (is_same(&m, &v->at)) return;
    v->at = m;
    v->top = 0;
    v->whole = false;
    forget_draft(v);
}

static size_t place(const struct inbox_view *v) {
    size_t i = 0;
    while (i < v->list.open && !span_eq_str(v->list.v[i]->id, v->at.id))
        i++;
    return i;
}

/* The list has changed: the chosen one may have ended, or say something else. `was` is its place before. */
static void keep_chosen(struct inbox_view *v, size_t was) {
    const struct inbox_request *r = inbox_view_request(v);
    if (!r && v->list.open) r = v->list.v[MIN(was, v->list.open - 1)];
    bool changed = r && strcmp(v->at.id, mark_of(r).id) == 0 && strcmp(v->at.digest, mark_of(r).digest) != 0;
    if (changed) inbox_view_note(v, "It says something else now: look at it again.");
    choose(v, r);
}

static void step(struct inbox_view *v, bool forward) {
    size_t n = v->list.open, at = place(v);
    if (n) choose(v, v->list.v[(forward ? at + 1 : at + n - 1) % n]);
}

/* Life */

void inbox_view_init(struct inbox_view *v, unsigned cols, unsigned rows, bool colour) {
    *v = (struct inbox_view){
        .cols = cols, .rows = rows, .colour = colour, .answers = BUF_INIT(MESSAGE_BYTES_MAX)};
}

void inbox_view_fini(struct inbox_view *v) {
    forget_draft(v);
    inbox_list_fini(&v->list);
    buf_fini(&v->answers);
}

void inbox_view_connected(struct inbox_view *v, bool is) {
    if (!is && v->answering[0])
        inbox_view_note(v, "The daemon went before it said what became of the answer to %s.", v->answering);
    v->answering[0] = '\0';
    v->connected = is;
}

void inbox_view_shown(struct inbox_view *v, usec_t now) {
    if (is_same(&v->drawn, &v->shown)) return;
    v->shown = v->drawn;
    v->shown_us = now;
}

usec_t inbox_view_wait(const struct inbox_view *v, usec_t now) {
    if (!inbox_view_request(v)) return 0;
    if (!is_same(&v->shown, &v->at)) return INBOX_LOOK_US;
    usec_t since = now - v->shown_us;
    return since < INBOX_LOOK_US ? INBOX_LOOK_US - since : 0;
}

void inbox_view_hidden(struct inbox_view *v) {
    v->shown = (struct inbox_mark){0};
}

/* Messages */

static void hear_answered(struct inbox_view *v, struct span message) {
    struct jmember m[] = {JMEMBER("id"), JMEMBER("ok"), JMEMBER("error"), JMEMBER("state")};
    AUTO(arena) struct arena arena = ARENA_INIT(MESSAGE_BYTES_MAX);
    bool ok = false;
    (void)jscan_object(message, m, ARRAY_LEN(m));
    (void)jscan_bool(m[1].value, &ok);
    struct span id = jscan_text(m[0].value, &arena);
    struct span said = jscan_text(m[ok ? 3 : 2].value, &arena);
    if (span_eq_str(id, v->answering)) v->answering[0] = '\0';
    inbox_view_note(v, ok ? "%.*s is %.*s." : "%.*s: %.*s", SPAN_ARG(id),
                    SPAN_ARG(span_take(said, INBOX_NOTE_BYTES / 2)));
}

/* What ended elsewhere is said, because it goes from the screen. */
static void hear_one(struct inbox_view *v, struct span request) {
    struct inbox_mark at = v->at;
    if (!inbox_list_take(&v->list, request) || !at.id[0] || strcmp(at.id, v->answering) == 0) return;
    const struct inbox_request *r = inbox_list_find(&v->list, span_str(at.id));
    if (r && !inbox_request_is_open(r) && !v->note[0])
        inbox_view_note(v, "%s: %s%s%.*s.", at.id, inbox_state_words(r), r->by.n ? ", from " : "",
                        SPAN_ARG(r->by));
}

void inbox_view_hear(struct inbox_view *v, struct span message) {
    struct jmember m[] = {JMEMBER("type"), JMEMBER("approval"), JMEMBER("away")};
    size_t was = place(v);
    if (jscan_object(message, m, ARRAY_LEN(m)) < 1) return;
    if (span_eq(m[0].value, SPAN("\"inbox\""))) (void)inbox_list_read(&v->list, message);
    if (span_eq(m[0].value, SPAN("\"approval\""))) hear_one(v, m[1].value);
    if (span_eq(m[0].value, SPAN("\"away\""))) inbox_list_set_away(&v->list, m[2].value);
    if (span_eq(m[0].value, SPAN("\"answered\""))) hear_answered(v, message);
    keep_chosen(v, was);
}

/* Answers */

/* Says why not, and answers false. */
static bool may_answer(struct inbox_view *v, const struct inbox_request *r, unsigned can, bool allows,
                       bool alone, usec_t now) {
    if (!v->connected)
        inbox_view_note(v, "The daemon is not there: nothing was answered.");
    else if (!r->can)
        inbox_view_note(v, "Not to be answered from here: %.*s",
                        SPAN_ARG(span_take(r->why, INBOX_NOTE_BYTES / 2)));
    else if (!(r->can & can))
        inbox_view_note(v, "This request does not take that.");
    else if (r->answer.n || strcmp(v->answering, v->at.id) == 0)
        inbox_view_note(v, "Its answer is on its way.");
    else if (!alone)
        inbox_view_note(v, "Several keys at once: nothing was answered.");
    else if (inbox_view_wait(v, now))
        inbox_view_note(v, "It has only just come: look at it, then answer.");
    else if (allows && !v->whole)
        inbox_view_note(v, "There is more of it: read on to its end first (space, or End).");
    else
        return true;
    return false;
}

static enum inbox_action send(struct inbox_view *v, struct inbox_wish *wish, const char *decision) {
    wish->decision = decision;
    (void)snprintf(v->answering, sizeof v->answering, "%s", v->at.id);
    inbox_view_note(v, "%s: the answer is on its way.", v->at.id);
    return INBOX_ANSWER;
}

static enum inbox_action send_answers(struct inbox_view *v, const struct inbox_request *r,
                                      struct inbox_wish *wish) {
    struct inbox_choices c = {0};
    struct inbox_question q;
    struct span rest = r->questions;
    struct err err = {0};
    for (size_t i = 0; i < INBOX_QUESTIONS_MAX && inbox_question_next(r, &rest, &q); i++) {
        for (size_t k = 0; k < 32; k++)
            if (v->draft.chosen[i] & 1U << k) (void)inbox_choices_pick(&c, r, i, k);
        if (v->draft.own[i] && c.v[i].n < INBOX_LABELS_MAX)
            c.v[i].labels[c.v[i].n++] = span_str(v->draft.own[i]);
    }
    buf_clear(&v->answers);
    if (inbox_choices_write(&c, r, &v->answers, &err) < 0) {
        inbox_view_note(v, "%s", err.msg);
        return INBOX_NOTHING;
    }
    wish->answers = buf_span(&v->answers);
    return send(v, wish, "allow");
}

static bool is_answered(const struct inbox_view *v, size_t i) {
    return i < INBOX_QUESTIONS_MAX && (v->draft.chosen[i] || v->draft.own[i]);
}

/* To the next question that has no answer; when all have one, they are sent. */
static enum inbox_action go_on(struct inbox_view *v, const struct inbox_request *r, struct inbox_wish *wish) {
    size_t n = inbox_question_count(r);
    for (size_t i = 0; i < n; i++) {
        if (is_answered(v, i)) continue;
        v->draft.question = i;
        inbox_view_note(v, "Question %zu of %zu is still to be answered.", i + 1, n);
        return INBOX_NOTHING;
    }
    return send_answers(v, r, wish);
}

static enum inbox_action pick(struct inbox_view *v, const struct inbox_request *r, unsigned number,
                              struct inbox_wish *wish) {
    struct inbox_choices c = {0};
    struct inbox_question q;
    size_t at = v->draft.question;
    if (!inbox_question_at(r, at, &q) || !inbox_choices_pick(&c, r, at, number)) {
        inbox_view_note(v, "There is no option %u.", number + 1);
        return INBOX_NOTHING;
    }
    if (q.many) {
        v->draft.chosen[at] ^= 1U << number;
        return INBOX_NOTHING;
    }
    v->draft.chosen[at] = 1U << number;
    free(TAKE(v->draft.own[at]));
    return go_on(v, r, wish);
}

static size_t mode_count(const struct inbox_request *r) {
    struct span rest = r->modes, mode;
    size_t n = 0;
    while (inbox_mode_next(r, &rest, &mode))
        n++;
    return n;
}

static enum inbox_action digit(struct inbox_view *v, const struct inbox_request *r, unsigned number,
                               bool alone, usec_t now, struct inbox_wish *wish) {
    if (r->can & CAN_MODE) {
        if (number < mode_count(r)) v->draft.mode = number;
        return INBOX_NOTHING;
    }
    return may_answer(v, r, CAN_ANSWERS, true, alone, now) ? pick(v, r, number, wish) : INBOX_NOTHING;
}

static enum inbox_action allow(struct inbox_view *v, const struct inbox_request *r, bool alone, usec_t now,
                               struct inbox_wish *wish) {
    if (!may_answer(v, r, CAN_ALLOW | CAN_ANSWERS, true, alone, now)) return INBOX_NOTHING;
    if (r->can & CAN_ANSWERS) return go_on(v, r, wish);
    struct span rest = r->modes, mode;
    for (size_t i = 0; v->draft.mode && inbox_mode_next(r, &rest, &mode);
         i++) /* the first one is what it does anyway */
        if (i == v->draft.mode) wish->mode = mode;
    return send(v, wish, "allow");
}

/* Typing */

static void begin_rule(struct inbox_view *v, const struct inbox_request *r) {
    struct span rest = r->rules;
    struct inbox_rule rule = {0};
    for (size_t i = 0; i <= v->rule_at && inbox_rule_next(r, &rest, &rule); i++) {}
    v->typing = INBOX_TYPES_RULE;
    line_edit_begin(&v->line, rule.rule);
}

static size_t rules_shown(const struct inbox_request *r) {
    struct span rest = r->rules;
    struct inbox_rule rule;
    size_t n = 0;
    while (n < REPLY_RULES_MAX && inbox_rule_next(r, &rest, &rule))
        n++;
    return n;
}

static enum inbox_action always(struct inbox_view *v, const struct inbox_request *r,
                                struct inbox_wish *wish) {
    if (!rules_shown(r)) return send(v, wish, "always");
    v->rule_at = v->rule_count = 0;
    begin_rule(v, r);
    return INBOX_NOTHING;
}

/* A rule was looked at, and perhaps changed; an empty one is left out. */
static enum inbox_action take_rule(struct inbox_view *v, const struct inbox_request *r,
                                   struct inbox_wish *wish) {
    struct span text = span_trim(line_edit_text(&v->line));
    if (text.n) (void)snprintf(v->rules[v->rule_count++], LINE_EDIT_BYTES, "%.*s", SPAN_ARG(text));
    if (++v->rule_at < rules_shown(r)) {
        begin_rule(v, r);
        return INBOX_NOTHING;
    }
    v->typing = INBOX_READS;
    if (!v->rule_count) {
        inbox_view_note(v, "No rule is left: nothing was answered.");
        return INBOX_NOTHING;
    }
    struct span rest = r->rules;
    struct inbox_rule first = {0};
    (void)inbox_rule_next(r, &rest, &first);
    wish->where = first.where;
    for (wish->rule_count = 0; wish->rule_count < v->rule_count; wish->rule_count++)
        wish->rules[wish->rule_count] = span_str(v->rules[wish->rule_count]);
    return send(v, wish, "always");
}

static enum inbox_action take_answer(struct inbox_view *v, const struct inbox_request *r,
                                     struct inbox_wish *wish) {
    struct span text = span_trim(line_edit_text(&v->line));
    size_t at = v->draft.question;
    v->typing = INBOX_READS;
    if (!text.n || at >= INBOX_QUESTIONS_MAX) return INBOX_NOTHING;
    free(v->draft.own[at]);
    v->draft.own[at] = str_dup(text);
    v->draft.chosen[at] = 0;
    return go_on(v, r, wish);
}

static enum inbox_action type(struct inbox_view *v, const struct keypress *key, struct inbox_wish *wish) {
    const struct inbox_request *r = inbox_view_request(v);
    enum line_edit_state state = line_edit_key(&v->line, key);
    if (state == LINE_EDIT_MORE) return INBOX_NOTHING;
    if (state == LINE_EDIT_CANCELED || !r) {
        v->typing = INBOX_READS;
        inbox_view_note(v, "Nothing was answered.");
        return INBOX_NOTHING;
    }
    if (v->typing == INBOX_TYPES_RULE) return take_rule(v, r, wish);
    if (v->typing == INBOX_TYPES_ANSWER) return take_answer(v, r, wish);
    v->typing = INBOX_READS;
    wish->message = span_trim(line_edit_text(&v->line));
    return send(v, wish, "deny");
}

static enum inbox_action begin_typing(struct inbox_view *v, enum inbox_typing what) {
    v->typing = what;
    line_edit_begin(&v->line, SPAN_NONE);
    return INBOX_NOTHING;
}

/* Keys */

static void scroll(struct inbox_view *v, long by) {
    size_t last = v->lines > v->page ? v->lines - v->page : 0;
    if (by < 0)
        v->top -= MIN(v->top, (size_t)-by);
    else
        v->top = MIN(v->top + (size_t)by, last);
}

static enum inbox_action letter(struct inbox_view *v, const struct inbox_request *r, char c, bool alone,
                                usec_t now, struct inbox_wish *wish) {
    if (c >= '1' && c <= '9') return digit(v, r, (unsigned)(c - '1'), alone, now, wish);
    switch (c) {
    case 'a': return allow(v, r, alone, now, wish);
    case 'A': return may_answer(v, r, CAN_ALWAYS, true, alone, now) ? always(v, r, wish) : INBOX_NOTHING;
    case 'd': return may_answer(v, r, CAN_DENY, false, alone, now) ? send(v, wish, "deny") : INBOX_NOTHING;
    case 'D':
        return may_answer(v, r, CAN_MESSAGE, false, alone, now) ? begin_typing(v, INBOX_TYPES_MESSAGE)
                                                                : INBOX_NOTHING;
    case 's':
        wish->stop = true;
        return may_answer(v, r, CAN_STOP, false, alone, now) ? send(v, wish, "deny") : INBOX_NOTHING;
    case 't':
        return may_answer(v, r, CAN_ANSWERS, true, alone, now) ? begin_typing(v, INBOX_TYPES_ANSWER)
                                                               : INBOX_NOTHING;
    case 'e': return may_answer(v, r, CAN_INPUT, true, alone, now) ? INBOX_EDIT : INBOX_NOTHING;
    case 'o': return INBOX_OPEN;
    default: return INBOX_NOTHING;
    }
}

static enum inbox_action plain_key(struct inbox_view *v, char c, bool alone, usec_t now,
                                   struct inbox_wish *wish) {
    const struct inbox_request *r = inbox_view_request(v);
    switch (c) {
    case 'q': return INBOX_QUIT;
    case 'n': step(v, true); break;
    case 'p': step(v, false); break;
    case 'j': scroll(v, 1); break;
    case 'k': scroll(v, -1); break;
    case ' ': scroll(v, (long)v->page); break;
    case 'b': scroll(v, -(long)v->page); break;
    case 'g': scroll(v, -(long)v->lines); break;
    case 'G': scroll(v, (long)v->lines); break;
    default: return r ? letter(v, r, c, alone, now, wish) : INBOX_NOTHING;
    }
    return INBOX_NOTHING;
}

enum inbox_action inbox_view_key(struct inbox_view *v, const struct keypress *key, bool alone, usec_t now,
                                 struct inbox_wish *ret) {
    *ret = (struct inbox_wish){0};
    v->note[0] = '\0';
    if (v->typing != INBOX_READS) return type(v, key, ret);
    const struct inbox_request *r = inbox_view_request(v);
    switch (key->kind) {
    case KEYPRESS_TEXT: return plain_key(v, key->text.p[0], alone, now, ret);
    case KEYPRESS_CONTROL: return key->letter == 'c' ? INBOX_QUIT : INBOX_NOTHING;
    case KEYPRESS_ENTER: return r && (r->can & CAN_ANSWERS) ? allow(v, r, alone, now, ret) : INBOX_NOTHING;
    case KEYPRESS_RIGHT: step(v, true); break;
    case KEYPRESS_LEFT: step(v, false); break;
    case KEYPRESS_UP: scroll(v, -1); break;
    case KEYPRESS_DOWN: scroll(v, 1); break;
    case KEYPRESS_PAGE_UP: scroll(v, -(long)v->page); break;
    case KEYPRESS_PAGE_DOWN: scroll(v, (long)v->page); break;
    case KEYPRESS_HOME: scroll(v, -(long)v->lines); break;
    case KEYPRESS_END: scroll(v, (long)v->lines); break;
    case KEYPRESS_ESCAPE:
    case KEYPRESS_BACKSPACE:
    case KEYPRESS_DELETE:
    case KEYPRESS_OTHER: break;
    }
    return INBOX_NOTHING;
}
