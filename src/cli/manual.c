#include "cli/manual.h"

#include "base/version.h"
#include "cli/help.h"

#include <ctype.h>
#include <string.h>

enum { FONT_BOLD = 'B', FONT_ITALIC = 'I', LINE_LENGTH = 72 };

/* ---- roff ------------------------------------------------------------------------------------------------------ */

/* A dash that begins a word is an option's, to be copied and pasted; others may become hyphens. */
static bool is_option_dash(struct span text, size_t i) {
    if (i == 0 || (i + 1 < text.n && text.p[i + 1] == '-')) return true;
    char before = text.p[i - 1];
    return before == '-' || isspace((unsigned char)before) || strchr("[(\"|", before);
}

/* Text that means nothing to roff, wherever on a line it stands. */
static void put(struct span text, FILE *to) {
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        bool starts_line = i == 0 || text.p[i - 1] == '\n';
        if (starts_line && (c == '.' || c == '\'')) (void)fputs("\\&", to);
        if (c == '\\')
            (void)fputs("\\e", to);
        else if (c == '\'')
            (void)fputs("\\(aq", to);
        else if (c == '^')
            (void)fputs("\\(ha", to);
        else if (c == '~')
            (void)fputs("\\(ti", to);
        else if (c == '-' && is_option_dash(text, i))
            (void)fputs("\\-", to);
        else
            (void)fputc(c, to);
    }
}

/* Prose: broken into short lines, which is how roff likes it. */
static void put_prose(struct span text, FILE *to) {
    size_t column = 0;
    while (text.n) {
        struct span word = span_split(&text, ' ');
        if (column) (void)fputc(column + word.n >= LINE_LENGTH ? '\n' : ' ', to);
        column = column && column + word.n < LINE_LENGTH ? column + 1 + word.n : word.n;
        put(word, to);
    }
    (void)fputc('\n', to);
}

static void put_font(char font, struct span text, FILE *to) {
    (void)fprintf(to, "\\f%c", font);
    put(text, to);
    (void)fputs("\\fR", to);
}

static void section(const char *name, FILE *to) {
    (void)fprintf(to, ".SH %s\n", name);
}

static void put_literal_lines(struct span *rest, FILE *to) {
    (void)fputs(".PP\n.nf\n", to);
    while (rest->n && rest->p[0] == ' ') {
        struct span line = span_split(rest, '\n');
        put(line, to);
        (void)fputc('\n', to);
    }
    (void)fputs(".fi\n", to);
}

/* Paragraphs; lines that begin with a blank stay as they are. */
static void put_text(const char *text, FILE *to) {
    struct span rest = span_str(text);
    bool is_first = true;
    while (rest.n) {
        if (rest.p[0] == ' ') {
            put_literal_lines(&rest, to);
            continue;
        }
        struct span line = span_split(&rest, '\n');
        if (!line.n) continue;
        if (!is_first) (void)fputs(".PP\n", to);
        put_prose(line, to);
        is_first = false;
    }
}

static void title(const char *name, FILE *to) {
    (void)fputs(".TH OSTLER", to);
    if (name) (void)fputs("\\-", to);
    for (; name && *name; name++)
        (void)fputc(toupper((unsigned char)*name), to);
    (void)fprintf(to, " 1 \"%s\" \"ostler %s\" \"ostler manual\"\n", version_date, version_text);
    /* No breaking of words, no stretching of lines: it is read in a terminal. */
    (void)fputs(".nh\n.ad l\n", to);
}

/* ---- a command ------------------------------------------------------------------------------------------------- */

/* "ostler repair fix PATH… [--json]": words in lower case are typed as they are, the others stand for something. */
struct usage {
    FILE *to;
    const char *before;
};

static void put_usage(void *user, const char *text) {
    struct usage *u = user;
    FILE *to = u->to;
    struct span rest = span_str(text);
    bool is_literal = true;
    (void)fputs(u->before, to);
    u->before = ".br\n";
    while (rest.n) {
        struct span word = span_split(&rest, ' ');
        is_literal = is_literal && islower((unsigned char)word.p[0]);
        if (is_literal)
            put_font(FONT_BOLD, word, to);
        else
            put(word, to);
        if (rest.n) (void)fputc(' ', to);
    }
    (void)fputc('\n', to);
}

static void put_actions(const struct cmd *c, FILE *to) {
    if (!c->actions) return;
    section("ACTIONS", to);
    for (const struct cmd_action *a = c->actions; a->name; a++) {
        (void)fputs(".TP\n", to);
        put_font(FONT_BOLD, span_str(a->name), to);
        if (a->words) {
            (void)fputc(' ', to);
            put_font(FONT_ITALIC, span_str(a->words), to);
        }
        (void)fputc('\n', to);
        put_prose(span_str(a->help), to);
    }
}

static void put_option(const struct cmd_opt *o, FILE *to) {
    (void)fputs(".TP\n", to);
    if (o->has_letter) (void)fprintf(to, "\\fB\\-%c\\fR, ", o->code);
    (void)fputs("\\fB\\-\\-", to);
    for (const char *p = o->name; *p; p++)
        (void)fputs(*p == '-' ? "\\-" : (char[]){*p, '\0'}, to);
    (void)fputs("\\fR", to);
    if (o->value) {
        (void)fputc(' ', to);
        put_font(FONT_ITALIC, span_str(o->value), to);
    }
    (void)fputc('\n', to);
    put_prose(span_str(o->help), to);
}

