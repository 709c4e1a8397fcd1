#include "base/jedit.h"

#include "base/cleanup.h"
#include "base/jedit_int.h"
#include "base/jscan.h"
#include "base/jtext.h"
#include "base/jwrite.h"

#include <errno.h>

static bool has_newline(struct span s) {
    return s.n && memchr(s.p, '\n', s.n);
}

static const char *span_end(struct span s) {
    return s.p + s.n;
}

static struct span between(const char *from, const char *to) {
    return span_of(from, (size_t)(to - from));
}

static const char *child_begin(const struct jedit_child *c) {
    return c->name.p ? c->name.p : c->value.p;
}

static int finish(const struct buf *out, struct err *err) {
    return out->failed ? err_set(err, -ENOBUFS, "the text would become too large") : 0;
}

/* White space between the last thing before `to` that is none and `to`; `from` lies behind a comma or a bracket. */
static struct span gap_before(struct span text, const char *from, const char *to, bool *ret_line_comment) {
    struct jedit_scan s = {.text = between(text.p, to), .at = (size_t)(from - text.p)};
    (void)jedit_skip(&s);
    *ret_line_comment = s.comment_end && s.line_comment;
    return between(s.comment_end ? text.p + s.comment_end : from, to);
}

/* Adding */

struct addition {
    struct span text;
    struct jedit_style style;
    struct span name;  /* of the member, empty for an element */
    struct span value; /* compact */
};

static void put_child(const struct addition *a, struct span indent, bool lines, struct buf *out) {
    if (a->name.n) {
        struct jwrite w = JWRITE_INIT(out);
        jwrite_str(&w, a->name);
        (void)buf_append_span(out, a->style.colon);
    }
    jedit_lay_out(out, a->value, &a->style, indent, lines);
}

static void add_to_empty(const struct addition *a, struct span container, struct buf *out) {
    const char *inside = container.p + 1;
    struct span indent = jedit_indent(a->text, container.p);
    AUTO(buf) struct buf deeper = BUF_INIT(SIZE_MAX);
    (void)buf_append_span(&deeper, indent);
    (void)buf_append_span(&deeper, a->style.unit);

    (void)buf_append_span(out, between(a->text.p, inside));
    if (a->style.lines) {
        (void)buf_append_span(out, a->style.newline);
        (void)buf_append_span(out, buf_span(&deeper));
    }
    put_child(a, buf_span(&deeper), a->style.lines, out);
    if (a->style.lines) {
        (void)buf_append_span(out, a->style.newline);
        (void)buf_append_span(out, indent);
    }
    (void)buf_append_span(out, between(inside, span_end(a->text)));
}

/* Where a comment that shares the line with what ends at `at` ends: it speaks of that, not of what is added. */
static const char *behind_comments(struct span text, const char *at, bool *ret_line_comment) {
    *ret_line_comment = false;
    for (;;) {
        const char *p = at;
        while (p < span_end(text) && (*p == ' ' || *p == '\t'))
            p++;
        struct span left = between(p, span_end(text));
        bool line = span_starts(left, SPAN("//"));
        if (!line && !span_starts(left, SPAN("/*"))) return at;
        size_t n = 2;
        while (n < left.n && !span_starts(span_skip(left, n), line ? SPAN("\n") : SPAN("*/")))
            n++;
        if (line && left.p[n - 1] == '\r') n--;
        if (!line) n += 2;
        if (has_newline(span_take(left, n))) return at;
        at = p + n;
        *ret_line_comment = line;
        if (line) return at;
    }
}

/* What is to stand between the last child and a new one. */
static void put_separator(const struct addition *a, struct span container, const struct jedit_child *last,
                          bool alone, bool line_comment, struct buf *out) {
    const char *begin = child_begin(last);
    const char *from = begin;
    while (from > container.p && jtext_is_space(from[-1]))
        from--;
    struct span gap = between(from, begin);
    if (has_newline(gap) || line_comment) {
        (void)buf_append_span(out, a->style.newline);
        (void)buf_append_span(out, jedit_indent(a->text, begin));
    } else {
        (void)buf_append_span(out, alone ? span_skip(a->style.comma, 1) : gap);
    }
}

