#include "core/tool_words.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "core/model.h"
#include "core/text.h"
#include "core/tool.h"

enum {
    WORDS_BYTES_MAX = 16 << 20, /* while they are put together; no record is longer */
    CONTEXT_LINES = 3,          /* around an edit */
    DEPTH_MAX = 16,             /* of arguments that are spelled out */
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

/* A list of words and numbers is one value; what has objects or lists in it is spelled out. */
static bool is_nested(struct span value) {
    if (jscan_kind(value) != JKIND_ARRAY) return jscan_kind(value) == JKIND_OBJECT;
    struct span rest = value, item;
    while (jscan_array_next(&rest, &item) == 1)
        if (jscan_kind(item) == JKIND_ARRAY || jscan_kind(item) == JKIND_OBJECT) return true;
    return false;
}

static void put_value(struct buf *out, struct span value, struct span name, struct arena *arena,
                      unsigned depth) {
    bool nested = is_nested(value), deep = nested && depth == DEPTH_MAX;
    struct span text = deep ? SPAN("…") : nested ? SPAN_NONE : tool_value_text(value, arena);
    if (text.n) (void)buf_printf(out, "%s%.*s: %.*s", out->n ? "\n" : "", SPAN_ARG(name), SPAN_ARG(text));
    if (deep || !nested) return;
    if (jscan_kind(value) == JKIND_OBJECT) {
        put_members(out, value, name, arena, depth + 1);
        return;
    }
    struct span rest = value, item;
    for (unsigned i = 1; jscan_array_next(&rest, &item) == 1; i++)
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

static bool is_true(struct span input, const char *names, struct arena *arena) {
    return span_eq(tool_first_text(input, names, arena), SPAN("true"));
}

/* A line that says where the change goes, when the texts do not; `always`: there is such a line anyway. */
static void put_place(struct buf *out, struct span edit, bool always, struct arena *arena) {
    struct span cell = tool_first_text(edit, "cell_id cell_number", arena);
    struct span mode = tool_first_text(edit, "edit_mode", arena);
    struct span line = tool_first_text(edit, "insert_line", arena);
    bool everywhere = is_true(edit, "replace_all replaceAll allow_multiple", arena);
    if (!always && !cell.n && !mode.n && !line.n && !everywhere) return;
    (void)buf_append_span(out, SPAN("\n@@"));
    if (mode.n) (void)buf_printf(out, " %.*s", SPAN_ARG(mode));
    if (cell.n) (void)buf_printf(out, " cell %.*s", SPAN_ARG(cell));
    if (line.n) (void)buf_printf(out, " after line %.*s", SPAN_ARG(line));
    if (everywhere) (void)buf_append_span(out, SPAN(" everywhere"));
}

static void put_edit(struct buf *out, struct span edit, struct arena *arena) {
    put_change(out, tool_first_text(edit, OLD_TEXTS, arena), tool_first_text(edit, NEW_TEXTS, arena));
}

static void put_edits(struct buf *out, struct span edits, struct arena *arena) {
    struct span rest = edits, edit;
    while (jscan_array_next(&rest, &edit) == 1) {
        put_place(out, edit, true, arena);
        put_edit(out, edit, arena);
    }
}

/* A diff that somebody else made, from its first change on: the file has been named. */
static void put_diff(struct buf *out, struct span diff) {
    const char *at = span_starts(diff, SPAN("@@")) ? diff.p : memmem(diff.p, diff.n, "\n@@", 3);
    if (at) diff = span_skip(diff, (size_t)(at - diff.p));
    (void)buf_append_span(out, span_starts(diff, SPAN("\n")) ? SPAN("") : SPAN("\n"));
    (void)buf_append_span(out, diff);
}

/* The files that a patch names, a comma between two. */
static struct span patched_files(struct span patch, struct arena *arena) {
    static const struct span marks[] = {SPAN("*** Update File: "), SPAN("*** Add File: "),
                                        SPAN("*** Delete File: "), SPAN("+++ b/"), SPAN("+++ ")};
    AUTO(buf) struct buf out = BUF_INIT(WORDS_BYTES_MAX);
    while (patch.n) {
        struct span line = span_trim(span_split(&patch, '\n'));
        for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
            if (!span_starts(line, marks[i])) continue;
            (void)buf_printf(&out, "%s%.*s", out.n ? ", " : "", SPAN_ARG(span_skip(line, marks[i].n)));
            break;
        }
    }
    return arena_dup(arena, buf_span(&out));
}

/* Commands */

/* A word as a shell would have to be given it. */
static void put_word(struct buf *out, struct span word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:@%,";
    bool quoted = word.n == 0;
    for (size_t i = 0; i < word.n; i++)
        quoted |= !memchr(plain, word.p[i], sizeof plain - 1);
    if (quoted) (void)buf_append_char(out, '\'');
    for (size_t i = 0; i < word.n; i++) {
        if (word.p[i] == '\'')
            (void)buf_append_span(out, SPAN("'\\''"));
        else
            (void)buf_append_char(out, word.p[i]);
    }
    if (quoted) (void)buf_append_char(out, '\'');
}

/* A command line; where it is a list of words, these as one would type them. */
static struct span command_line(struct span input, const char *names, struct arena *arena) {
    struct span rest = span_str(names), words = SPAN_NONE, word;
    while (rest.n && !words.n) {
        words = tool_member(input, span_split(&rest, ' '));
        if (jscan_kind(words) != JKIND_ARRAY) return tool_first_text(input, names, arena);
    }
    AUTO(buf) struct buf out = BUF_INIT(WORDS_BYTES_MAX);
    while (words.n && jscan_array_next(&words, &word) == 1) {
        if (out.n) (void)buf_append_char(&out, ' ');
        put_word(&out, tool_value_text(word, arena));
    }
    return arena_dup(arena, buf_span(&out));
}

/* What one must know of a command beside its words, as a shell's comments before it. */
static void put_conditions(struct buf *out, struct span input, struct arena *arena) {
    struct span dir = tool_first_text(input, "dir_path directory workdir", arena);
    if (dir.n) (void)buf_printf(out, "# in %.*s\n", SPAN_ARG(dir));
    if (is_true(input, "dangerouslyDisableSandbox requestSandboxBypass", arena))
        (void)buf_append_span(out, SPAN("# outside the sandbox\n"));
    if (is_true(input, "run_in_background is_background", arena))
        (void)buf_append_span(out, SPAN("# in the background\n"));
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
        label = tool_first_text(option, "label value title const", arena);
        more = tool_first_text(option, "description", arena);
    }
    (void)buf_append_span(out, SPAN("\n- "));
    put_indented(out, label);
    if (!more.n) return;
    (void)buf_append_span(out, SPAN(": "));
    put_indented(out, more);
}

