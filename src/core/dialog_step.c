/* Which keys bring a dialog closer to what somebody decided. */
#include "base/jscan.h"
#include "base/utf8.h"
#include "core/dialog_rules.h"

#include <errno.h>

#define KEY_ENTER SPAN("\r")
#define KEY_ESCAPE SPAN("\x1b")
#define KEY_UP SPAN("\x1b[A")
#define KEY_DOWN SPAN("\x1b[B")
#define KEY_TAB SPAN("\t")
#define KEY_SPACE SPAN(" ")
#define PASTE_BEGIN SPAN("\x1b[200~")
#define PASTE_END SPAN("\x1b[201~")

/* Text for a field */

int dialog_put_text(struct buf *keys, struct span text, bool paste) {
    bool gap = false;
    text = span_trim(text);
    if (text.n > DIALOG_TEXT_BYTES_MAX) return -E2BIG;
    if (!utf8_valid(text)) return -EINVAL;
    if (paste) (void)buf_append_span(keys, PASTE_BEGIN);
    while (text.n) {
        size_t bytes = utf8_sequence(text);
        uint32_t code = utf8_decode(span_take(text, bytes));
        bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
        bool blank = control || code == ' ' || code == 0xa0;
        if (!blank && gap) (void)buf_append_char(keys, ' ');
        if (!blank) (void)buf_append(keys, text.p, bytes);
        gap = blank;
        text = span_skip(text, bytes);
    }
    if (paste) (void)buf_append_span(keys, PASTE_END);
    return 0;
}

/* Options */

static size_t find_meaning(const struct dialog *d, enum dialog_meaning meaning) {
    for (size_t i = d->option_count; i-- > 0;)
        if (d->options[i].meaning == meaning) return i;
    return d->option_count;
}

static size_t option_of(const struct dialog *d, enum decision decision) {
    if (decision == DECISION_ALLOW) return find_meaning(d, DIALOG_ALLOW);
    if (decision == DECISION_DENY) return find_meaning(d, DIALOG_DENY);
    size_t at = decision == DECISION_ALWAYS ? find_meaning(d, DIALOG_ALWAYS) : d->option_count;
    return at < d->option_count || decision != DECISION_ALWAYS ? at : find_meaning(d, DIALOG_SESSION);
}

static bool is_asking(const struct dialog *d) {
    return d->kind == DIALOG_QUESTION || d->kind == DIALOG_REVIEW;
}

unsigned dialog_can(const struct dialog *d) {
    bool denies = d->rule->escapes || find_meaning(d, DIALOG_DENY) < d->option_count;
    unsigned can = denies ? CAN_DENY | CAN_STOP : 0;
    if (is_asking(d)) {
        /* Several answers can be given where there is a way on from them. */
        bool answers = d->kind == DIALOG_QUESTION;
        answers = answers && (!d->takes_several || (d->rule->on.n && (d->has_parts || d->cli != CLI_GEMINI)));
        return can | (answers ? CAN_ANSWERS : 0);
    }
    if (option_of(d, DECISION_ALLOW) < d->option_count) can |= CAN_ALLOW;
    if (option_of(d, DECISION_ALWAYS) < d->option_count) can |= CAN_ALWAYS;
    bool explains = find_meaning(d, DIALOG_FIELD) < d->option_count;
    if (explains || (d->rule->amends && denies)) can |= CAN_MESSAGE;
    return can;
}

struct span dialog_words(const struct dialog *d, enum decision decision) {
    size_t at = is_asking(d) ? d->option_count : option_of(d, decision);
    return at < d->option_count ? d->options[at].label : SPAN_NONE;
}

/* Moving */

static void put_moves(const struct dialog *d, size_t to, struct buf *keys) {
    for (size_t at = d->selected; at < to; at++)
        (void)buf_append_span(keys, KEY_DOWN);
    for (size_t at = d->selected; at > to; at--)
        (void)buf_append_span(keys, KEY_UP);
}

/* Chooses an option, or first goes there. */
static void choose(const struct dialog *d, size_t at, struct buf *keys, bool *ret_last) {
    if (!d->rule->listed) {
        (void)buf_append_char(keys, (char)('0' + d->options[at].number));
        *ret_last = true;
        return;
    }
    put_moves(d, at, keys);
    *ret_last = at == d->selected;
    if (*ret_last) (void)buf_append_span(keys, KEY_ENTER);
}

/* Fields */

