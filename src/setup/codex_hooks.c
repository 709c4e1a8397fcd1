#include "setup/codex_hooks.h"

#include "base/cleanup.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "base/str.h"
#include "setup/codex_lists.h"
#include "setup/entry.h"
#include "setup/toml.h"

#include <errno.h>
#include <stdlib.h>

#define FENCE_BEGIN "# >>> ostler hooks >>>"
#define FENCE_END "# <<< ostler hooks <<<"
#define FENCE_NOTE " (what is between these lines is ostler's; `ostler hooks uninstall` takes it out)"

enum { NAMES_BYTES_MAX = 1 << 20 };

/* A header and the keys below it, up to the next header or fence. */
struct section {
    struct span text; /* with its lines' ends */
    enum toml_kind kind;
    bool fenced;
    bool is_hook;  /* [[hooks.EVENT]] or [[hooks.EVENT.hooks]] */
    bool is_inner; /* the latter */
    bool is_state; /* [hooks.state."KEY"] */
    bool disabled; /* with enabled = false */
    struct span event;
    struct span command, key, hash;
};

/* One of ours in a list that is written in one piece. */
struct listed {
    struct span event, command;
    size_t index;
};

struct document {
    struct span text;
    struct section *v;
    size_t n;
    struct arena arena;
    size_t fence_begin, fence_end; /* offsets of the fence's lines; both 0: there is none */
    bool has_fence;
    struct listed listed[SETUP_EVENTS_MAX];
    size_t listed_n;
};

static void cleanup_document(struct document *d) {
    free(d->v);
    arena_fini(&d->arena);
}

static struct section *add_section(struct document *d, enum toml_kind kind, const char *begin, bool fenced) {
    d->v = xreallocarray(d->v, d->n + 1, sizeof *d->v);
    struct section *s = &d->v[d->n++];
    *s = (struct section){.kind = kind, .text = span_of(begin, 0), .fenced = fenced};
    return s;
}

static void read_header(struct document *d, struct section *s, struct span name) {
    struct span part[4] = {SPAN_NONE}, more;
    size_t n = 0;
    while (n < ARRAY_LEN(part) && toml_name_next(&name, &d->arena, &part[n]))
        n++;
    if (n < 2 || !span_eq(part[0], SPAN("hooks")) || toml_name_next(&name, &d->arena, &more)) return;
    s->is_state = n == 3 && s->kind == TOML_TABLE && span_eq(part[1], SPAN("state"));
    s->is_inner = n == 3 && s->kind == TOML_ELEMENT && span_eq(part[2], SPAN("hooks"));
    s->is_hook = s->is_inner || (n == 2 && s->kind == TOML_ELEMENT);
    s->event = part[1];
    if (s->is_state) s->key = part[2];
}

static void read_key(struct document *d, struct section *s, const struct toml_item *item) {
    if (s->is_inner && span_eq(item->name, SPAN("command")))
        (void)toml_string(item->value, &d->arena, &s->command);
    if (s->is_state && span_eq(item->name, SPAN("trusted_hash")))
        (void)toml_string(item->value, &d->arena, &s->hash);
    if (s->is_state && span_eq(item->name, SPAN("enabled")))
        s->disabled = span_eq(item->value, SPAN("false"));
}

static bool read_fence(struct document *d, const struct toml_item *item, size_t end) {
    struct span line = span_trim(item->text);
    size_t begin = (size_t)(item->text.p - d->text.p);
    if (span_starts(line, SPAN(FENCE_BEGIN)) && !d->has_fence) {
        d->fence_begin = begin;
        d->fence_end = 0;
        d->has_fence = true;
        return true;
    }
    if (!span_eq(line, SPAN(FENCE_END)) || !d->has_fence || d->fence_end) return false;
    d->fence_end = end;
    return true;
}

static void read_lists(struct document *d) {
    struct codex_lists lists = CODEX_LISTS_INIT(d->text, &d->arena);
    struct codex_list list;
    while (d->listed_n < SETUP_EVENTS_MAX && codex_lists_next(&lists, &list)) {
        struct listed *l = &d->listed[d->listed_n];
        l->event = list.event;
        d->listed_n += codex_list_ours(&list, &d->arena, &l->command, &l->index);
    }
}

/* TOML knows no line that ends so. */
static const char *find_lone_return(struct span text) {
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '\r' && (i + 1 == text.n || text.p[i + 1] != '\n')) return text.p + i;
    return NULL;
}

