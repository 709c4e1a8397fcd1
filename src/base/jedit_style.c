#include "base/jedit_int.h"
#include "base/jtext.h"

static bool has_newline(struct span s) {
    return s.n && memchr(s.p, '\n', s.n);
}

struct span jedit_indent(struct span text, const char *at) {
    const char *begin = at;
    while (begin > text.p && begin[-1] != '\n')
        begin--;
    const char *end = begin;
    while (end < at && (*end == ' ' || *end == '\t'))
        end++;
    return span_of(begin, (size_t)(end - begin));
}

/* White space that ends at `at`. */
static struct span space_before(struct span text, const char *at) {
    const char *begin = at;
    while (begin > text.p && jtext_is_space(begin[-1]))
        begin--;
    return span_of(begin, (size_t)(at - begin));
}

static bool is_colon(struct span between) {
    struct span trimmed = span_trim(between);
    return span_eq(trimmed, SPAN(":")) && !has_newline(between);
}

void jedit_style_of(struct span text, struct jedit_style *ret) {
    struct span root = jedit_root(text);
    struct jedit_child child = {0};
    bool indented = false;
    const char *newline = text.n ? memchr(text.p, '\n', text.n) : NULL;
    bool windows = newline && newline > text.p && newline[-1] == '\r';
    *ret = (struct jedit_style){.newline = windows ? SPAN("\r\n") : SPAN("\n"),
                                .unit = SPAN("  "),
                                .colon = SPAN(": "),
                                .comma = SPAN(", "),
                                .lines = true};
    for (size_t i = 0; !indented && jedit_next(root, &child); i++) {
        const char *begin = child.name.p ? child.name.p : child.value.p;
        indented = has_newline(space_before(text, begin));
        if (indented) ret->unit = jedit_indent(text, begin);
        if (i > 0 || !child.name.p) continue;
        const char *behind = child.name.p + child.name.n;
        struct span between = span_of(behind, (size_t)(child.value.p - behind));
        if (is_colon(between)) ret->colon = between;
        if (span_ends(between, SPAN(":"))) ret->comma = SPAN(",");
    }
    if (child.value.p) ret->lines = has_newline(root);
}

static void put_newline(struct buf *out, const struct jedit_style *style, struct span indent, size_t depth) {
    (void)buf_append_span(out, style->newline);
    (void)buf_append_span(out, indent);
    for (size_t i = 0; i < depth; i++)
        (void)buf_append_span(out, style->unit);
}

static size_t string_bytes(struct span s) {
    size_t n = 1;
    while (n < s.n && s.p[n] != '"')
        n += s.p[n] == '\\' ? 2 : 1;
    return MIN(n + 1, s.n);
}

void jedit_lay_out(struct buf *out, struct span value, const struct jedit_style *style, struct span indent,
                   bool lines) {
    size_t depth = 0;
    bool opened = false; /* the last token was an opening bracket */
    for (size_t i = 0; i < value.n;) {
        struct span token = span_of(value.p + i, 1);
        char c = value.p[i];
        if (c == '"') token.n = string_bytes(span_skip(value, i));
        i += token.n;
        if (jtext_is_space(c)) continue;
        bool closes = c == '}' || c == ']';
        if (closes) depth--;
        if (lines && opened != closes) {
            if (opened || closes) put_newline(out, style, indent, depth);
        }
        opened = c == '{' || c == '[';
        if (opened) depth++;
        if (c == ':')
            token = style->colon;
        else if (c == ',' && !lines)
            token = style->comma;
        (void)buf_append_span(out, token);
        if (c == ',' && lines) put_newline(out, style, indent, depth);
    }
}