/* Is the text in the field of the option that is selected, or in the one below? */
static bool is_typed(const struct dialog *d, struct span text, struct arena *arena) {
    struct span wanted = dialog_squeeze(text, arena);
    if (!wanted.n || d->selected == d->option_count) return false;
    if (d->rule->listed) return span_eq(d->typed, wanted);
    const struct dialog_option *o = &d->options[d->selected];
    struct span whole = arena_printf(arena, "%.*s%.*s", SPAN_ARG(o->label), SPAN_ARG(o->more));
    struct span shown = dialog_squeeze(whole, arena);
    if (d->rule->amends && span_starts(shown, SPAN("No,"))) shown = span_skip(shown, 3);
    return span_starts(shown, wanted);
}

/* Goes to the field, types the text, presses Enter, a step at a time. */
static int fill_in(const struct dialog *d, struct span text, bool paste, struct arena *arena,
                   struct buf *keys, bool *ret_last) {
    *ret_last = false;
    if (is_typed(d, text, arena)) {
        (void)buf_append_span(keys, KEY_ENTER);
        *ret_last = true;
        return 0;
    }
    size_t field = find_meaning(d, DIALOG_FIELD);
    if (field < d->option_count && field == d->selected) {
        bool is_empty = !d->rule->listed || span_eq(d->typed, SPAN("Typeyouranswer..."));
        return is_empty ? dialog_put_text(keys, text, paste) : -ENOTSUP;
    }
    if (field < d->option_count && d->rule->listed) {
        put_moves(d, field, keys);
        return 0;
    }
    if (field < d->option_count) {
        (void)buf_append_char(keys, (char)('0' + d->options[field].number));
        return 0;
    }
    size_t denial = find_meaning(d, DIALOG_DENY);
    if (!d->rule->amends || denial == d->option_count) return -ENOTSUP;
    put_moves(d, denial, keys);
    if (denial == d->selected) (void)buf_append_span(keys, KEY_TAB);
    return 0;
}

/* Questions */

/* The answer to the question that is shown, raw: by its text, or the only one there is. */
static struct span answer_of(const struct dialog *d, struct span answers, struct arena *arena) {
    struct span rest = answers, key, value, found = SPAN_NONE, only = SPAN_NONE;
    struct span question = dialog_squeeze(d->question, arena);
    size_t count = 0;
    while (jscan_member_next(&rest, &key, &value) == 1) {
        struct span text;
        if (jscan_string(key, arena, &text) < 0) return SPAN_NONE;
        count++;
        only = value;
        if (span_eq(dialog_squeeze(text, arena), question)) found = value;
    }
    return found.n ? found : count == 1 && !d->has_parts ? only : SPAN_NONE;
}

/* Is it this option's label? A long one goes on in the rows below. */
static bool is_label(const struct dialog_option *o, struct span label, struct arena *arena) {
    struct span wanted = dialog_squeeze(label, arena), first = dialog_squeeze(o->label, arena);
    if (span_eq(wanted, first)) return true;
    if (!first.n || !span_starts(wanted, first)) return false;
    struct span rest = dialog_squeeze(o->more, arena);
    return span_starts(rest, span_skip(wanted, first.n));
}

static size_t find_label(const struct dialog *d, struct span label, struct arena *arena) {
    for (size_t i = 0; i < d->option_count; i++)
        if (d->options[i].meaning == DIALOG_CHOICE && is_label(&d->options[i], label, arena)) return i;
    return d->option_count;
}

static bool is_wanted(const struct dialog_option *o, struct span labels, struct arena *arena) {
    struct span rest = labels, raw, label;
    if (jscan_kind(labels) == JKIND_STRING)
        return jscan_string(labels, arena, &label) == 0 && is_label(o, label, arena);
    while (jscan_array_next(&rest, &raw) == 1)
        if (jscan_string(raw, arena, &label) == 0 && is_label(o, label, arena)) return true;
    return false;
}

/* Are all of them among the options? */
static bool are_offered(const struct dialog *d, struct span labels, struct arena *arena) {
    struct span rest = labels, raw, label;
    if (jscan_kind(labels) == JKIND_STRING)
        return jscan_string(labels, arena, &label) == 0 && find_label(d, label, arena) < d->option_count;
    while (jscan_array_next(&rest, &raw) == 1)
        if (jscan_string(raw, arena, &label) < 0 || find_label(d, label, arena) == d->option_count)
            return false;
    return true;
}

/* Ticks what is wanted, one at a time, then goes on. */
static int tick(const struct dialog *d, struct span labels, struct arena *arena, struct buf *keys,
                bool *ret_last) {
    *ret_last = false;
    if (!are_offered(d, labels, arena)) return -ENOTSUP;
    for (size_t i = 0; i < d->option_count; i++) {
        const struct dialog_option *o = &d->options[i];
        if (o->meaning != DIALOG_CHOICE || o->is_ticked == is_wanted(o, labels, arena)) continue;
        if (!d->rule->listed)
            (void)buf_append_char(keys, (char)('0' + o->number));
        else if (i == d->selected)
            (void)buf_append_span(keys, KEY_SPACE);
        else
            put_moves(d, i, keys);
        return 0;
    }
    (void)buf_append_span(keys, d->rule->on);
    *ret_last = d->rule->listed && !d->has_parts;
    return 0;
}

