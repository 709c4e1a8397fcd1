#include "core/text.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/shown.h"
#include "base/utf8.h"

enum { VISIBLE_BYTES_MAX = 64 << 20 }; /* no record is longer, however much of it is spelled out */

struct span text_cut(struct span text, size_t units, struct arena *arena) {
    struct span shown = utf8_cut_units(text, units);
    return shown.n < text.n ? arena_printf(arena, "%.*s…", SPAN_ARG(shown)) : shown;
}

/* Lines and tabs stay, and a carriage return before the end of its line. */
static bool is_seen(const struct shown *s) {
    return s->is_shown || s->code == '\n' || s->code == '\t' ||
           (s->code == '\r' && span_starts(s->rest, SPAN("\n")));
}

struct span text_visible(struct span text, struct arena *arena) {
    struct shown s = SHOWN_INIT(text);
    bool more;
    while ((more = shown_next(&s)) && is_seen(&s))
        ;
    if (!more) return text;
    AUTO(buf) struct buf out = BUF_INIT(VISIBLE_BYTES_MAX);
    (void)buf_append(&out, text.p, (size_t)(s.bytes.p - text.p));
    do
        (void)buf_append_span(&out, is_seen(&s) ? s.bytes : shown_as(&s, SHOWN_SPELLED));
    while (shown_next(&s));
    return arena_dup(arena, buf_span(&out));
}

struct span text_whole(struct span text, size_t bytes, struct arena *arena) {
    enum { FOR_THE_MARK = 64 };
    bool fits = text.n <= bytes;
    struct span kept = fits ? text : utf8_cut_bytes(text, bytes - FOR_THE_MARK);
    struct span shown = text_visible(kept, arena);
    if (!fits && shown.n)
        shown = arena_printf(arena, "%.*s\n… (cut here, %zu bytes follow)", SPAN_ARG(shown), text.n - kept.n);
    return text.n && !shown.n ? SPAN("(too large to be shown here: look at it where the agent runs)") : shown;
}
