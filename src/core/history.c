#include "core/history.h"

#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>

enum {
    VARINT_BYTES_MAX = 10,
    NUMBERS_MAX = 5, /* in front of an entry's text */
    ROOM_STEP = 64,
};

/* An entry that may still be changed and that others may point to. */
struct fresh_entry {
    struct entry entry;
    struct fresh_entry *next;
    char *error;
    char text[]; /* what, then detail */
};

void history_init(struct history *h, enum history_kind kind) {
    static const uint32_t max[HISTORY_N_] = {
        [HISTORY_PROMPT] = HISTORY_PROMPTS_MAX,
        [HISTORY_TOOL] = HISTORY_TOOLS_MAX,
        [HISTORY_RESPONSE] = HISTORY_RESPONSES_MAX,
        [HISTORY_EVENT] = HISTORY_EVENTS_MAX,
    };
    *h = (struct history){.max = max[kind]};
}

static void fresh_free(struct fresh_entry *f) {
    free(f->error);
    free(f);
}

void history_fini(struct history *h) {
    for (struct fresh_entry *f = h->fresh, *next; f; f = next) {
        next = f->next;
        fresh_free(f);
    }
    free(h->packed);
    *h = (struct history){.max = h->max};
}

static char *add_text(char *to, struct span s) {
    if (s.n) memcpy(to, s.p, s.n);
    return to + s.n;
}

static struct fresh_entry *fresh_new(uint64_t pos, int64_t at_ms, struct span what, struct span detail) {
    struct fresh_entry *f = xmalloc(sizeof *f + what.n + detail.n);
    f->next = NULL;
    f->error = NULL;
    f->entry = (struct entry){.pos = pos,
                              .at_ms = at_ms,
                              .what = span_of(f->text, what.n),
                              .detail = span_of(f->text + what.n, detail.n)};
    (void)add_text(add_text(f->text, what), detail);
    return f;
}

/* Numbers are written seven bits a byte, the lowest first; small ones of either sign are short. */

static uint64_t zigzag(uint64_t difference) {
    return difference << 1 ^ (0 - (difference >> 63));
}

static uint64_t unzigzag(uint64_t n) {
    return n >> 1 ^ (0 - (n & 1));
}

static char *add_number(char *to, uint64_t n) {
    for (; n > 127; n >>= 7)
        *to++ = (char)(n | 128);
    *to++ = (char)n;
    return to;
}

static uint64_t take_number(const char **at) {
    uint64_t n = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint64_t byte = (unsigned char)*(*at)++;
        n |= (byte & 127) << shift;
        if (byte < 128) return n;
    }
}

/* Names that come again and again are packed as their place in this list; it may change, nobody keeps packed bytes. */
static const struct span usual_names[] = {
    SPAN("PreToolUse"),
    SPAN("PostToolUse"),
    SPAN("UserPromptSubmit"),
    SPAN("Stop"),
    SPAN("SessionStart"),
    SPAN("SessionEnd"),
    SPAN("PostToolUseFailure"),
    SPAN("PermissionRequest"),
    SPAN("SubagentStart"),
    SPAN("SubagentStop"),
    SPAN("Notification"),
    SPAN("BeforeAgent"),
    SPAN("BeforeTool"),
    SPAN("AfterTool"),
    SPAN("AfterAgent"),
    SPAN("Bash"),
    SPAN("Read"),
    SPAN("Edit"),
    SPAN("Write"),
    SPAN("Grep"),
    SPAN("Glob"),
    SPAN("Task"),
    SPAN("TodoWrite"),
    SPAN("WebFetch"),
    SPAN("WebSearch"),
    SPAN("apply_patch"),
    SPAN("run_shell_command"),
    SPAN("read_file"),
};

static size_t find_name(struct span what) {
    size_t i = 0;
    while (i < ARRAY_LEN(usual_names) && !span_eq(what, usual_names[i]))
        i++;
    return i;
}

/* Makes room for `more` bytes behind the last entry. An eighth may lie idle, no more. */
static void make_room(struct history *h, size_t more) {
    if (h->room - h->used >= more) return;
    uint32_t live = h->used - h->head;
    if (h->head) memmove(h->packed, h->packed + h->head, live);
    bool enough = h->head >= live / 8 && h->room - live >= more;
    h->head = 0;
    h->used = live;
    if (enough) return;
    size_t wanted = live + more;
    h->room = (uint32_t)((wanted + wanted / 8 + ROOM_STEP - 1) / ROOM_STEP * ROOM_STEP);
    h->packed = xrealloc(h->packed, h->room);
}

