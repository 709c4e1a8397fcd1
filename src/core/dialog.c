#include "core/dialog.h"

#include "base/cleanup.h"
#include "base/utf8.h"
#include "core/dialog_rules.h"

enum {
    TEXT_BYTES_MAX = 256 << 10, /* of all rows */
    ABOVE_ROWS = 3, /* above a dialog that are part of what is shown: what was answered before stands there */
};

/* Rows, the highest first, without frames. */
struct line {
    struct span text;
    unsigned column; /* where it begins */
    bool is_edge;    /* the upper edge of a frame begins there */
    bool is_line;    /* nothing but a line across the screen, from the left end on */
};

struct lines {
    struct line at[DIALOG_ROWS];
    size_t count;
};

static uint32_t first_code(struct span s, size_t *ret_bytes) {
    size_t n = utf8_sequence(s);
    *ret_bytes = n ? n : 1;
    return n ? utf8_decode(span_take(s, n)) : 0xfffd;
}

/* What frames, lines and scroll bars are drawn with. */
static bool is_drawn(uint32_t code) {
    return code >= 0x2500 && code <= 0x259f;
}

static bool is_blank(uint32_t code) {
    return code <= 0x20 || code == 0x7f || code == 0xa0 || code == 0x25b2 || code == 0x25bc;
}

struct span dialog_squeeze(struct span text, struct arena *arena) {
    char *out = arena_alloc(arena, text.n + 1);
    size_t n = 0;
    while (out && text.n) {
        size_t bytes;
        uint32_t code = first_code(text, &bytes);
        if (!is_blank(code) && !is_drawn(code)) {
            memcpy(out + n, text.p, bytes);
            n += bytes;
        }
        text = span_skip(text, bytes);
    }
    return span_of(out, n);
}

/* Without what is blank or drawn at its end. */
static struct span cut_end(struct span s) {
    size_t end = 0;
    for (size_t at = 0, bytes; at < s.n; at += bytes) {
        uint32_t code = first_code(span_skip(s, at), &bytes);
        if (!is_blank(code) && !is_drawn(code)) end = at + bytes;
    }
    return span_take(s, end);
}

static struct line read_line(struct span row) {
    struct line l = {0};
    size_t bytes;
    uint32_t first = row.n ? first_code(row, &bytes) : 0;
    l.is_edge = first == 0x256d || first == 0x250c; /* ╭ ┌ */
    while (row.n) {
        uint32_t code = first_code(row, &bytes);
        if (!is_blank(code) && !is_drawn(code)) break;
        l.column++;
        row = span_skip(row, bytes);
    }
    l.text = cut_end(row);
    l.is_line = !l.text.n && first == 0x2500;
    return l;
}

static void read_lines(const struct span *rows, size_t count, struct lines *ret) {
    ret->count = MIN(count, (size_t)DIALOG_ROWS);
    for (size_t i = 0; i < ret->count; i++)
        ret->at[i] = read_line(rows[ret->count - 1 - i]);
}

static bool contains(struct span s, struct span words) {
    return words.n && s.n >= words.n && memmem(s.p, s.n, words.p, words.n) != NULL;
}

/* Where the foot is; `count` when it is not at the bottom. */
static size_t find_foot(const struct dialog_rule *rule, const struct lines *l) {
    unsigned below = 0;
    for (size_t i = l->count; i-- > 0 && below <= rule->below;) {
        bool fits = contains(l->at[i].text, rule->foot) ||
                    (rule->foot_alone.n && span_eq(l->at[i].text, rule->foot_alone));
        if (fits) return i;
        below += l->at[i].text.n || l->at[i].column;
    }
    return l->count;
}

/* The nearest row above `end` that begins with the head. */
static size_t find_head(const struct dialog_rule *rule, const struct lines *l, size_t end) {
    for (size_t i = end; i-- > 0;) {
        if (span_starts(l->at[i].text, rule->head)) return i;
        if (l->at[i].is_edge) break;
    }
    return l->count;
}

static size_t find_top(const struct dialog_rule *rule, const struct lines *l, size_t head) {
    if (rule->top == DIALOG_TOP_HEAD) return head;
    for (size_t i = head; i-- > 0;) {
        if (rule->top == DIALOG_TOP_FRAME && l->at[i].is_edge) return i;
        if (rule->top == DIALOG_TOP_LINE && l->at[i].is_line) return i;
    }
    return rule->top == DIALOG_TOP_NONE ? 0 : l->count;
}

/* Options */

