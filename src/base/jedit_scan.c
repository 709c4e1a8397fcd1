#include "base/cleanup.h"
#include "base/jedit_int.h"
#include "base/jtext.h"

#include <errno.h>

static struct span rest(const struct jedit_scan *s) {
    return span_skip(s->text, s->at);
}

static bool at_end(const struct jedit_scan *s) {
    return s->at >= s->text.n;
}

static bool is_at(const struct jedit_scan *s, char c) {
    return !at_end(s) && s->text.p[s->at] == c;
}

static bool take(struct jedit_scan *s, char c, const char *wrong) {
    if (is_at(s, c)) {
        s->at++;
        return true;
    }
    s->wrong = wrong;
    return false;
}

/* Up to its line's end, which is no part of it. */
static void skip_line_comment(struct jedit_scan *s) {
    while (!at_end(s) && !is_at(s, '\n') && !span_starts(rest(s), SPAN("\r\n")))
        s->at++;
    s->line_comment = true;
    s->comment_end = s->at;
}

static bool skip_block_comment(struct jedit_scan *s) {
    const char *end = memmem(rest(s).p + 2, rest(s).n - 2, "*/", 2);
    if (!end) {
        s->wrong = "this comment has no end";
        return false;
    }
    s->at = (size_t)(end - s->text.p) + 2;
    s->line_comment = false;
    s->comment_end = s->at;
    return true;
}

bool jedit_skip(struct jedit_scan *s) {
    for (;;) {
        while (!at_end(s) && jtext_is_space(s->text.p[s->at]))
            s->at++;
        if (span_starts(rest(s), SPAN("//"))) {
            skip_line_comment(s);
        } else if (span_starts(rest(s), SPAN("/*"))) {
            if (!skip_block_comment(s)) return false;
        } else {
            return true;
        }
    }
}

static bool skip_string(struct jedit_scan *s) {
    size_t begin = s->at++;
    for (;;) {
        s->at += jtext_run(rest(s));
        if (is_at(s, '"')) {
            s->at++;
            return true;
        }
        uint32_t code;
        size_t n = is_at(s, '\\') ? jtext_escape(rest(s), &code) : 0;
        if (n == 0) {
            s->wrong = is_at(s, '\\') ? "this escape is none of JSON's"
                                      : "a string holds a line end, a control character or broken UTF-8";
            if (at_end(s)) {
                s->wrong = "this string has no end";
                s->at = begin;
            }
            return false;
        }
        s->at += n;
    }
}

static bool skip_key(struct jedit_scan *s) {
    if (!is_at(s, '"')) {
        s->wrong =
            is_at(s, '}') ? "there is a comma before this bracket" : "a name in double quotes is missing";
        return false;
    }
    return skip_string(s) && jedit_skip(s) && take(s, ':', "a colon is missing") && jedit_skip(s);
}

static bool skip_children(struct jedit_scan *s, bool object) {
    char close = object ? '}' : ']';
    s->at++;
    if (!jedit_skip(s)) return false;
    if (is_at(s, close)) {
        s->at++;
        return true;
    }
    for (;;) {
        if (object && !skip_key(s)) return false;
        if (!jedit_skip_value(s) || !jedit_skip(s)) return false;
        if (is_at(s, close)) {
            s->at++;
            return true;
        }
        if (!take(s, ',', object ? "a comma or a } is missing" : "a comma or a ] is missing")) return false;
        if (!jedit_skip(s)) return false;
    }
}

static bool skip_container(struct jedit_scan *s) {
    if (s->depth == JEDIT_DEPTH_MAX) {
        s->wrong = "the brackets are nested too deeply";
        return false;
    }
    s->depth++;
    bool ok = skip_children(s, is_at(s, '{'));
    s->depth--;
    return ok;
}

static bool skip_word(struct jedit_scan *s) {
    static const struct span words[] = {SPAN("true"), SPAN("false"), SPAN("null")};
    bool integer;
    size_t n = jtext_number(rest(s), &integer);
    for (size_t i = 0; i < ARRAY_LEN(words) && n == 0; i++)
        if (span_starts(rest(s), words[i])) n = words[i].n;
    if (n == 0) s->wrong = at_end(s) ? "the text ends too early" : "this is no value of JSON";
    s->at += n;
    return n > 0;
}