static void pack_entry(struct history *h, const struct fresh_entry *f) {
    const struct entry *e = &f->entry;
    struct span error = span_str(f->error);
    make_room(h, (size_t)NUMBERS_MAX * VARINT_BYTES_MAX + e->what.n + e->detail.n + error.n + 1);
    if (h->packed_count == 0) {
        h->before_pos = h->last_pos = e->pos;
        h->before_ms = h->last_ms = e->at_ms;
    }
    char *to = h->packed + h->used;
    to = add_number(to, zigzag(e->pos - h->last_pos));
    to = add_number(to, zigzag((uint64_t)e->at_ms - (uint64_t)h->last_ms));
    size_t name = find_name(e->what);
    bool usual = name < ARRAY_LEN(usual_names);
    to = add_number(to, (uint64_t)(usual ? name : e->what.n) << 2 | (uint64_t)usual << 1 | e->failed);
    to = add_number(to, e->detail.n);
    if (e->failed) to = add_number(to, error.n);
    if (!usual) to = add_text(to, e->what);
    to = add_text(to, e->detail);
    if (e->failed) {
        to = add_text(to, error);
        *to++ = '\0';
    }
    h->used = (uint32_t)(to - h->packed);
    h->last_pos = e->pos;
    h->last_ms = e->at_ms;
    h->packed_count++;
}

/* Reads the packed entry at `at`; `e` is the one before it. Returns where the next one begins. */
static const char *unpack(const char *at, struct entry *e) {
    e->pos += unzigzag(take_number(&at));
    e->at_ms = (int64_t)((uint64_t)e->at_ms + unzigzag(take_number(&at)));
    uint64_t what = take_number(&at), detail = take_number(&at);
    e->failed = what & 1;
    size_t error = e->failed ? (size_t)take_number(&at) : 0;
    if (what & 2) {
        e->what = usual_names[what >> 2];
    } else {
        e->what = span_of(at, (size_t)(what >> 2));
        at += e->what.n;
    }
    e->detail = span_of(at, (size_t)detail);
    at = e->detail.p + e->detail.n;
    e->error = e->failed ? at : NULL;
    return e->failed ? at + error + 1 : at;
}

static void forget_packed(struct history *h) {
    struct entry e = {.pos = h->before_pos, .at_ms = h->before_ms};
    h->head = (uint32_t)(unpack(h->packed + h->head, &e) - h->packed);
    h->before_pos = e.pos;
    h->before_ms = e.at_ms;
    h->packed_count--;
}

static void forget_fresh(struct history *h) {
    struct fresh_entry *f = h->fresh;
    h->fresh = f->next;
    if (!h->fresh) h->newest = NULL;
    fresh_free(f);
}

static void forget_oldest(struct history *h) {
    if (h->packed_count)
        forget_packed(h);
    else
        forget_fresh(h);
    h->count--;
}

struct entry *history_push(struct history *h, uint64_t pos, int64_t at_ms, struct span what,
                           struct span detail) {
    struct fresh_entry *f = fresh_new(pos, at_ms, what, detail); /* first: the text may be one of ours */
    if (h->count == h->max) forget_oldest(h);
    if (h->newest)
        h->newest->next = f;
    else
        h->fresh = f;
    h->newest = f;
    h->count++;
    return &f->entry;
}

struct entry *history_newest(const struct history *h) {
    return h->newest ? &h->newest->entry : NULL;
}

struct entry *history_find(const struct history *h, uint64_t pos) {
    struct fresh_entry *f = h->fresh;
    while (f && f->entry.pos != pos)
        f = f->next;
    return f ? &f->entry : NULL;
}

void history_pack(struct history *h, uint64_t from_pos) {
    while (h->fresh != h->newest && h->fresh->entry.pos < from_pos) {
        pack_entry(h, h->fresh);
        forget_fresh(h);
    }
}

void entry_set_error(struct entry *e, struct span error) {
    struct fresh_entry *f = CONTAINER_OF(e, struct fresh_entry, entry);
    (void)str_set(&f->error, error);
    e->failed = true;
    e->error = f->error;
}

struct history_cursor history_begin(const struct history *h) {
    return (struct history_cursor){.history = h,
                                   .at = h->packed ? h->packed + h->head : NULL,
                                   .fresh = h->fresh,
                                   .entry = {.pos = h->before_pos, .at_ms = h->before_ms}};
}

const struct entry *history_next(struct history_cursor *c) {
    if (c->next < c->history->packed_count) {
        c->next++;
        c->at = unpack(c->at, &c->entry);
        return &c->entry;
    }
    if (!c->fresh) return NULL;
    const struct entry *e = &c->fresh->entry;
    c->fresh = c->fresh->next;
    return e;
}