static int read_document(struct document *d, struct span text, struct err *err) {
    struct toml_item item;
    size_t at = 0;
    int r;
    *d = (struct document){.text = text, .arena = ARENA_INIT(NAMES_BYTES_MAX + 4 * text.n)};
    const char *lone = find_lone_return(text);
    if (lone) return toml_refuse(text, lone, err, "a carriage return stands alone");
    struct section *s = add_section(d, TOML_COMMENT, text.p, false);
    while ((r = toml_next(text, &at, &item, err)) == 1) {
        bool inside = d->has_fence && !d->fence_end;
        if (item.kind == TOML_COMMENT && read_fence(d, &item, at)) {
            s = add_section(d, TOML_COMMENT, item.text.p, d->has_fence && !d->fence_end);
        } else if (item.kind == TOML_TABLE || item.kind == TOML_ELEMENT) {
            s = add_section(d, item.kind, item.text.p, inside);
            read_header(d, s, item.name);
        } else if (item.kind == TOML_KEY) {
            read_key(d, s, &item);
        }
    }
    if (r == 0 && d->has_fence && !d->fence_end)
        return toml_refuse(
            text, text.p + d->fence_begin, err,
            "ostler's block has no last line; remove the block, or put back the line " FENCE_END);
    if (r == 0) read_lists(d);
    for (size_t i = 0; i < d->n; i++) {
        const char *end = i + 1 < d->n ? d->v[i + 1].text.p : text.p + text.n;
        d->v[i].text.n = (size_t)(end - d->v[i].text.p);
    }
    return r;
}

static bool is_our_command(const struct section *s) {
    return s->is_inner && entry_is_ours(s->command, NULL);
}

static bool has_hash(const struct section *state, struct span event, struct span command) {
    char hash[DIGEST_SHA256_HEX];
    AUTO(free) char *name = str_dup(event);
    entry_codex_hash(name, command, entry_timeout(CLI_CODEX, name, command), hash);
    return span_starts(state->hash, SPAN("sha256:")) && span_eq_str(span_skip(state->hash, 7), hash);
}

/* Is it one of ours? What Codex, or a person, put between the fence's lines is not; what lost its fence is. */
static bool is_ours(const struct document *d, size_t i) {
    const struct section *s = &d->v[i];
    if (is_our_command(s)) return true;
    if (s->is_hook && !s->is_inner) return i + 1 < d->n && is_our_command(&d->v[i + 1]);
    if (!s->is_state) return false;
    for (size_t k = 0; k < d->n; k++)
        if (is_our_command(&d->v[k]) && has_hash(s, d->v[k].event, d->v[k].command)) return true;
    for (size_t k = 0; k < d->listed_n; k++)
        if (has_hash(s, d->listed[k].event, d->listed[k].command)) return true;
    return false;
}

static struct span newline_of(struct span text) {
    const char *end = text.n ? memchr(text.p, '\n', text.n) : NULL;
    return end && end > text.p && end[-1] == '\r' ? SPAN("\r\n") : SPAN("\n");
}

/* The text before and behind the block. What others put into it goes before. */
static void put_outside(const struct document *d, struct buf *before, struct buf *behind) {
    for (size_t i = 0; i < d->n; i++) {
        const struct section *s = &d->v[i];
        size_t begin = (size_t)(s->text.p - d->text.p), end = begin + s->text.n;
        bool is_note = s->fenced && s->kind == TOML_COMMENT;
        if (is_note || is_ours(d, i)) continue;
        if (d->has_fence && begin < d->fence_end && end >= d->fence_end && s->kind == TOML_COMMENT)
            begin = d->fence_end; /* without the fence's last line */
        (void)buf_append(d->has_fence && begin >= d->fence_end ? behind : before, d->text.p + begin,
                         end - begin);
    }
}

int codex_hooks_remove(struct span text, struct buf *out, struct err *err) {
    AUTO(document) struct document d;
    AUTO(buf) struct buf before = BUF_INIT(out->cap);
    AUTO(buf) struct buf behind = BUF_INIT(out->cap);
    int r = read_document(&d, text, err);
    if (r < 0) return r;
    put_outside(&d, &before, &behind);
    if (d.has_fence && before.n == d.fence_begin) {
        /* One line's end stands before the fence that was put there with it, unless something needs it. */
        struct span kept = buf_span(&before), newline = newline_of(text);
        if (span_ends(kept, newline)) kept.n -= newline.n;
        bool needed = behind.n && kept.n && !span_ends(kept, SPAN("\n"));
        if (!needed) before.n = kept.n;
    }
    r = codex_lists_write(buf_span(&before), true, SPAN_NONE, NULL, out, err);
    return r < 0 ? r : codex_lists_write(buf_span(&behind), false, SPAN_NONE, NULL, out, err);
}

