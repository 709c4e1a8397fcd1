#include "repair/split.h"

/* How each of Claude Code's messages begins. The first byte does not come again, so that a search never has to go back. */
#define HEAD "{\"parentUuid\":"
enum { HEAD_BYTES = sizeof HEAD - 1 };

static void try_at(struct split *s, uint64_t at) {
    jpush_begin(s->parser);
    s->state = SPLIT_TRYING;
    s->begins = s->at = at;
    s->head_n = 0;
}

void split_begin(struct split *s, struct jpush *parser, uint64_t at) {
    s->parser = parser;
    s->tries = 0;
    s->is_behind_scrap = false;
    try_at(s, at);
}

static int feed_parser(struct split *s, struct span bytes) {
    struct span kept = span_take(bytes, SPLIT_HEAD_BYTES - s->head_n);
    memcpy(s->head + s->head_n, kept.p, kept.n);
    s->head_n += kept.n;
    return jpush_feed(s->parser, bytes);
}

/* What is tried is no record: one may begin within it. */
static enum split_event give_up(struct split *s) {
    s->state = SPLIT_SEARCHING;
    s->is_behind_scrap = true;
    s->matched = 0;
    s->at = s->begins + 1;
    return SPLIT_MORE;
}

/* The parser has stumbled over the byte at `at`, which is `c`. */
static enum split_event stumble(struct split *s, uint64_t at, char c) {
    if (s->parser->end == 0 || (s->is_behind_scrap && c != '{')) return give_up(s);
    s->state = SPLIT_BEHIND_RECORD;
    s->at = at;
    return SPLIT_RECORD;
}

static enum split_event try(struct split *s, struct span bytes, bool is_last) {
    if (feed_parser(s, bytes) < 0) {
        uint64_t at = s->begins + s->parser->fed - 1;
        return stumble(s, at, bytes.p[at - s->at]);
    }
    s->at += bytes.n;
    if (!is_last) return SPLIT_MORE;
    if (s->parser->end == 0 && s->parser->fed > 0) return give_up(s);
    s->state = SPLIT_FINISHED;
    return s->parser->end ? SPLIT_RECORD : SPLIT_END;
}

static enum split_event search(struct split *s, struct span bytes, bool is_last) {
    for (struct span rest = bytes; rest.n; rest = span_skip(rest, 1)) {
        if (s->matched == 0) {
            const char *first = memchr(rest.p, HEAD[0], rest.n);
            if (!first) break;
            rest = span_skip(rest, (size_t)(first - rest.p));
        }
        s->matched = rest.p[0] == HEAD[s->matched] ? s->matched + 1 : rest.p[0] == HEAD[0];
        if (s->matched < HEAD_BYTES) continue;
        if (s->tries++ == SPLIT_TRIES_MAX) break;
        uint64_t behind = s->at + (uint64_t)(rest.p + 1 - bytes.p);
        try_at(s, behind - HEAD_BYTES);
        (void)feed_parser(s, SPAN(HEAD));
        s->at = behind;
        return SPLIT_MORE;
    }
    s->at += bytes.n;
    if (is_last || s->tries > SPLIT_TRIES_MAX) s->state = SPLIT_FINISHED;
    return s->state == SPLIT_FINISHED ? SPLIT_END : SPLIT_MORE;
}

enum split_event split_feed(struct split *s, struct span bytes, bool is_last) {
    switch (s->state) {
    case SPLIT_BEHIND_RECORD:
        s->is_behind_scrap = false;
        try_at(s, s->at);
        return try(s, bytes, is_last);
    case SPLIT_TRYING: return try(s, bytes, is_last);
    case SPLIT_SEARCHING: return search(s, bytes, is_last);
    case SPLIT_FINISHED: break;
    }
    return SPLIT_END;
}
