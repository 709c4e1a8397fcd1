#include "cli/inbox_choices.h"

#include "base/jwrite.h"

#include <errno.h>

static int add_label(struct inbox_choice *choice, const struct inbox_question *q, struct span label,
                     struct err *err) {
    if (!label.n) return err_set(err, -EINVAL, "an answer must say something");
    if (choice->n && !q->many)
        return err_set(err, -EINVAL, "this question takes one answer: %.*s",
                       SPAN_ARG(span_take(q->question, 200)));
    if (choice->n == INBOX_LABELS_MAX)
        return err_set(err, -EINVAL, "no more than %d labels", INBOX_LABELS_MAX);
    choice->labels[choice->n++] = label;
    return 0;
}

/* How much of the word names the question, with the = behind it; 0: nothing does. */
static size_t names(const struct inbox_question *q, size_t i, struct span word) {
    char digits[SPAN_DIGITS];
    const struct span ways[] = {q->question, q->header, span_digits(digits, i + 1)};
    for (size_t k = 0; k < ARRAY_LEN(ways); k++) {
        size_t n = ways[k].n;
        if (n && span_starts(word, ways[k]) && word.n > n && word.p[n] == '=') return n + 1;
    }
    return 0;
}

int inbox_choices_add(struct inbox_choices *c, const struct inbox_request *r, struct span word,
                      struct err *err) {
    struct inbox_question q, best_q = {0};
    struct span rest = r->questions;
    size_t best = 0, best_i = 0, count = 0;
    for (; inbox_question_next(r, &rest, &q); count++) {
        size_t n = names(&q, count, word);
        if (n > best || count == 0) {
            best = n;
            best_i = count;
            best_q = q;
        }
    }
    if (count == 0) return err_set(err, -EINVAL, "there is no question to be answered");
    if (best_i >= INBOX_QUESTIONS_MAX)
        return err_set(err, -EINVAL, "there are too many questions: answer them on the board");
    if (!best && count > 1)
        return err_set(err, -EINVAL,
                       "which question is this an answer to? Write 'QUESTION=LABEL', or '2=LABEL': %.*s",
                       SPAN_ARG(span_take(word, 200)));
    return add_label(&c->v[best_i], &best_q, span_skip(word, best), err);
}

static bool option_at(const struct inbox_request *r, const struct inbox_question *q, size_t at,
                      struct inbox_option *ret) {
    struct span rest = q->options;
    bool there = inbox_option_next(r, &rest, ret);
    while (there && at--)
        there = inbox_option_next(r, &rest, ret);
    return there;
}

/* "2" and "1, 3": true when every part is the number of an option. */
static bool add_numbers(struct inbox_choice *choice, const struct inbox_request *r,
                        const struct inbox_question *q, struct span line) {
    struct inbox_choice made = {0};
    struct err err;
    while (line.n) {
        struct inbox_option o;
        uint64_t number;
        if (!span_u64(span_trim(span_split(&line, ',')), &number) || !number ||
            !option_at(r, q, number - 1, &o) || add_label(&made, q, o.label, &err) < 0)
            return false;
    }
    if (made.n) *choice = made;
    return made.n > 0;
}

int inbox_choices_typed(struct inbox_choices *c, const struct inbox_request *r, size_t i, struct span line,
                        struct err *err) {
    struct inbox_question q;
    struct inbox_option o;
    line = span_trim(line);
    if (i >= INBOX_QUESTIONS_MAX || !inbox_question_at(r, i, &q))
        return err_set(err, -EINVAL, "there is no such question");
    c->v[i].n = 0;
    for (struct span rest = q.options; inbox_option_next(r, &rest, &o);)
        if (span_eq(o.label, line)) return add_label(&c->v[i], &q, o.label, err);
    if (add_numbers(&c->v[i], r, &q, line)) return 0;
    return add_label(&c->v[i], &q, line, err);
}

bool inbox_choices_pick(struct inbox_choices *c, const struct inbox_request *r, size_t i, size_t option) {
    struct inbox_question q;
    struct inbox_option o;
    struct err err;
    return i < INBOX_QUESTIONS_MAX && inbox_question_at(r, i, &q) && option_at(r, &q, option, &o) &&
           add_label(&c->v[i], &q, o.label, &err) == 0;
}

int inbox_choices_write(const struct inbox_choices *c, const struct inbox_request *r, struct buf *out,
                        struct err *err) {
    struct jwrite w = JWRITE_INIT(out);
    struct span rest = r->questions;
    struct inbox_question q;
    jwrite_object(&w);
    for (size_t i = 0; inbox_question_next(r, &rest, &q); i++) {
        const struct inbox_choice *choice = i < INBOX_QUESTIONS_MAX ? &c->v[i] : NULL;
        if (!choice || !choice->n)
            return err_set(err, -EINVAL, "there is no answer to: %.*s", SPAN_ARG(span_take(q.question, 200)));
        jwrite_key_span(&w, q.question);
        if (!q.many) {
            jwrite_str(&w, choice->labels[0]);
            continue;
        }
        jwrite_array(&w);
        for (size_t k = 0; k < choice->n; k++)
            jwrite_str(&w, choice->labels[k]);
        jwrite_array_end(&w);
    }
    jwrite_object_end(&w);
    return out->failed ? err_set(err, -EMSGSIZE, "the answer is too large") : 0;
}