static struct span skip_blanks(struct span s, unsigned *column) {
    size_t bytes;
    while (s.n && is_blank(first_code(s, &bytes))) {
        s = span_skip(s, bytes);
        (*column)++;
    }
    return s;
}

struct read_option {
    struct dialog_option option;
    unsigned column; /* of its number, or of its label where there are none */
    bool is_marked;
};

/* "[ ] label", "[✔] label"; in lists "• label", "✓ label". */
static void read_box(struct dialog_option *o, bool listed) {
    struct span s = o->label;
    struct span rest = s;
    if (listed) {
        o->is_ticked = span_starts(s, SPAN("✓ "));
        o->has_box = o->is_ticked || span_starts(s, SPAN("• "));
        if (o->has_box) (void)span_split(&rest, ' ');
    } else if (span_starts(s, SPAN("[")) && s.n > 2) {
        size_t bytes;
        (void)first_code(span_skip(s, 1), &bytes);
        o->has_box = span_starts(span_skip(s, 1 + bytes), SPAN("] "));
        o->is_ticked = o->has_box && s.p[1] != ' ';
        if (o->has_box) rest = span_skip(s, 1 + bytes + 2);
    }
    o->label = span_trim(rest);
}

/* Is the row an option? In a list, every row may be one. */
static bool read_option(const struct dialog_rule *rule, const struct line *l, struct read_option *ret) {
    *ret = (struct read_option){.column = l->column};
    struct span s = l->text;
    if (rule->marker.n && span_starts(s, rule->marker)) {
        ret->is_marked = true;
        ret->column++;
        s = skip_blanks(span_skip(s, rule->marker.n), &ret->column);
    }
    if (!s.n) return false;
    if (!rule->listed) {
        bool numbered = s.n > 3 && s.p[0] >= '1' && s.p[0] <= '9' && s.p[1] == '.' && s.p[2] == ' ';
        if (!numbered) return false;
        ret->option.number = (unsigned)(s.p[0] - '0');
        s = span_skip(s, 2);
    }
    s = span_trim(s);
    const char *gap = memmem(s.p, s.n, "  ", 2); /* what describes it stands beside it */
    ret->option.label = gap ? span_take(s, (size_t)(gap - s.p)) : s;
    ret->option.more = gap ? span_trim(span_skip(s, (size_t)(gap - s.p))) : SPAN_NONE;
    read_box(&ret->option, rule->listed);
    return ret->option.label.n > 0;
}

/* From the text of one row to the end of another's, both of one screen: blanks and frames are between them. */
static struct span join(struct span first, struct span last, struct arena *arena) {
    if (!first.n || !last.n) return first.n ? first : last;
    return arena_printf(arena, "%.*s %.*s", SPAN_ARG(first), SPAN_ARG(last));
}

static void prepend(struct dialog *d, const struct read_option *o, struct span more, struct arena *arena) {
    memmove(d->options + 1, d->options, d->option_count * sizeof *d->options);
    d->options[0] = o->option;
    d->options[0].more = join(o->option.more, more, arena);
    d->option_count++;
    d->selected++;
    if (o->is_marked) d->selected = 0;
}

/* Reads the options above row `end`, the lowest first, and where they begin; false when they are not as they should be. */
static bool read_options(const struct lines *l, size_t head, size_t end, struct arena *arena,
                         struct dialog *d, size_t *ret_begin) {
    struct span more = SPAN_NONE;
    unsigned column = 0, marked = 0, next = 0;
    for (size_t i = end; i-- > head + 1;) {
        const struct line *row = &l->at[i];
        struct read_option o;
        if (!row->text.n) continue;
        bool is_one = read_option(d->rule, row, &o) && (!column || o.column == column);
        if (!is_one) {
            if (d->rule->listed && column && row->column < column) break;
            more = join(row->text, more, arena);
            continue;
        }
        if (d->option_count == DIALOG_OPTIONS_MAX || (next && o.option.number != next)) return false;
        column = o.column;
        next = d->rule->listed ? 0 : o.option.number - 1;
        marked += o.is_marked;
        o.option.meaning = dialog_rule_meaning(d->rule, o.option.label);
        prepend(d, &o, more, arena);
        more = SPAN_NONE;
        *ret_begin = i;
        if (o.option.number == 1) break;
    }
    return d->option_count && marked == 1 && (d->rule->listed || d->options[0].number == 1);
}

/* Words */