static int answer(const struct dialog *d, const struct dialog_wish *wish, bool paste, struct arena *arena,
                  struct buf *keys, bool *ret_last) {
    struct span labels = answer_of(d, wish->answers, arena), label = SPAN_NONE;
    if (!labels.n || !(dialog_can(d) & CAN_ANSWERS)) return -ENOTSUP;
    if (d->takes_several) return tick(d, labels, arena, keys, ret_last);
    struct span rest = labels, raw = labels, another;
    if (jscan_kind(labels) == JKIND_ARRAY &&
        (jscan_array_next(&rest, &raw) != 1 || jscan_array_next(&rest, &another) == 1))
        return -ENOTSUP; /* none, or more than one */
    if (jscan_string(raw, arena, &label) < 0 || !span_trim(label).n) return -ENOTSUP;
    size_t at = find_label(d, label, arena);
    bool is_typed_text = at == d->selected && is_typed(d, label, arena) &&
                         find_meaning(d, DIALOG_FIELD) == d->option_count && !d->rule->listed;
    if (at == d->option_count || is_typed_text) {
        bool can = is_typed_text || find_meaning(d, DIALOG_FIELD) < d->option_count;
        int r = can ? fill_in(d, label, paste, arena, keys, ret_last) : -ENOTSUP;
        *ret_last = *ret_last && !d->has_parts;
        return r;
    }
    choose(d, at, keys, ret_last);
    *ret_last = *ret_last && !d->has_parts;
    return 0;
}

/* Does the dialog say this of the answers? */
static bool says(const struct dialog *d, struct span raw, struct arena *arena) {
    struct span label, rest = raw, each;
    if (jscan_kind(raw) == JKIND_ARRAY) {
        while (jscan_array_next(&rest, &each) == 1)
            if (jscan_kind(each) != JKIND_STRING || !says(d, each, arena)) return false;
        return true;
    }
    if (jscan_string(raw, arena, &label) < 0) return false;
    label = dialog_squeeze(label, arena);
    return d->body.n >= label.n && label.n && memmem(d->body.p, d->body.n, label.p, label.n) != NULL;
}

/* Sends the answers when they are those that were wished. */
static int submit(const struct dialog *d, const struct dialog_wish *wish, struct arena *arena,
                  struct buf *keys, bool *ret_last) {
    struct span rest = wish->answers, key, value;
    size_t count = 0;
    for (; jscan_member_next(&rest, &key, &value) == 1; count++)
        if (!says(d, value, arena)) return -ENOTSUP;
    size_t option = find_meaning(d, DIALOG_SUBMIT);
    if (!count || (d->option_count && option == d->option_count)) return -ENOTSUP;
    *ret_last = true;
    if (d->option_count)
        choose(d, option, keys, ret_last);
    else
        (void)buf_append_span(keys, KEY_ENTER);
    return 0;
}

/* The step */

static int deny(const struct dialog *d, const struct dialog_wish *wish, bool paste, struct arena *arena,
                struct buf *keys, bool *ret_last) {
    if (span_trim(wish->message).n)
        return is_asking(d) ? -ENOTSUP : fill_in(d, wish->message, paste, arena, keys, ret_last);
    size_t at = find_meaning(d, DIALOG_DENY);
    *ret_last = true;
    if (at < d->option_count && !is_asking(d))
        choose(d, at, keys, ret_last);
    else if (d->rule->escapes)
        (void)buf_append_span(keys, KEY_ESCAPE);
    else
        return -ENOTSUP;
    return 0;
}

int dialog_step(const struct dialog *d, const struct dialog_wish *wish, bool paste, struct arena *arena,
                struct buf *keys, bool *ret_last) {
    *ret_last = false;
    if (wish->decision == DECISION_DENY) return deny(d, wish, paste, arena, keys, ret_last);
    if (d->kind == DIALOG_QUESTION)
        return wish->decision == DECISION_ALLOW ? answer(d, wish, paste, arena, keys, ret_last) : -ENOTSUP;
    if (d->kind == DIALOG_REVIEW) return submit(d, wish, arena, keys, ret_last);
    size_t at = option_of(d, wish->decision);
    if (at == d->option_count) return -ENOTSUP;
    choose(d, at, keys, ret_last);
    return 0;
}