static void put_options(const struct cmd *c, FILE *to) {
    static const struct cmd_opt help = {.name = "help", .help = "a shorter text than this"};
    section("OPTIONS", to);
    for (const struct cmd_opt *o = c->options; o && o->name; o++)
        put_option(o, to);
    put_option(&help, to);
}

static void put_exit_status(FILE *to) {
    static const char *const rows[][2] = {
        {"0", "It did what was asked."},
        {"1", "It could not; a sentence on standard error says why."},
        {"2", "The command line is not understood; nothing was done."},
    };
    section("EXIT STATUS", to);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        (void)fprintf(to, ".TP\n%s\n%s\n", rows[i][0], rows[i][1]);
}

static void put_examples(const struct cmd *c, FILE *to) {
    if (!c->examples) return;
    section("EXAMPLES", to);
    (void)fputs(".nf\n", to);
    struct span rest = span_str(c->examples);
    while (rest.n) {
        put(span_split(&rest, '\n'), to);
        (void)fputc('\n', to);
    }
    (void)fputs(".fi\n", to);
}

/* Commands of the same group. */
static void put_see_also(const struct cmd *c, FILE *to) {
    section("SEE ALSO", to);
    (void)fputs("\\fBostler\\fR(1)", to);
    for (const struct cmd *const *other = commands; *other; other++)
        if (*other != c && (*other)->group == c->group)
            (void)fprintf(to, ",\n\\fBostler\\-%s\\fR(1)", (*other)->name);
    (void)fputc('\n', to);
}

void manual_print(const struct cmd *c, FILE *to) {
    title(c->name, to);
    section("NAME", to);
    (void)fprintf(to, "ostler\\-%s \\- ", c->name);
    put(span_str(c->summary), to);
    (void)fputc('\n', to);
    section("SYNOPSIS", to);
    help_each_usage(c, NULL, put_usage, &(struct usage){.to = to, .before = ""});
    section("DESCRIPTION", to);
    put_text(c->about, to);
    put_actions(c, to);
    put_options(c, to);
    if (c->notes) {
        section("NOTES", to);
        put_text(c->notes, to);
    }
    if (!c->notes || !strcasestr(c->notes, "exit status")) put_exit_status(to);
    put_examples(c, to);
    put_see_also(c, to);
}

/* ---- ostler(1) ------------------------------------------------------------------------------------------------- */

static void put_table(const char *const (*rows)[2], size_t n, FILE *to) {
    for (size_t i = 0; i < n; i++) {
        (void)fputs(".TP\n", to);
        put_font(FONT_BOLD, span_str(rows[i][0]), to);
        (void)fputc('\n', to);
        put_prose(span_str(rows[i][1]), to);
    }
}

static void put_commands(FILE *to) {
    section("COMMANDS", to);
    for (size_t i = 0; i < CMD_GROUPS; i++) {
        (void)fprintf(to, ".SS %s\n", help_groups[i].title);
        for (const struct cmd *const *c = commands; *c; c++) {
            if ((*c)->group != help_groups[i].group) continue;
            (void)fprintf(to, ".TP\n\\fBostler\\-%s\\fR(1)\n", (*c)->name);
            put_prose(span_str((*c)->summary), to);
        }
    }
}

void manual_print_main(FILE *to) {
    static const char *const environment[][2] = {
        {"OSTLER_HOME",
         "Everything that ostler keeps is under this directory, instead of in the XDG directories."},
        {"PORT", "Where ostler serve listens unless --port says otherwise."},
        {"NO_COLOR", "When it is set, nothing is coloured."},
        {"XDG_STATE_HOME, XDG_RUNTIME_DIR, XDG_CONFIG_HOME",
         "The directories in which ostler has one of its own, when there is no OSTLER_HOME."},
    };
    static const char *const files[][2] = {
        {"~/.local/state/ostler", "The database, the spool of events, the terminals and the daemon's log."},
        {"$XDG_RUNTIME_DIR/ostler/daemon.json", "Where the running daemon is."},
        {"~/.config/ostler", "The configuration."},
    };
    title(NULL, to);
    section("NAME", to);
    (void)fputs("ostler \\- looks after AI coding agents\n", to);
    section("SYNOPSIS", to);
    put_usage(&(struct usage){.to = to, .before = ""}, "ostler COMMAND [OPTION]…");
    section("DESCRIPTION", to);
    put_text(
        "ostler watches every AI coding agent of a machine through its hooks, keeps their terminals alive, and "
        "shows who needs you: on a board in the browser, and on the command line.\n\n"
        "ostler serve runs the daemon. ostler help COMMAND tells what a command does, ostler COMMAND --help "
        "likewise. Everything that lists something takes --json.",
        to);
    put_commands(to);
    put_exit_status(to);
    (void)fputs(".PP\n", to);
    put_text(
        "Commands that run a program, or watch one to its end, exit with its status, or 128 + the number of the "
        "signal that ended it. What Ctrl-C ended exits with 130.",
        to);
    section("ENVIRONMENT", to);
    put_table(environment, ARRAY_LEN(environment), to);
    section("FILES", to);
    put_table(files, ARRAY_LEN(files), to);
}