/* The rows from `begin` to `end`, one after the other. */
static struct span join_rows(const struct lines *l, size_t begin, size_t end, struct arena *arena) {
    AUTO(buf) struct buf out = BUF_INIT(TEXT_BYTES_MAX);
    for (size_t i = begin; i < end; i++)
        if (l->at[i].text.n) (void)buf_printf(&out, "%s%.*s", out.n ? " " : "", SPAN_ARG(l->at[i].text));
    return arena_dup(arena, buf_span(&out));
}

/* Letters only: what turns, blinks and counts beside them is no news. */
static struct span letters(struct span text, struct arena *arena) {
    char *out = arena_alloc(arena, text.n + 1);
    size_t n = 0;
    for (size_t i = 0; out && i < text.n; i++) {
        char c = text.p[i];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) out[n++] = c;
    }
    return span_of(out, n);
}

static struct span what_is_shown(const struct lines *l, size_t top, struct arena *arena) {
    size_t above = top;
    for (unsigned rows = 0; above > 0 && rows < ABOVE_ROWS;)
        rows += l->at[--above].text.n > 0;
    struct span before = letters(join_rows(l, above, top, arena), arena);
    struct span itself = dialog_squeeze(join_rows(l, top, l->count, arena), arena);
    return arena_printf(arena, "%.*s\n%.*s", SPAN_ARG(before), SPAN_ARG(itself));
}

/* Rows between the head and the options that are no part of the question. */
static bool is_aside(struct span row) {
    return span_starts(row, SPAN("(Select all that apply)")) || span_starts(row, SPAN("←"));
}

static struct span read_question(const struct dialog *d, const struct lines *l, size_t head, size_t begin,
                                 struct arena *arena) {
    if (d->kind != DIALOG_QUESTION) return l->at[head].text;
    struct span all = SPAN_NONE;
    for (size_t i = head + 1; i < begin; i++) {
        struct span row = l->at[i].text;
        if (!row.n || is_aside(row)) continue;
        all = d->rule->listed ? row : join(all, row, arena);
    }
    return d->rule->listed && span_ends(all, SPAN(":")) ? span_take(all, all.n - 1) : all;
}

/* Is it one of several questions, and was another one answered before? */
static void read_parts(struct dialog *d, const struct lines *l, size_t head, size_t begin, size_t foot) {
    if (d->cli == CLI_CODEX) {
        d->has_parts = !contains(l->at[head].text, SPAN("Question 1/1 "));
        d->is_begun = !span_starts(l->at[head].text, SPAN("Question 1/"));
    } else if (d->cli == CLI_COPILOT) {
        d->is_begun = contains(l->at[foot].text, SPAN("tab prev"));
        d->has_parts = d->is_begun || contains(l->at[foot].text, SPAN("tab next"));
    }
    for (size_t i = head; i < begin; i++) {
        struct span tabs = l->at[i].text;
        if (!span_starts(tabs, SPAN("←"))) continue;
        d->has_parts = true;
        d->is_begun |= contains(tabs, SPAN("☒")) || contains(tabs, SPAN("✓"));
    }
}

static bool read_by(const struct dialog_rule *rule, const struct lines *l, struct arena *arena,
                    struct dialog *d) {
    *d = (struct dialog){.cli = rule->cli, .kind = rule->kind, .rule = rule};
    size_t foot = find_foot(rule, l);
    if (foot == l->count) return false;
    size_t head = find_head(rule, l, foot);
    if (head == l->count) return false;
    size_t top = find_top(rule, l, head), begin = foot;
    if (top == l->count) return false;
    bool no_options = rule->kind == DIALOG_REVIEW && !rule->marker.n;
    if (!no_options && !read_options(l, head, rule->foot_is_option ? foot + 1 : foot, arena, d, &begin))
        return false;
    d->question = read_question(d, l, head, begin, arena);
    d->body = dialog_squeeze(join_rows(l, top, begin, arena), arena);
    d->shown = what_is_shown(l, top, arena);
    d->typed = dialog_squeeze(join_rows(l, foot + 1, l->count, arena), arena);
    if (rule->kind == DIALOG_QUESTION) read_parts(d, l, head, begin, foot);
    for (size_t i = 0; i < d->option_count; i++)
        d->takes_several |= d->options[i].has_box;
    return d->question.n > 0;
}

bool dialog_read(enum cli cli, const struct span *rows, size_t count, struct arena *arena,
                 struct dialog *ret) {
    struct lines lines;
    read_lines(rows, count, &lines);
    const struct dialog_rule *rule;
    for (size_t at = 0; (rule = dialog_rule_next(cli, &at));)
        if (read_by(rule, &lines, arena, ret)) return true;
    return false;
}
