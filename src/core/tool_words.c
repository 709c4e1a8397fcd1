#include "core/tool_words.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/utf8.h"
#include "core/model.h"
#include "core/tool.h"

enum {
    WORDS_BYTES_MAX = 16 << 20, /* while they are put together; no record is longer */
    CONTEXT_LINES = 3,          /* around an edit */
    DEPTH_MAX = 6,              /* of arguments that are spelled out */
};

/* Values */

static void put_value(struct buf *out, struct span value, struct span name, struct arena *arena,
                      unsigned depth);

static void put_members(struct buf *out, struct span object, struct span prefix, struct arena *arena,
                        unsigned depth) {
    struct span rest = object, key, value;
    while (jscan_member_next(&rest, &key, &value) == 1) {
        struct span name = tool_value_text(key, arena);
        if (prefix.n) name = arena_printf(arena, "%.*s.%.*s", SPAN_ARG(prefix), SPAN_ARG(name));
        put_value(out, value, name, arena, depth);
    }
}

static void put_value(struct buf *out, struct span value, struct span name, struct arena *arena,
                      unsigned depth) {
    if (jscan_kind(value) == JKIND_OBJECT && depth < DEPTH_MAX) {
        put_members(out, value, name, arena, depth + 1);
        return;
    }
    struct span text = tool_value_text(value, arena), item, rest = value;
    if (text.n) {
        (void)buf_printf(out, "%s%.*s: %.*s", out->n ? "\n" : "", SPAN_ARG(name), SPAN_ARG(text));
        return;
    }
    for (unsigned i = 1; jscan_kind(value) == JKIND_ARRAY && jscan_array_next(&rest, &item) == 1; i++)
        if (depth < DEPTH_MAX)
            put_value(out, item, arena_printf(arena, "%.*s.%u", SPAN_ARG(name), i), arena, depth + 1);
}

/* Lines */

/* Every line of `text` with this mark before it. */
static void put_lines(struct buf *out, struct span text, char mark) {
    while (text.n) {
        struct span line = span_split(&text, '\n');
        (void)buf_append_char(out, '\n');
        (void)buf_append_char(out, mark);
        (void)buf_append_span(out, line);
    }
}

/* How many bytes of whole lines both begin with. */
static size_t common_head(struct span a, struct span b) {
    size_t head = 0, n = MIN(a.n, b.n);
    for (size_t i = 0; i < n && a.p[i] == b.p[i]; i++)
        if (a.p[i] == '\n') head = i + 1;
    return head;
}

static size_t common_tail(struct span a, struct span b) {
    size_t tail = 0, n = MIN(a.n, b.n);
    for (size_t i = 0; i < n && a.p[a.n - 1 - i] == b.p[b.n - 1 - i]; i++)
        if (a.p[a.n - 1 - i] == '\n') tail = i;
    return a.n == b.n && tail == 0 && span_eq(a, b) ? a.n : tail;
}

static struct span last_lines(struct span text, unsigned count) {
    size_t at = text.n;
    while (at > 0) {
        if (text.p[at - 1] == '\n' && at < text.n && count-- == 1) break;
        at--;
    }
    return span_skip(text, at);
}

static struct span first_lines(struct span text, unsigned count) {
    struct span rest = text;
    while (rest.n && count--)
        (void)span_split(&rest, '\n');
    return span_take(text, text.n - rest.n);
}

/* What is replaced by what, with a few of the lines that stay around it. */
static void put_change(struct buf *out, struct span before, struct span after) {
    size_t head = common_head(before, after);
    struct span a = span_skip(before, head), b = span_skip(after, head);
    size_t tail = common_tail(a, b);
    put_lines(out, last_lines(span_take(before, head), CONTEXT_LINES), ' ');
    put_lines(out, span_take(a, a.n - tail), '-');
    put_lines(out, span_take(b, b.n - tail), '+');
    struct span rest = span_skip(b, b.n - tail);
    if (span_starts(rest, SPAN("\n"))) rest = span_skip(rest, 1);
    put_lines(out, first_lines(rest, CONTEXT_LINES), ' ');
}

#define OLD_TEXTS "old_string oldString old_str old_source"
#define NEW_TEXTS "new_string newString new_str new_source"
#define CONTENTS "content file_text contents text"

static void put_edit(struct buf *out, struct span edit, struct arena *arena) {
    put_change(out, tool_first_text(edit, OLD_TEXTS, arena), tool_first_text(edit, NEW_TEXTS, arena));
}

static void put_edits(struct buf *out, struct span edits, struct arena *arena) {
    struct span rest = edits, edit;
    while (jscan_array_next(&rest, &edit) == 1) {
        (void)buf_append_span(out, SPAN("\n@@"));
        put_edit(out, edit, arena);
    }
}

/* Questions */

/* Further lines of a text are indented: none of them is taken for an answer, or for the next question. */
static void put_indented(struct buf *out, struct span text) {
    struct span rest = span_trim(text);
    (void)buf_append_span(out, span_split(&rest, '\n'));
    while (rest.n) {
        (void)buf_append_span(out, SPAN("\n  "));
        (void)buf_append_span(out, span_split(&rest, '\n'));
    }
}