/* Writing */

struct block {
    struct buf *out;
    struct span newline;
    struct span command;
    const char *source;
    const struct document *old;
};

static void put_line(struct block *b, const char *line) {
    (void)buf_append_span(b->out, span_str(line));
    (void)buf_append_span(b->out, b->newline);
}

/* A JSON string is one of TOML, too. */
static void put_string(struct block *b, struct span s) {
    struct jwrite w = JWRITE_INIT(b->out);
    jwrite_str(&w, s);
}

static void put_hook(struct block *b, const char *event) {
    AUTO(buf) struct buf command = BUF_INIT(ENTRY_COMMAND_MAX);
    entry_event_command(&command, CLI_CODEX, event, b->command);
    (void)buf_printf(b->out, "[[hooks.%s]]", event);
    put_line(b, "");
    (void)buf_printf(b->out, "[[hooks.%s.hooks]]", event);
    put_line(b, "");
    put_line(b, "type = \"command\"");
    (void)buf_append_span(b->out, SPAN("command = "));
    put_string(b, buf_span(&command));
    put_line(b, "");
    (void)buf_printf(b->out, "timeout = %d", entry_timeout(CLI_CODEX, event, buf_span(&command)));
    put_line(b, "");
}

/* The name under which Codex keeps what it knows of a handler. */
static void put_key(struct buf *out, const char *source, const char *event, size_t index) {
    (void)buf_printf(out, "%s:", source);
    entry_codex_event(out, event);
    (void)buf_printf(out, ":%zu:0", index);
}

static void put_trust(struct block *b, const char *event, size_t index) {
    char hash[DIGEST_SHA256_HEX];
    AUTO(buf) struct buf key = BUF_INIT(NAMES_BYTES_MAX);
    AUTO(buf) struct buf command = BUF_INIT(ENTRY_COMMAND_MAX);
    put_key(&key, b->source, event, index);
    entry_event_command(&command, CLI_CODEX, event, b->command);
    entry_codex_hash(event, buf_span(&command), entry_timeout(CLI_CODEX, event, buf_span(&command)), hash);
    (void)buf_append_span(b->out, SPAN("[hooks.state."));
    put_string(b, buf_span(&key));
    put_line(b, "]");
    (void)buf_printf(b->out, "trusted_hash = \"sha256:%s\"", hash);
    put_line(b, "");
    for (size_t i = 0; i < b->old->n; i++) {
        const struct section *s = &b->old->v[i];
        if (s->is_state && s->disabled && span_eq(s->key, buf_span(&key)))
            put_line(b, "enabled = false"); /* a person said so in Codex */
    }
}

/* Groups of an event before an offset, which are others'. */
static size_t groups_before(const struct document *d, const char *event, size_t offset) {
    size_t count = 0;
    for (size_t i = 0; i < d->n; i++) {
        const struct section *s = &d->v[i];
        bool counts = s->is_hook && !s->is_inner && span_eq_str(s->event, event) && !is_ours(d, i);
        if (counts && (size_t)(s->text.p - d->text.p) < offset) count++;
    }
    return count;
}

/* Is the event's list written in one piece? Then ours is in there, in its last place. */
static bool is_listed(const struct block *b, const char *event, size_t *ret_index) {
    AUTO(arena) struct arena arena = ARENA_INIT(NAMES_BYTES_MAX + 16 * b->old->text.n);
    struct codex_list list;
    if (!codex_lists_has(b->old->text, span_str(event), &list, &arena)) return false;
    *ret_index = codex_list_others(&list, &arena);
    return true;
}

static void put_block(struct block *b, const struct event_wish *wish, size_t offset) {
    size_t index;
    put_line(b, FENCE_BEGIN FENCE_NOTE);
    for (const struct event_kind *k = NULL; (k = setup_event_next(k, wish));)
        if (!is_listed(b, k->name, &index)) put_hook(b, k->name);
    for (const struct event_kind *k = NULL; (k = setup_event_next(k, wish));) {
        if (!is_listed(b, k->name, &index)) index = groups_before(b->old, k->name, offset);
        put_trust(b, k->name, index);
    }
    put_line(b, FENCE_END);
}

