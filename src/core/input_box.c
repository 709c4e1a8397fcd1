#include "core/input_box.h"

#include "base/utf8.h"
#include "core/dialog.h"

#include <errno.h>

enum {
    HINT_ROWS = 14,   /* from the bottom, in which a CLI says how it is interrupted */
    SHOWN_BYTES = 24, /* of a prompt's end that are looked for */
};

static bool contains(struct span row, struct span words) {
    return row.n >= words.n && memmem(row.p, row.n, words.p, words.n) != NULL;
}

static bool is_ruled(struct span row) {
    row = span_trim(row);
    return span_starts(row, SPAN("──")) || span_starts(row, SPAN("▀▀")) || span_starts(row, SPAN("▄▄"));
}

/* A row of its own, with these words in it that stand there for as long as nothing is typed. */
static bool has_hint(const struct span *rows, size_t count, struct span mark, struct span hint) {
    for (size_t i = 0; i < count; i++) {
        struct span row = span_trim(rows[i]);
        if (!span_starts(row, mark)) continue;
        return span_eq(span_trim(span_skip(row, mark.n)), hint);
    }
    return false;
}

static struct span without_mark(struct span row, struct span mark) {
    row = span_skip(row, mark.n);
    while (span_starts(row, SPAN("\xc2\xa0")) || span_starts(row, SPAN(" ")))
        row = span_skip(row, row.p[0] == ' ' ? 1 : 2);
    return row;
}

/* Claude Code: between two lines, behind its mark, perhaps with a suggestion. */
static bool claude_is_empty(const struct span *rows, size_t count) {
    for (size_t i = 1; i + 1 < count; i++) {
        if (!span_starts(rows[i], SPAN("❯"))) continue;
        struct span text = without_mark(rows[i], SPAN("❯"));
        return is_ruled(rows[i - 1]) && is_ruled(rows[i + 1]) &&
               (!text.n || span_starts(text, SPAN("Try \"")));
    }
    return false;
}

/* Copilot: a row between the ends of a bar. */
static bool copilot_is_empty(const struct span *rows, size_t count) {
    for (size_t i = 0; i + 2 < count; i++)
        if (span_starts(rows[i], SPAN("╹")))
            return span_eq(span_trim(rows[i + 1]), SPAN("┃")) && span_starts(rows[i + 2], SPAN("╻"));
    return false;
}

/* opencode: above the row with its mode, rows with nothing but a bar, or a suggestion. */
static bool opencode_is_empty(const struct span *rows, size_t count) {
    size_t i = 0;
    while (i < count && !span_starts(span_trim(rows[i]), SPAN("╹")))
        i++;
    if (i + 4 >= count || !contains(rows[i + 1], SPAN(" · "))) return false;
    for (i += 2; i < count; i++) {
        struct span row = span_trim(rows[i]);
        if (!span_starts(row, SPAN("┃"))) return true;
        struct span text = span_trim(span_skip(row, SPAN("┃").n));
        if (text.n && !span_starts(text, SPAN("Ask anything…"))) return false;
    }
    return false;
}

/* The lowest rows that show something, so many at most. */
static const struct span *lowest(const struct span *rows, size_t *count, size_t max) {
    while (*count && !span_trim(*rows).n) {
        rows++;
        (*count)--;
    }
    *count = MIN(*count, max);
    return rows;
}

bool input_box_is_empty(enum cli cli, const struct span *rows, size_t count) {
    rows = lowest(rows, &count, INPUT_BOX_ROWS);
    if (cli == CLI_CLAUDE) return claude_is_empty(rows, count);
    if (cli == CLI_COPILOT) return copilot_is_empty(rows, count);
    if (cli == CLI_OPENCODE) return opencode_is_empty(rows, count);
    if (cli == CLI_CODEX) return has_hint(rows, count, SPAN("›"), SPAN("Ask Codex to do anything"));
    return cli == CLI_GEMINI && has_hint(rows, count, SPAN(">"), SPAN("Type your message or @path/to/file"));
}

bool input_box_shows(const struct span *rows, size_t count, struct span text, struct arena *arena) {
    struct buf all = BUF_INIT(INPUT_BOX_TEXT_MAX);
    rows = lowest(rows, &count, INPUT_BOX_ROWS);
    for (size_t i = count; i-- > 0;)
        (void)buf_append_span(&all, rows[i]);
    struct span shown = dialog_squeeze(buf_span(&all), arena), end = dialog_squeeze(text, arena);
    if (end.n > SHOWN_BYTES) end = span_skip(end, end.n - SHOWN_BYTES);
    while (end.n && ((unsigned char)end.p[0] & 0xc0) == 0x80) /* not in mid-character */
        end = span_skip(end, 1);
    bool yes = contains(shown, end) || contains(shown, SPAN("[Past"));
    buf_fini(&all);
    return yes;
}

int input_box_put(struct buf *keys, struct span text, bool paste) {
    text = span_trim(text);
    if (!text.n || text.n > INPUT_BOX_TEXT_MAX || !utf8_valid(text)) return -EINVAL;
    if (!paste && memchr(text.p, '\n', text.n)) return -EINVAL; /* every line would be a prompt */
    if (paste) (void)buf_append_span(keys, SPAN("\x1b[200~"));
    while (text.n) {
        size_t bytes = utf8_sequence(text);
        uint32_t code = utf8_decode(span_take(text, bytes));
        bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
        if (code == '\n')
            (void)buf_append_char(keys, '\r'); /* as terminals paste it */
        else if (code == '\t')
            (void)buf_append_span(keys, SPAN("    "));
        else if (!control)
            (void)buf_append(keys, text.p, bytes);
        text = span_skip(text, bytes);
    }
    if (paste) (void)buf_append_span(keys, SPAN("\x1b[201~"));
    return keys->failed ? -EINVAL : 0;
}

/* What stands on the screen while it works. */
static const struct {
    enum cli cli;
    struct span hint;
    struct span key;
} interrupts[] = {
    {CLI_CLAUDE, SPAN("esc to interrupt"), SPAN("\x1b")},
    {CLI_CODEX, SPAN("esc to interrupt)"), SPAN("\x1b")},
    {CLI_GEMINI, SPAN("(esc to cancel"), SPAN("\x1b")},
    {CLI_COPILOT, SPAN(" esc esc "), SPAN("\x1b")},
    {CLI_COPILOT, SPAN(" esc again to "), SPAN("\x1b")},
    {CLI_OPENCODE, SPAN("esc interrupt"), SPAN("\x1b")},
    {CLI_OPENCODE, SPAN("esc again to interrupt"), SPAN("\x1b")},
};

bool input_box_can_interrupt(enum cli cli, const struct span *rows, size_t count, struct span *ret_key) {
    rows = lowest(rows, &count, HINT_ROWS);
    for (size_t row = 0; row < count; row++) {
        for (size_t i = 0; i < ARRAY_LEN(interrupts); i++) {
            if (interrupts[i].cli != cli || !contains(rows[row], interrupts[i].hint)) continue;
            *ret_key = interrupts[i].key;
            return true;
        }
    }
    return false;
}
