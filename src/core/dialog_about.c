/* Is a dialog about a request? What a person was shown must be what the CLI will do when its dialog is answered. */
#include "base/str.h"
#include "core/dialog.h"

enum {
    TELLING_BYTES = 3, /* of a changed line: fewer may stand anywhere */
    PLAN_PARTS =
        2, /* of a plan's rows every second one must be shown at least: headings and lists are drawn anew */
    PLAN_BYTES_TELLING = 4, /* of such a row */
};

static bool shows(const struct dialog *d, struct span text, struct arena *arena) {
    struct span words = dialog_squeeze(text, arena);
    return words.n && d->body.n >= words.n && memmem(d->body.p, d->body.n, words.p, words.n) != NULL;
}

static struct span file_name(struct span path) {
    const char *slash = memrchr(path.p, '/', path.n);
    return slash ? span_skip(path, (size_t)(slash - path.p) + 1) : path;
}

/* The command without what we say of it ourselves. */
static bool shows_command(const struct dialog *d, struct span whole, struct arena *arena) {
    for (;;) {
        bool ours = span_starts(whole, SPAN("# in ")) || span_starts(whole, SPAN("# outside the sandbox\n"));
        if (!ours || !memchr(whole.p, '\n', whole.n)) break;
        (void)span_split(&whole, '\n');
    }
    return shows(d, whole, arena);
}

/* The file that a line of a patch names; empty when it names none. */
static struct span patched_file(struct span line) {
    static const struct span marks[] = {SPAN("+++ "), SPAN("--- "), SPAN("*** Update File: "),
                                        SPAN("*** Add File: "), SPAN("*** Delete File: ")};
    for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
        if (!span_starts(line, marks[i])) continue;
        struct span path = span_trim(span_skip(line, marks[i].n));
        return span_ends(path, SPAN("dev/null")) ? SPAN_NONE : path;
    }
    return SPAN_NONE;
}

static bool is_patch_head(struct span line) {
    static const struct span heads[] = {SPAN("diff "), SPAN("*** "), SPAN("--- "), SPAN("+++ ")};
    for (size_t i = 0; i < ARRAY_LEN(heads); i++)
        if (span_starts(line, heads[i])) return true;
    return false;
}

/* The files, and every line that changes. */
static bool shows_change(const struct dialog *d, struct span whole, struct arena *arena) {
    bool names_file = false;
    for (bool is_first = true; whole.n; is_first = false) {
        struct span line = span_split(&whole, '\n'), file = patched_file(line);
        if (is_first && line.n && !is_patch_head(line)) file = line;
        if (file.n) {
            if (!shows(d, file_name(file), arena)) return false;
            names_file = true;
            continue;
        }
        if (!line.n || (line.p[0] != '+' && line.p[0] != '-') || is_patch_head(line)) continue;
        struct span text = dialog_squeeze(span_skip(line, 1), arena);
        if (text.n >= TELLING_BYTES && !shows(d, text, arena)) return false;
    }
    return names_file;
}

/* Markdown is drawn in other ways than it is written: its letters stay. */
static struct span only_letters(struct span text, struct arena *arena) {
    char *out = arena_alloc(arena, text.n + 1);
    size_t n = 0;
    for (size_t i = 0; out && i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 0x80;
        if (letter) out[n++] = (char)c;
    }
    return span_of(out, n);
}

static bool shows_plan(const struct dialog *d, struct span plan, struct arena *arena) {
    struct span shown = only_letters(d->body, arena);
    size_t rows = 0, found = 0;
    while (plan.n) {
        struct span row = only_letters(span_split(&plan, '\n'), arena);
        if (row.n < PLAN_BYTES_TELLING) continue;
        rows++;
        found += shown.n >= row.n && memmem(shown.p, shown.n, row.p, row.n) != NULL;
    }
    return rows && found * PLAN_PARTS >= rows;
}

/* The question that is shown now is one of the request's. */
static bool asks_that(const struct dialog *d, struct span whole, struct arena *arena) {
    struct span asked = dialog_squeeze(whole, arena);
    if (d->kind == DIALOG_REVIEW) return true; /* what it says is compared with the answers */
    struct span question = dialog_squeeze(d->question, arena);
    if (asked.n >= question.n && question.n && memmem(asked.p, asked.n, question.p, question.n)) return true;
    /* A form with one field: its name is not told, but the message is. */
    struct span line = span_split(&whole, '\n');
    return !d->has_parts && shows(d, line, arena);
}

/* Anything else says in a line what it is about. */
static bool shows_subject(const struct dialog *d, const struct request *r, struct arena *arena) {
    struct span subject = span_str(r->summary);
    if (!subject.n || span_ends(subject, SPAN("…"))) return false;
    if (subject.p[0] == '/' && !memchr(subject.p, ' ', subject.n)) subject = file_name(subject);
    return shows(d, subject, arena);
}

bool dialog_is_about(const struct dialog *d, const struct request *r, struct arena *arena) {
    struct span whole = span_str(r->detail ? r->detail : r->text);
    if (!whole.n || !r->tool) return false; /* only the screen knows that something is asked */
    switch (d->kind) {
    case DIALOG_QUESTION:
    case DIALOG_REVIEW: return r->kind == ATTENTION_QUESTION && asks_that(d, whole, arena);
    case DIALOG_PLAN: return r->kind == ATTENTION_PLAN && shows_plan(d, whole, arena);
    case DIALOG_APPROVAL: break;
    }
    if (r->kind != ATTENTION_APPROVAL) return false;
    if (r->form == TEXT_FORM_COMMAND) return shows_command(d, whole, arena);
    return r->form == TEXT_FORM_DIFF ? shows_change(d, whole, arena) : shows_subject(d, r, arena);
}
