#include "repair/prompt.h"

#include "base/iso8601.h"
#include "base/jscan.h"
#include "base/utf8.h"

/* Length of the white space character at the start of `s`, 0 when there is none: what JavaScript's \s means. */
static size_t blank(struct span s) {
    static const struct span wide[] = {SPAN("\xC2\xA0"),     SPAN("\xE1\x9A\x80"), SPAN("\xE2\x80\xA8"),
                                       SPAN("\xE2\x80\xA9"), SPAN("\xE2\x80\xAF"), SPAN("\xE2\x81\x9F"),
                                       SPAN("\xE3\x80\x80"), SPAN("\xEF\xBB\xBF")};
    char c = s.p[0];
    if (c == ' ' || (c >= '\t' && c <= '\r')) return 1;
    if ((unsigned char)c < 0x80) return 0;
    for (size_t i = 0; i < ARRAY_LEN(wide); i++)
        if (span_starts(s, wide[i])) return wide[i].n;
    /* U+2000 to U+200A: spaces of all widths. */
    bool is_typographic = span_starts(s, SPAN("\xE2\x80")) && s.n > 2 && (unsigned char)s.p[2] <= 0x8A;
    return is_typographic ? 3 : 0;
}

/* A prompt under construction: words with single blanks between them, up to a limit. */
struct words {
    char *p;
    size_t n, room;
    bool gap; /* white space came since the last word */
};

static void add_words(struct words *w, struct span text) {
    while (text.n && w->n < w->room) {
        size_t space = blank(text);
        if (space) {
            w->gap = true;
            text = span_skip(text, space);
            continue;
        }
        if (w->gap && w->n) w->p[w->n++] = ' ';
        w->gap = false;
        if (w->n < w->room) w->p[w->n++] = text.p[0];
        text = span_skip(text, 1);
    }
}

/* Text blocks, with a blank between two of them. What else stands in the list (a tool's result, a picture) has no words. */
static void add_blocks(struct words *w, struct span list, struct arena *arena) {
    struct span block, type, text;
    while (jscan_array_next(&list, &block) == 1) {
        struct jmember m[] = {JMEMBER("type"), JMEMBER("text")};
        if (jscan_kind(block) != JKIND_OBJECT || jscan_object(block, m, ARRAY_LEN(m)) < 2) continue;
        if (jscan_string(m[0].value, arena, &type) < 0 || !span_eq(type, SPAN("text"))) continue;
        if (jscan_string(m[1].value, arena, &text) < 0) continue;
        add_words(w, text);
        w->gap = true;
    }
}

static struct span words_of(struct span content, struct arena *arena) {
    /* A prompt is never longer than what it was written as. One character more than the limit shows where to cut. */
    size_t room = MIN(content.n, (size_t)PROMPT_BYTES_MAX + 4);
    struct words w = {.p = arena_alloc(arena, room), .room = room};
    struct span text;
    if (!w.p) return SPAN_NONE;
    if (jscan_kind(content) == JKIND_ARRAY)
        add_blocks(&w, content, arena);
    else if (jscan_string(content, arena, &text) == 0)
        add_words(&w, text);
    return span_trim(utf8_cut_bytes(span_of(w.p, w.n), PROMPT_BYTES_MAX));
}

bool prompt_of_line(struct span line, struct arena *arena, struct prompt *ret) {
    struct jmember m[] = {JMEMBER("type"), JMEMBER("message"), JMEMBER("cwd"), JMEMBER("timestamp")};
    if (jscan_object(line, m, ARRAY_LEN(m)) < (int)ARRAY_LEN(m)) return false;
    struct jmember content = JMEMBER("content");
    struct span type, time;
    struct prompt p;
    if (jscan_string(m[0].value, arena, &type) < 0 || !span_eq(type, SPAN("user"))) return false;
    if (jscan_string(m[2].value, arena, &p.cwd) < 0 || p.cwd.n == 0) return false;
    if (p.cwd.n > PROMPT_CWD_BYTES_MAX) return false;
    if (jscan_string(m[3].value, arena, &time) < 0 || !iso8601_parse(time, &p.at_ms)) return false;
    if (jscan_kind(m[1].value) != JKIND_OBJECT || jscan_object(m[1].value, &content, 1) < 1) return false;
    p.text = words_of(content.value, arena);
    if (p.text.n == 0) return false;
    *ret = p;
    return true;
}