bool jedit_skip_value(struct jedit_scan *s) {
    if (is_at(s, '"')) return skip_string(s);
    if (is_at(s, '{') || is_at(s, '[')) return skip_container(s);
    return skip_word(s);
}

void jedit_place(struct span text, const char *at, size_t *ret_line, size_t *ret_column) {
    *ret_line = *ret_column = 1;
    for (const char *p = text.p; p < at && p < text.p + text.n; p++) {
        if (*p == '\n') {
            ++*ret_line;
            *ret_column = 1;
        } else if (((unsigned char)*p & 0xc0) != 0x80) {
            ++*ret_column; /* bytes inside a character have no column of their own */
        }
    }
}

int jedit_explain(const struct jedit_scan *s, struct err *err) {
    size_t line, column;
    jedit_place(s->text, s->text.p + s->at, &line, &column);
    return err_set(err, -EINVAL, "line %zu, column %zu: %s", line, column, s->wrong);
}

/* Windows' editors put one before UTF-8. */
static size_t mark_bytes(struct span text) {
    return span_starts(text, SPAN("\xef\xbb\xbf")) ? 3 : 0;
}

int jedit_check(struct span text, struct err *err) {
    struct jedit_scan s = {.text = text, .at = mark_bytes(text)};
    if (!jedit_skip(&s)) return jedit_explain(&s, err);
    if (at_end(&s)) return 0;
    if (!jedit_skip_value(&s) || !jedit_skip(&s)) return jedit_explain(&s, err);
    if (at_end(&s)) return 0;
    s.wrong = "something follows the end of the document";
    return jedit_explain(&s, err);
}

struct span jedit_root(struct span text) {
    struct jedit_scan s = {.text = text, .at = mark_bytes(text)};
    if (!jedit_skip(&s)) return SPAN_NONE;
    size_t begin = s.at;
    if (at_end(&s) || !jedit_skip_value(&s)) return SPAN_NONE;
    return span_of(text.p + begin, s.at - begin);
}

bool jedit_is_blank(struct span text) {
    struct jedit_scan s = {.text = text, .at = mark_bytes(text)};
    return jedit_skip(&s) && at_end(&s);
}

bool jedit_next(struct span container, struct jedit_child *child) {
    bool object = container.n && container.p[0] == '{', first = !child->value.p;
    if (!object && (!container.n || container.p[0] != '[')) return false;
    struct jedit_scan s = {.text = container, .at = 1};
    if (!first) s.at = (size_t)(child->value.p - container.p) + child->value.n;
    if (!jedit_skip(&s)) return false;
    if (is_at(&s, object ? '}' : ']')) return false;
    if (!first && (!take(&s, ',', "") || !jedit_skip(&s))) return false;
    size_t name = s.at;
    if (object) {
        if (!is_at(&s, '"') || !skip_string(&s)) return false;
        child->name = span_of(container.p + name, s.at - name);
        if (!jedit_skip(&s) || !take(&s, ':', "") || !jedit_skip(&s)) return false;
    }
    size_t value = s.at;
    if (!jedit_skip_value(&s)) return false;
    child->value = span_of(container.p + value, s.at - value);
    return true;
}

/* Is a key, as it is written, this name? */
static bool is_name(struct span raw, struct span name) {
    struct span inner = span_of(raw.p + 1, raw.n - 2);
    if (!memchr(inner.p, '\\', inner.n)) return span_eq(inner, name);
    AUTO(buf) struct buf plain = BUF_INIT(inner.n);
    char *room = buf_reserve(&plain, inner.n);
    size_t n;
    return jtext_decode(inner, room, inner.n, &n) == 0 && span_eq(span_of(room, n), name);
}

bool jedit_child_at(struct span container, const struct jedit_step *step, struct jedit_child *ret) {
    struct jedit_child child = {0};
    bool found = false;
    for (size_t i = 0; jedit_next(container, &child); i++) {
        bool is_it = child.name.p ? step->name.n && is_name(child.name, step->name)
                                  : !step->name.n && step->index == i;
        if (!is_it) continue;
        *ret = child;
        found = true;
    }
    return found;
}

bool jedit_find(struct span text, const struct jedit_step *path, size_t depth, struct span *ret) {
    struct span value = jedit_root(text);
    for (size_t i = 0; i < depth && value.p; i++) {
        struct jedit_child child;
        value = jedit_child_at(value, &path[i], &child) ? child.value : SPAN_NONE;
    }
    if (!value.p) return false;
    *ret = value;
    return true;
}