static void add_behind(const struct addition *a, struct span container, const struct jedit_child *last,
                       bool alone, struct buf *out) {
    bool line_comment;
    AUTO(buf) struct buf separator = BUF_INIT(SIZE_MAX);
    const char *end = span_end(last->value), *place = behind_comments(a->text, end, &line_comment);
    put_separator(a, container, last, alone, line_comment, &separator);
    bool lines = has_newline(buf_span(&separator));

    (void)buf_append_span(out, between(a->text.p, end));
    (void)buf_append_char(out, ',');
    (void)buf_append_span(out, between(end, place));
    (void)buf_append_span(out, buf_span(&separator));
    put_child(a, jedit_indent(a->text, child_begin(last)), lines, out);
    (void)buf_append_span(out, between(place, span_end(a->text)));
}

static int refuse(struct span text, const char *at, struct err *err, const char *wrong) {
    struct jedit_scan s = {.text = text, .at = (size_t)(at - text.p), .wrong = wrong};
    return jedit_explain(&s, err);
}

/* Adds what is missing from `path` on to a container that is there. */
static int add(struct span text, struct span container, const struct jedit_step *path, struct span value,
               struct buf *out, struct err *err) {
    struct addition a = {.text = text, .name = path->name, .value = value};
    bool object = container.p[0] == '{';
    if (path->name.n && !object)
        return refuse(text, container.p, err, "there is something else where an object is needed");
    if (!path->name.n && container.p[0] != '[')
        return refuse(text, container.p, err, "there is something else where a list is needed");
    jedit_style_of(text, &a.style);

    struct jedit_child child = {0}, last = {0};
    size_t count = 0;
    for (; jedit_next(container, &child); count++)
        last = child;
    if (!path->name.n && path->index != count) return refuse(text, container.p, err, "the list is too short");
    if (count == 0)
        add_to_empty(&a, container, out);
    else
        add_behind(&a, container, &last, count == 1, out);
    return finish(out, err);
}

/* The value inside of all that is missing on its way. */
static int wrap(const struct jedit_step *path, size_t depth, struct span value, struct buf *out,
                struct err *err) {
    for (size_t i = 0; i < depth; i++) {
        if (!path[i].name.n && path[i].index > 0) return err_set(err, -EINVAL, "the list is too short");
        (void)buf_append_char(out, path[i].name.n ? '{' : '[');
        if (!path[i].name.n) continue;
        struct jwrite w = JWRITE_INIT(out);
        jwrite_str(&w, path[i].name);
        (void)buf_append_char(out, ':');
    }
    (void)buf_append_span(out, value);
    for (size_t i = depth; i-- > 0;)
        (void)buf_append_char(out, path[i].name.n ? '}' : ']');
    return finish(out, err);
}

static int replace(struct span text, struct span old, struct span value, struct buf *out, struct err *err) {
    struct jedit_style style;
    jedit_style_of(text, &style);
    struct jedit_child child = {0};
    bool one_line = jedit_next(old, &child) && !has_newline(old);
    (void)buf_append_span(out, between(text.p, old.p));
    jedit_lay_out(out, value, &style, jedit_indent(text, old.p), style.lines && !one_line);
    (void)buf_append_span(out, between(span_end(old), span_end(text)));
    return finish(out, err);
}

static int put_in_blank(struct span text, const struct jedit_step *path, size_t depth, struct span value,
                        struct buf *out, struct err *err) {
    AUTO(buf) struct buf made = BUF_INIT(out->cap);
    struct jedit_style style;
    jedit_style_of(text, &style);
    (void)buf_append_span(&made, text);
    if (text.n && !span_ends(text, SPAN("\n"))) (void)buf_append_span(&made, style.newline);
    (void)buf_append(&made, "{}", 2);
    (void)buf_append_span(&made, style.newline);
    int r = finish(&made, err);
    return r < 0 ? r : jedit_put(buf_span(&made), path, depth, value, out, err);
}

int jedit_put(struct span text, const struct jedit_step *path, size_t depth, struct span value,
              struct buf *out, struct err *err) {
    int r = jedit_check(text, err);
    if (r < 0) return r;
    if (jvalid(value, JEDIT_DEPTH_MAX) < 0) return err_set(err, -EINVAL, "the new value is no JSON");
    if (jedit_is_blank(text)) return put_in_blank(text, path, depth, value, out, err);

    struct span at = jedit_root(text);
    for (size_t i = 0; i < depth; i++) {
        struct jedit_child child;
        if (jedit_child_at(at, &path[i], &child)) {
            at = child.value;
            continue;
        }
        AUTO(buf) struct buf wrapped = BUF_INIT(out->cap);
        r = wrap(path + i + 1, depth - i - 1, value, &wrapped, err);
        return r < 0 ? r : add(text, at, &path[i], buf_span(&wrapped), out, err);
    }
    return replace(text, at, value, out, err);
}