/* A choice in a form's field: words, or values with a title each; in a list of them any number may be chosen. */
static void put_choices(struct buf *out, struct span field, struct arena *arena) {
    static const char *const lists[] = {"enum", "oneOf", "anyOf"};
    struct span items = tool_member(field, SPAN("items"));
    if (items.n) (void)buf_append_span(out, SPAN("\n(choose any number)"));
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        struct span rest = tool_member(items.n ? items : field, span_str(lists[i])), option;
        while (rest.n && jscan_array_next(&rest, &option) == 1)
            put_option(out, option, arena);
    }
}

/* A form, as MCP has them: the name of each field and what may be chosen. The only field needs no name. */
static void put_form(struct buf *out, struct span schema, struct arena *arena) {
    struct span fields = tool_member(schema, SPAN("properties")), rest = fields, key, field;
    size_t count = 0;
    while (rest.n && jscan_member_next(&rest, &key, &field) == 1)
        count++;
    for (rest = fields; rest.n && jscan_member_next(&rest, &key, &field) == 1;) {
        struct span name = tool_first_text(field, "title description", arena);
        if (!name.n) name = tool_value_text(key, arena);
        if (count > 1) (void)buf_append_span(out, SPAN("\n\n"));
        if (count > 1) put_indented(out, name);
        put_choices(out, field, arena);
    }
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
    put_form(out, tool_member(question, SPAN("requestedSchema")), arena);
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

static void plan_words(struct span input, struct arena *arena, struct buf *out, struct tool_words *ret) {
    struct span plan = tool_first_text(input, "plan content summary plan_path planFilePath", arena);
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
    struct span diff = tool_first_text(input, "diff", arena);
    ret->form = TEXT_FORM_DIFF;
    (void)buf_append_span(out, tool_first_text(input, row->subject, arena));
    if (diff.n) { /* what will come of it, which is what the person is asked about */
        put_diff(out, diff);
        return;
    }
    if (row->style == TOOL_WRITE) put_lines(out, tool_first_text(input, CONTENTS, arena), '+');
    if (row->style == TOOL_EDIT) put_place(out, input, false, arena);
    if (row->style == TOOL_EDIT) put_edit(out, input, arena);
    if (row->style == TOOL_EDITS) put_edits(out, tool_member(input, SPAN("edits")), arena);
}

static void patch_words(struct span input, struct arena *arena, struct buf *out, struct tool_words *ret) {
    struct span patch = tool_first_text(input, "patch input command patchText diff", arena);
    struct span files = patched_files(patch, arena);
    ret->form = TEXT_FORM_DIFF;
    if (files.n) ret->text = arena_printf(arena, "Change %.*s", SPAN_ARG(files));
    (void)buf_append_span(out, patch);
}

static void command_words(const struct tool_row *row, struct span input, struct arena *arena, struct buf *out,
                          struct tool_words *ret) {
    struct span command = command_line(input, row->subject, arena);
    ret->form = TEXT_FORM_COMMAND;
    if (!command.n) return;
    ret->text = arena_printf(arena, "%s %.*s", row->verb, SPAN_ARG(command));
    put_conditions(out, input, arena);
    (void)buf_append_span(out, command);
}

/* Everything that it was called with, when that is more than its subject. */
static void member_words(struct span subject, struct span input, struct arena *arena, struct buf *out) {
    if (jscan_kind(input) == JKIND_OBJECT)
        put_members(out, input, SPAN_NONE, arena, 0);
    else
        (void)buf_append_span(out, tool_value_text(input, arena));
    if (subject.n && !memchr(out->p, '\n', out->n)) buf_clear(out);
}

void tool_words(struct span tool, struct span input, struct arena *arena, struct tool_words *ret) {
    AUTO(buf) struct buf out = BUF_INIT(WORDS_BYTES_MAX);
    const struct tool_row *row = tool_row_of(tool, input, arena);
    *ret = (struct tool_words){.kind = ATTENTION_APPROVAL, .form = TEXT_FORM_TEXT};
    struct span subject = row ? tool_first_text(input, row->subject, arena) : SPAN_NONE;
    ret->text = row && subject.n ? arena_printf(arena, "%s %.*s", row->verb, SPAN_ARG(subject))
                                 : tool_title(tool, arena);
    switch (row ? row->style : TOOL_LINE) {
    case TOOL_COMMAND: command_words(row, input, arena, &out, ret); break;
    case TOOL_WRITE:
    case TOOL_EDIT:
    case TOOL_EDITS: file_words(row, input, arena, &out, ret); break;
    case TOOL_PATCH: patch_words(input, arena, &out, ret); break;
    case TOOL_QUESTION: question_words(input, arena, &out, ret); break;
    case TOOL_PLAN: plan_words(input, arena, &out, ret); break;
    case TOOL_AGENT: (void)buf_append_span(&out, tool_first_text(input, "prompt message", arena)); break;
    case TOOL_LINE: break;
    }
    if (!out.n) { /* nothing of what such a call has: then what it has */
        if (row && row->style != TOOL_QUESTION) ret->form = TEXT_FORM_TEXT;
        member_words(subject, input, arena, &out);
    }
    struct span whole = text_whole(buf_span(&out), REQUEST_DETAIL_BYTES, arena);
    ret->detail = whole.p == out.p ? arena_dup(arena, whole) : whole;
}
