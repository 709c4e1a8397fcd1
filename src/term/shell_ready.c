#include "term/shell_ready.h"

#include "base/compiler.h"
#include "term/escape.h"

void shell_ready_init(struct shell_ready *s, int64_t now_ms, int64_t timeout_ms) {
    s->state = SHELL_WAITING;
    s->deadline_ms = now_ms + timeout_ms;
    s->settles_ms = 0;
    s->n = 0;
}

void shell_ready_output(struct shell_ready *s, struct span bytes, int64_t now_ms) {
    if (s->state != SHELL_WAITING || !bytes.n) return;
    s->settles_ms = now_ms + SHELL_READY_SETTLE_MS;
    if (bytes.n > SHELL_READY_BYTES) bytes = span_skip(bytes, bytes.n - SHELL_READY_BYTES);
    size_t kept = MIN((size_t)s->n, SHELL_READY_BYTES - bytes.n);
    memmove(s->bytes, s->bytes + s->n - kept, kept);
    memcpy(s->bytes + kept, bytes.p, bytes.n);
    s->n = (uint16_t)(kept + bytes.n);
}

void shell_ready_exited(struct shell_ready *s) {
    if (s->state == SHELL_WAITING) s->state = SHELL_GONE;
}

/* A line as it looks in the end: shells write over it (a mark for unfinished lines, then a carriage return). One byte a
 * character, its first. */
struct line {
    size_t n, at;
    char first[SHELL_READY_BYTES];
};

static void line_put(struct line *l, char c) {
    if (((unsigned char)c & 0xc0) == 0x80) return; /* goes on with the character before */
    if (l->at == sizeof l->first) return;
    l->first[l->at++] = c;
    l->n = MAX(l->n, l->at);
}

static size_t line_length(const struct line *l) {
    size_t n = l->n;
    while (n && l->first[n - 1] == ' ')
        n--;
    return n;
}

/* The last line that is not blank, into `last`. */
static void find_last_line(struct span bytes, struct line *line, struct line *last) {
    enum escape_state state = ESCAPE_GROUND;
    line->n = line->at = last->n = last->at = 0;
    for (size_t i = 0; i < bytes.n; i++) {
        enum escape_state before = state;
        char c = bytes.p[i];
        switch (escape_step(&state, (unsigned char)c)) {
        case ESCAPE_TEXT: line_put(line, c); break;
        case ESCAPE_CONTROL:
            if (c == '\r') line->at = 0;
            if (c == '\b' && line->at) line->at--;
            if (c == '\t') line_put(line, ' ');
            if (c != '\n') break;
            if (line_length(line)) *last = *line;
            line->n = line->at = 0;
            break;
        case ESCAPE_PART: /* erases from here to the end */
            if (before == ESCAPE_CSI && (c == 'K' || c == 'J') && bytes.p[i - 1] == '[') line->n = line->at;
            break;
        case ESCAPE_TITLE: break;
        }
    }
    if (line_length(line)) *last = *line;
}

static bool shows_prompt(struct span bytes) {
    struct line line, last;
    find_last_line(bytes, &line, &last);
    size_t n = line_length(&last);
    return n && n < SHELL_READY_LINE_MAX && strchr("#$%>", last.first[n - 1]);
}

enum shell_ready_state shell_ready_look(struct shell_ready *s, int64_t now_ms) {
    if (s->state != SHELL_WAITING) return s->state;
    if (s->settles_ms && now_ms >= s->settles_ms) {
        s->settles_ms = 0;
        if (shows_prompt(span_of(s->bytes, s->n))) s->state = SHELL_READY;
    }
    if (s->state == SHELL_WAITING && now_ms >= s->deadline_ms) s->state = SHELL_TIMED_OUT;
    return s->state;
}

int64_t shell_ready_next_ms(const struct shell_ready *s) {
    return s->settles_ms ? MIN(s->settles_ms, s->deadline_ms) : s->deadline_ms;
}