/* Removing */

/* A child with its neighbours: `before` and `after` have no value when it is the first or the last. */
struct removal {
    struct span text, container;
    struct jedit_child before, it, after;
};

static bool find_removal(struct span text, const struct jedit_step *path, size_t depth, struct removal *ret) {
    struct jedit_child child = {0};
    *ret = (struct removal){.text = text};
    if (depth == 0 || !jedit_find(text, path, depth - 1, &ret->container)) return false;
    if (!jedit_child_at(ret->container, &path[depth - 1], &ret->it)) return false;
    while (jedit_next(ret->container, &child) && child.value.p != ret->it.value.p)
        ret->before = child;
    child = ret->it;
    if (jedit_next(ret->container, &child)) ret->after = child;
    return true;
}

/* Where the comma behind a child is. */
static const char *comma_behind(struct span text, const struct jedit_child *c) {
    struct jedit_scan s = {.text = text, .at = (size_t)(span_end(c->value) - text.p)};
    (void)jedit_skip(&s);
    return text.p + s.at;
}

static bool begins_line_end(const char *at, struct span text) {
    struct span left = between(at, span_end(text));
    return span_starts(left, SPAN("\n")) || span_starts(left, SPAN("\r\n"));
}

/* The white space that goes with it: none of it when a comment before it needs its line's end. */
static const char *cut_from(const struct removal *r, struct span gap, bool line_comment, const char *to) {
    return line_comment && !begins_line_end(to, r->text) ? span_end(gap) : gap.p;
}

static void remove_last(const struct removal *r, struct buf *out) {
    bool line_comment;
    const char *comma = comma_behind(r->text, &r->before), *to = span_end(r->it.value);
    struct span gap = gap_before(r->text, comma + 1, child_begin(&r->it), &line_comment);
    (void)buf_append_span(out, between(r->text.p, comma));
    (void)buf_append_span(out, between(comma + 1, cut_from(r, gap, line_comment, to)));
    (void)buf_append_span(out, between(to, span_end(r->text)));
}

static void remove_before_another(const struct removal *r, struct buf *out) {
    bool line_comment;
    const char *from = r->before.value.p ? comma_behind(r->text, &r->before) + 1 : r->container.p + 1;
    const char *comma = comma_behind(r->text, &r->it), *end = span_end(r->it.value), *next = comma + 1;
    struct span gap = gap_before(r->text, from, child_begin(&r->it), &line_comment);
    struct span next_gap = between(next, child_begin(&r->after));
    const char *cut = cut_from(r, gap, line_comment, end < comma ? end : next);
    if (!has_newline(next_gap)) {
        /* The next one moves to its place. */
        cut = child_begin(&r->it);
        if (span_trim(next_gap).n == 0) next = span_end(next_gap);
    }
    (void)buf_append_span(out, between(r->text.p, cut));
    (void)buf_append_span(out, between(end, comma));
    (void)buf_append_span(out, between(next, span_end(r->text)));
}

static void remove_only(const struct removal *r, struct buf *out) {
    bool line_comment;
    struct jedit_style style;
    const char *to = span_end(r->it.value);
    struct span gap = gap_before(r->text, r->container.p + 1, child_begin(&r->it), &line_comment);
    struct span indent = jedit_indent(r->text, r->container.p), left = between(to, span_end(r->text));
    jedit_style_of(r->text, &style);
    if (has_newline(gap) && !line_comment && span_starts(left, style.newline) &&
        span_starts(span_skip(left, style.newline.n), indent))
        to += style.newline.n + indent.n;
    (void)buf_append_span(out, between(r->text.p, cut_from(r, gap, line_comment, to)));
    (void)buf_append_span(out, between(to, span_end(r->text)));
}

int jedit_remove(struct span text, const struct jedit_step *path, size_t depth, struct buf *out,
                 struct err *err) {
    struct removal r;
    int code = jedit_check(text, err);
    if (code < 0) return code;
    if (!find_removal(text, path, depth, &r)) return err_set(err, -ENOENT, "there is no such value");
    if (r.after.value.p)
        remove_before_another(&r, out);
    else if (r.before.value.p)
        remove_last(&r, out);
    else
        remove_only(&r, out);
    return finish(out, err);
}