/* May [[hooks.EVENT]] and [hooks.state."…"] follow? Not where the tables are written in one piece: TOML adds nothing to those. */
static int check_form(struct span text, const struct event_wish *wish, struct err *err) {
    struct toml_item item;
    size_t at = 0;
    struct span table[4] = {SPAN_NONE};
    size_t depth = 0;
    AUTO(arena) struct arena arena = ARENA_INIT(NAMES_BYTES_MAX + 4 * text.n);
    while (toml_next(text, &at, &item, err) == 1) {
        struct span name = item.name, path[ARRAY_LEN(table)];
        if (item.kind == TOML_COMMENT) continue;
        if (item.kind != TOML_KEY) {
            for (depth = 0; depth < ARRAY_LEN(table) && toml_name_next(&name, &arena, &table[depth]);)
                depth++;
            continue;
        }
        size_t n = depth;
        memcpy(path, table, sizeof path);
        while (n < ARRAY_LEN(path) && toml_name_next(&name, &arena, &path[n]))
            n++;
        if (n == 0 || !span_eq(path[0], SPAN("hooks"))) continue;
        bool event = n == 2 && setup_event_wanted(path[1], wish) && item.value.p[0] != '[';
        if (n == 1 || event || (n == 2 && span_eq(path[1], SPAN("state"))))
            return toml_refuse(
                text, item.name.p, err,
                "hooks are written here in one piece, which nothing can be added to; write them as "
                "tables of their own ([[hooks.EVENT]], [hooks.state.\"…\"])");
    }
    return 0;
}

int codex_hooks_install(struct span text, const char *source, struct span command,
                        const struct event_wish *wish, struct buf *out, struct err *err) {
    AUTO(document) struct document d;
    AUTO(buf) struct buf before = BUF_INIT(out->cap);
    AUTO(buf) struct buf behind = BUF_INIT(out->cap);
    int r = read_document(&d, text, err);
    if (r == 0) r = check_form(text, wish, err);
    if (r < 0) return r;
    struct block b = {
        .out = out, .newline = newline_of(text), .command = command, .source = source, .old = &d};
    put_outside(&d, &before, &behind);
    r = codex_lists_write(buf_span(&before), true, command, wish, out, err);
    if (r < 0) return r;
    if (!d.has_fence && text.n)
        put_line(&b, ""); /* ends a last line that has no end, or sets the block apart */
    put_block(&b, wish, d.has_fence ? d.fence_end : text.n);
    return codex_lists_write(buf_span(&behind), false, command, wish, out, err);
}

/* Looking */

/* Will Codex run it? */
static void judge(const struct document *d, const struct listed *ours, const char *source,
                  struct setup_found_event *e) {
    AUTO(buf) struct buf key = BUF_INIT(NAMES_BYTES_MAX);
    AUTO(free) char *event = str_dup(ours->event);
    put_key(&key, source, event, ours->index);
    e->untrusted = true;
    for (size_t k = 0; k < d->n; k++) {
        const struct section *state = &d->v[k];
        if (!state->is_state || !span_eq(state->key, buf_span(&key))) continue;
        e->disabled = state->disabled;
        e->untrusted = !has_hash(state, ours->event, ours->command);
    }
}

static void note(const struct document *d, const struct listed *ours, const char *source,
                 struct setup_found *ret) {
    struct setup_found_event *e = setup_found_add(ret, ours->event, ours->command);
    if (e) judge(d, ours, source, e);
}

int codex_hooks_find(struct span text, const char *source, struct setup_found *ret, struct err *err) {
    AUTO(document) struct document d;
    int r = read_document(&d, text, err);
    for (size_t i = 0; r == 0 && i < d.n; i++) {
        struct listed ours = {.event = d.v[i].event, .command = d.v[i].command};
        if (!is_our_command(&d.v[i])) continue;
        for (size_t k = 0; k + 1 < i; k++)
            ours.index += d.v[k].is_hook && !d.v[k].is_inner && span_eq(d.v[k].event, ours.event);
        note(&d, &ours, source, ret);
    }
    for (size_t i = 0; r == 0 && i < d.listed_n; i++)
        note(&d, &d.listed[i], source, ret);
    return r;
}
