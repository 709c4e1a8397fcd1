#include "core/text.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/utf8.h"

enum { VISIBLE_BYTES_MAX = 64 << 20 }; /* no record is longer, however much of it is spelled out */

struct span text_cut(struct span text, size_t units, struct arena *arena) {
    struct span shown = utf8_cut_units(text, units);
    return shown.n < text.n ? arena_printf(arena, "%.*s…", SPAN_ARG(shown)) : shown;
}

/* Code points that show nothing by themselves. The joiners of scripts and emoji (U+200C, U+200D) are not among them. */
static const struct {
    uint32_t first, last;
} unseen[] = {
    {0x00, 0x08},     {0x0B, 0x1F},     {0x7F, 0x9F},       {0xAD, 0xAD},     {0x61C, 0x61C},
    {0x180E, 0x180E}, {0x200B, 0x200B}, {0x200E, 0x200F},   {0x2028, 0x202E}, {0x2060, 0x206F},
    {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF},
};

static bool is_unseen(uint32_t code) {
    for (size_t i = 0; i < ARRAY_LEN(unseen); i++)
        if (code >= unseen[i].first && code <= unseen[i].last) return true;
    return false;
}

/* The code point of a well-formed sequence. */
static uint32_t decode(struct span s) {
    static const unsigned char leads[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = (unsigned char)s.p[0] & leads[s.n];
    for (size_t i = 1; i < s.n; i++)
        code = code << 6 | ((unsigned char)s.p[i] & 0x3F);
    return code;
}

/* How many bytes from the start are seen as they are. A carriage return before the end of its line is one. */
static size_t plain_length(struct span text, uint32_t *ret_code, size_t *ret_bytes) {
    size_t at = 0;
    for (size_t n; at < text.n; at += n) {
        struct span rest = span_skip(text, at);
        size_t sequence = utf8_sequence(rest);
        n = MAX(sequence, (size_t)1);
        bool ends_line = span_starts(rest, SPAN("\r\n"));
        uint32_t code = sequence ? decode(span_take(rest, n)) : UINT32_MAX;
        if (ends_line || !is_unseen(code)) continue;
        *ret_code = code;
        *ret_bytes = n;
        return at;
    }
    *ret_bytes = 0;
    return at;
}

struct span text_visible(struct span text, struct arena *arena) {
    uint32_t code = 0;
    size_t bytes, plain = plain_length(text, &code, &bytes);
    if (bytes == 0) return text;
    AUTO(buf) struct buf out = BUF_INIT(VISIBLE_BYTES_MAX);
    for (struct span rest = text;; plain = plain_length(rest, &code, &bytes)) {
        (void)buf_append_span(&out, span_take(rest, plain));
        if (bytes == 0) break;
        (void)buf_printf(&out, code < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)code);
        rest = span_skip(rest, plain + bytes);
    }
    return arena_dup(arena, buf_span(&out));
}

struct span text_whole(struct span text, size_t bytes, struct arena *arena) {
    enum { FOR_THE_MARK = 64 };
    struct span all = text_visible(text, arena), kept = utf8_cut_bytes(all, bytes - FOR_THE_MARK);
    bool fits = all.n <= bytes;
    struct span shown =
        fits ? all
             : arena_printf(arena, "%.*s\n… (cut here, %zu bytes follow)", SPAN_ARG(kept), all.n - kept.n);
    return text.n && !shown.n ? SPAN("(too large to be shown here: look at it where the agent runs)") : shown;
}
