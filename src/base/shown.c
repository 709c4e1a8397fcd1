#include "base/shown.h"

#include "base/shown_int.h"
#include "base/utf8.h"

enum { REPLACEMENT = 0xFFFD, MARKS_MAX = 8, NON_JOINER = 0x200C, JOINER = 0x200D };

static const struct shown_range *range_of(uint32_t code) {
    size_t low = 0, high = shown_ranges_n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct shown_range *r = &shown_ranges[middle];
        if (code < r->first)
            high = middle;
        else if (code > r->first + r->more)
            low = middle + 1;
        else
            return r;
    }
    return NULL;
}

static bool is_selector(uint32_t code) {
    return code >= 0xFE00 && code <= 0xFE0F;
}

/* Marks join the character before them, a few of them; a text that begins with one would change what is before it. */
static bool mark_fits(const struct shown *s) {
    return s->before && s->marks < MARKS_MAX;
}

/* Joiners stand within emoji and scripts, selectors behind emoji and the signs that keys show (1, #). */
static bool joiner_fits(const struct shown *s) {
    bool is_key = s->before && s->before < 0x80 && strchr("0123456789#*", (int)s->before);
    bool joins = s->before && s->before != JOINER && s->before != NON_JOINER;
    if (is_selector(s->code)) return joins && !is_selector(s->before) && (is_key || s->before > 0x80);
    return joins && s->before > 0x80;
}

static bool is_shown(struct shown *s) {
    if (s->code < 0xA0) return s->code >= ' ' && s->code < 0x7F;
    if (s->code == NON_JOINER || s->code == JOINER || is_selector(s->code)) return joiner_fits(s);
    const struct shown_range *r = range_of(s->code);
    return r && (!r->mark || mark_fits(s));
}

/* What the next character may join. */
static void remember(struct shown *s) {
    const struct shown_range *r = s->code < 0xA0 ? NULL : range_of(s->code);
    bool is_mark = s->is_shown && r && r->mark;
    if (is_mark) {
        s->marks++;
        return;
    }
    s->before = s->is_shown ? s->code : 0;
    if (!is_selector(s->code)) s->marks = 0;
}

bool shown_next(struct shown *s) {
    if (s->rest.n == 0) return false;
    size_t n = utf8_sequence(s->rest);
    s->bytes = span_take(s->rest, n ? n : 1);
    s->rest = span_skip(s->rest, n ? n : 1);
    s->code = n ? utf8_decode(s->bytes) : REPLACEMENT;
    s->is_shown = n && is_shown(s);
    remember(s);
    return true;
}

static size_t put_hex(char *out, char letter, uint32_t value, unsigned digits) {
    out[0] = '\\';
    out[1] = letter;
    for (unsigned i = 0; i < digits; i++)
        out[2 + i] = "0123456789abcdef"[value >> 4 * (digits - 1 - i) & 15];
    return digits + 2;
}

static size_t spell(const struct shown *s, char *out) {
    if (s->code == '\n') {
        out[0] = '\\';
        out[1] = 'n';
        return 2;
    }
    if (s->bytes.n == 1) return put_hex(out, 'x', (unsigned char)s->bytes.p[0], 2);
    return put_hex(out, 'u', s->code, s->code > 0xFFFFF ? 6 : s->code > 0xFFFF ? 5 : 4);
}

/* Outside its strings JSON has nothing but ASCII and white space. */
static size_t escape(const struct shown *s, char *out) {
    if (s->code == '\n' || s->code == '\t' || s->code == '\r') {
        out[0] = (char)s->code;
        return 1;
    }
    if (s->code <= 0xFFFF) return put_hex(out, 'u', s->code, 4);
    size_t n = put_hex(out, 'u', 0xD800 + ((s->code - 0x10000) >> 10), 4);
    return n + put_hex(out + n, 'u', 0xDC00 + ((s->code - 0x10000) & 0x3FF), 4);
}

struct span shown_as(struct shown *s, enum shown_style style) {
    if (s->is_shown) return s->bytes;
    switch (style) {
    case SHOWN_SPELLED: return span_of(s->told, spell(s, s->told));
    case SHOWN_JSON: return span_of(s->told, escape(s, s->told));
    case SHOWN_PLAIN: break;
    }
    bool is_white = (s->code >= '\t' && s->code <= '\r') || (s->code >= 0x2000 && s->code <= 0x200A);
    return is_white ? SPAN(" ") : SPAN("\xEF\xBF\xBD");
}

size_t shown_copy(struct span text, enum shown_style style, char *out, size_t room) {
    size_t n = 0;
    struct shown s = SHOWN_INIT(text);
    while (shown_next(&s)) {
        struct span one = shown_as(&s, style);
        if (one.n >= room - n) break;
        memcpy(out + n, one.p, one.n);
        n += one.n;
    }
    out[n] = '\0';
    return n;
}
