#include "core/screen_rule.h"

enum {
    FOOT_ROWS = 4,    /* below a dialog is nothing of interest but perhaps a line or two */
    DIALOG_ROWS = 24, /* higher are none of them */
};

/* The words at the foot of a CLI's dialogs, which stand there for as long as it asks and not otherwise. */
static const struct {
    enum cli cli;
    struct span foot;
} dialogs[] = {
    {CLI_CLAUDE, SPAN("Enter to confirm · Esc to cancel")},
    {CLI_CLAUDE, SPAN("Enter to select · ")},
    {CLI_CLAUDE, SPAN("Esc to cancel · Tab to ")},
    {CLI_CODEX, SPAN("Press enter to confirm or esc to cancel")},
    {CLI_CODEX, SPAN("Press enter to continue")},
    {CLI_CODEX, SPAN("enter select · esc back")},
    {CLI_CODEX, SPAN("enter to submit answer | esc to interrupt")},
    {CLI_CODEX, SPAN("to navigate questions | esc to interrupt")},
    {CLI_CODEX, SPAN("to clear notes | enter to submit ")},
    {CLI_GEMINI, SPAN("No, suggest changes (esc)")},
    {CLI_GEMINI, SPAN("Enter to select · ↑/↓ to navigate · Esc to cancel")},
    {CLI_GEMINI, SPAN("Don't trust")},
    {CLI_COPILOT, SPAN("↑/↓ to navigate · enter to select · esc to cancel")},
    {CLI_COPILOT, SPAN("↑/↓ select · enter accept")},
    {CLI_OPENCODE, SPAN("⇆ select  enter confirm")},
    {CLI_OPENCODE, SPAN("enter submit  esc dismiss")},
};

static bool contains(struct span row, struct span words) {
    return row.n >= words.n && memmem(row.p, row.n, words.p, words.n) != NULL;
}

static bool is_foot(enum cli cli, struct span row) {
    for (size_t i = 0; i < ARRAY_LEN(dialogs); i++)
        if (dialogs[i].cli == cli && contains(row, dialogs[i].foot)) return true;
    return false;
}

/* Without the frame that it is drawn in. */
static struct span unframed(struct span row) {
    static const struct span frames[] = {SPAN("│"), SPAN("┃"), SPAN("▌"), SPAN("△")};
    row = span_trim(row);
    for (size_t i = 0; i < ARRAY_LEN(frames); i++) {
        if (span_starts(row, frames[i])) row = span_trim(span_skip(row, frames[i].n));
        if (span_ends(row, frames[i])) row = span_trim(span_take(row, row.n - frames[i].n));
    }
    return row;
}

/* The upper edge of the frame around a dialog: what is above it is the conversation. */
static bool is_edge(struct span row) {
    row = span_trim(row);
    return span_starts(row, SPAN("╭")) || span_starts(row, SPAN("┌"));
}

/* The nearest row above the foot that asks something; in a frame without one, what is at its top. */
static struct span find_question(const struct span *rows, size_t count) {
    struct span title = SPAN_NONE;
    for (size_t i = 0; i < count; i++) {
        if (is_edge(rows[i])) return title.n ? title : SPAN("It asks something in its terminal");
        struct span row = unframed(rows[i]);
        if (contains(row, SPAN("?"))) return row;
        if (row.n && !span_starts(row, SPAN("─"))) title = row;
    }
    return SPAN("It asks something in its terminal");
}

bool screen_rule_asks(enum cli cli, const struct span *rows, size_t count, struct span *ret_question) {
    size_t foot = 0, shown = 0;
    for (; foot < count && shown < FOOT_ROWS; foot++) {
        if (!span_trim(rows[foot]).n) continue;
        if (is_foot(cli, rows[foot])) break;
        shown++;
    }
    if (foot == count || shown == FOOT_ROWS) return false;
    *ret_question = find_question(rows + foot + 1, MIN(count - foot - 1, (size_t)DIALOG_ROWS));
    return true;
}