/* An option is a word, or has a label and may have a description. */
static void put_option(struct buf *out, struct span option, struct arena *arena) {
    struct span label = tool_value_text(option, arena), more = SPAN_NONE;
    if (jscan_kind(option) == JKIND_OBJECT) {
        label = tool_first_text(option, "label value title", arena);
        more = tool_first_text(option, "description", arena);
    }
    (void)buf_append_span(out, SPAN("\n- "));
    put_indented(out, label);
    if (!more.n) return;
    (void)buf_append_span(out, SPAN(": "));
    put_indented(out, more);
}

static void put_question(struct buf *out, struct span question, struct arena *arena) {
    static const char *const lists[] = {"options", "choices"};
    struct span words = tool_first_text(question, "question message prompt title", arena);
    if (out->n) (void)buf_append_span(out, SPAN("\n\n"));
    put_indented(out, words);
    struct span many = tool_first_text(question, "multiSelect multiple", arena);
    if (span_eq(many, SPAN("true"))) (void)buf_append_span(out, SPAN("\n(choose any number)"));
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        struct span rest = tool_member(question, span_str(lists[i])), option;
        while (rest.n && jscan_array_next(&rest, &option) == 1)
            put_option(out, option, arena);
    }
}

static void put_questions(struct buf *out, struct span input, struct arena *arena) {
    struct span rest = tool_member(input, SPAN("questions")), question;
    if (jscan_kind(rest) != JKIND_ARRAY) {
        put_question(out, input, arena);
        return;
    }
    while (jscan_array_next(&rest, &question) == 1)
        put_question(out, question, arena);
}

/* The whole */

/* What was put together, as much of it as is kept; a cut says that it is one. */
static struct span finish(const struct buf *out, struct arena *arena) {
    enum { FOR_THE_MARK = 64 };
    struct span all = buf_span(out), kept = utf8_cut_bytes(all, REQUEST_DETAIL_BYTES - FOR_THE_MARK);
    struct span shown =
        kept.n < all.n && all.n > REQUEST_DETAIL_BYTES
            ? arena_printf(arena, "%.*s\n… (cut here, %zu bytes follow)", SPAN_ARG(kept), all.n - kept.n)
            : arena_dup(arena, all);
    return all.n && !shown.n ? SPAN("(too large to be shown here: look at it where the agent runs)") : shown;
}

static void plan_words(struct span input, struct arena *arena, struct buf *out, struct tool_words *ret) {
    struct span plan = tool_first_text(input, "plan content plan_path planFilePath", arena);
    ret->kind = ATTENTION_PLAN;
    ret->form = TEXT_FORM_MARKDOWN;
    struct span rest = span_trim(plan), line = span_trim(span_split(&rest, '\n'));
    while (line.n && (line.p[0] == '#' || line.p[0] == ' '))
        line = span_skip(line, 1);
    if (line.n) ret->text = arena_printf(arena, "Review the plan: %.*s", SPAN_ARG(line));
    (void)buf_append_span(out, plan);
}

static void question_words(struct span input, struct arena *arena, struct buf *out, struct tool_words *ret) {
    ret->kind = ATTENTION_QUESTION;
    ret->form = TEXT_FORM_QUESTION;
    put_questions(out, input, arena);
    struct span rest = buf_span(out), first = span_split(&rest, '\n');
    if (first.n) ret->text = arena_dup(arena, first);
}

static void file_words(const struct tool_row *row, struct span input, struct arena *arena, struct buf *out,
                       struct tool_words *ret) {
    ret->form = TEXT_FORM_DIFF;
    (void)buf_append_span(out, tool_first_text(input, row->subject, arena));
    if (row->style == TOOL_WRITE) put_lines(out, tool_first_text(input, CONTENTS, arena), '+');
    if (row->style == TOOL_EDIT) put_edit(out, input, arena);
    if (row->style == TOOL_EDITS) put_edits(out, tool_member(input, SPAN("edits")), arena);
}

void tool_words(struct span tool, struct span input, struct arena *arena, struct tool_words *ret) {
    AUTO(buf) struct buf out = BUF_INIT(WORDS_BYTES_MAX);
    const struct tool_row *row = tool_find(tool);
    *ret = (struct tool_words){.kind = ATTENTION_APPROVAL, .form = TEXT_FORM_TEXT};
    struct span subject = row ? tool_first_text(input, row->subject, arena) : SPAN_NONE;
    ret->text = row && subject.n ? arena_printf(arena, "%s %.*s", row->verb, SPAN_ARG(subject))
                                 : tool_title(tool, arena);
    switch (row ? row->style : TOOL_LINE) {
    case TOOL_COMMAND:
        ret->form = TEXT_FORM_COMMAND;
        (void)buf_append_span(&out, subject);
        break;
    case TOOL_WRITE:
    case TOOL_EDIT:
    case TOOL_EDITS: file_words(row, input, arena, &out, ret); break;
    case TOOL_PATCH:
        ret->form = TEXT_FORM_DIFF;
        (void)buf_append_span(&out, tool_first_text(input, "patch input command patchText", arena));
        break;
    case TOOL_QUESTION: question_words(input, arena, &out, ret); break;
    case TOOL_PLAN: plan_words(input, arena, &out, ret); break;
    case TOOL_AGENT: (void)buf_append_span(&out, tool_first_text(input, "prompt message", arena)); break;
    case TOOL_LINE:
        put_members(&out, input, SPAN_NONE, arena, 0);
        if (subject.n && !memchr(out.p, '\n', out.n)) buf_clear(&out); /* there is no more than its subject */
        break;
    }
    ret->detail = finish(&out, arena);
}
