#include "cli/help.h"

#include "base/cleanup.h"
#include "cli/screen.h"
#include "cli/wrap.h"

#include <string.h>

enum { WIDTH_MAX = 100, COLUMN_MAX = 24, FEW_OPTIONS = 3, LINE_BYTES = 512, TEXT_MAX = 64 << 10 };

/* Words from column `at` on, wrapped before `width`; later lines begin at `indent`. */
static void wrap(struct span text, size_t at, size_t indent, size_t width, FILE *to) {
    AUTO(buf) struct buf out = BUF_INIT(TEXT_MAX);
    wrap_words(&out, span_trim(text), at, indent, width);
    (void)fwrite(out.p, 1, out.n, to);
}

static void print_text(const char *text, size_t width, FILE *to) {
    if (!text) return;
    (void)fputc('\n', to);
    struct span rest = span_str(text);
    while (rest.n) {
        struct span line = span_split(&rest, '\n');
        if (line.n && line.p[0] == ' ')
            (void)fprintf(to, "%.*s\n", SPAN_ARG(line));
        else
            wrap(line, 0, 0, width, to);
    }
}

void help_option_title(const struct cmd_opt *o, char ret[HELP_TITLE_BYTES]) {
    char letter[8] = "";
    if (o->has_letter) (void)snprintf(letter, sizeof letter, "-%c, ", o->code);
    (void)snprintf(ret, HELP_TITLE_BYTES, "%s--%s%s%s", letter, o->name, o->value ? " " : "",
                   o->value ? o->value : "");
}

void help_action_title(const struct cmd_action *a, char ret[HELP_TITLE_BYTES]) {
    (void)snprintf(ret, HELP_TITLE_BYTES, "%s%s%s", a->name, a->words ? " " : "", a->words ? a->words : "");
}

static void print_row(const char *title, const char *help, size_t column, size_t width, FILE *to) {
    size_t n = wrap_count(span_str(title));
    (void)fprintf(to, "  %s", title);
    if (n > column)
        (void)fprintf(to, "\n%*s", (int)column + 4, "");
    else
        (void)fprintf(to, "%*s", (int)(column - n) + 2, "");
    wrap(span_str(help), column + 4, column + 4, width, to);
}

/* Of one action, or of all of them. */
static void print_rows(const struct cmd *c, const struct cmd_action *action, size_t width, FILE *to) {
    char title[HELP_TITLE_BYTES];
    size_t column = sizeof "--help" - 1;
    const struct cmd_action *actions = action ? NULL : c->actions;
    for (const struct cmd_action *a = actions; a && a->name; a++) {
        help_action_title(a, title);
        column = MAX(column, wrap_count(span_str(title)));
    }
    for (const struct cmd_opt *o = c->options; o && o->name; o++) {
        if (!cmd_takes(action, o)) continue;
        help_option_title(o, title);
        column = MAX(column, wrap_count(span_str(title)));
    }
    column = MIN(column, (size_t)COLUMN_MAX);
    if (actions) (void)fputc('\n', to);
    for (const struct cmd_action *a = actions; a && a->name; a++) {
        help_action_title(a, title);
        print_row(title, a->help, column, width, to);
    }
    (void)fputc('\n', to);
    for (const struct cmd_opt *o = c->options; o && o->name; o++) {
        if (!cmd_takes(action, o)) continue;
        help_option_title(o, title);
        print_row(title, o->help, column, width, to);
    }
    print_row("--help", "this text", column, width, to);
}

/* " [--json] [-n LINES]"; many are one " [OPTION]…". */
static void append_options(const struct cmd *c, const struct cmd_action *action, char *line) {
    size_t count = 0, n = strlen(line);
    for (const struct cmd_opt *o = c->options; o && o->name; o++)
        count += cmd_takes(action, o);
    if (count > FEW_OPTIONS) {
        (void)snprintf(line + n, LINE_BYTES - n, " [OPTION]…");
        return;
    }
    for (const struct cmd_opt *o = c->options; o && o->name; o++) {
        if (!cmd_takes(action, o)) continue;
        n = strlen(line);
        const char *blank = o->value ? " " : "", *value = o->value ? o->value : "";
        if (o->has_letter)
            (void)snprintf(line + n, LINE_BYTES - n, " [-%c%s%s]", o->code, blank, value);
        else
            (void)snprintf(line + n, LINE_BYTES - n, " [--%s%s%s]", o->name, blank, value);
    }
}

void help_each_usage(const struct cmd *c, const struct cmd_action *action,
                     void (*line)(void *user, const char *text), void *user) {
    char text[LINE_BYTES];
    for (const struct cmd_action *a = c->actions; a && a->name; a++) {
        if (action && a != action) continue;
        char title[HELP_TITLE_BYTES];
        help_action_title(a, title);
        bool implied = c->otherwise && strcmp(a->name, c->otherwise) == 0;
        (void)snprintf(text, sizeof text, implied ? "ostler %s [%s]" : "ostler %s %s", c->name, title);
        append_options(c, a, text);
        line(user, text);
    }
    if (c->actions) return;
    (void)snprintf(text, sizeof text, "ostler %s", c->name);
    append_options(c, NULL, text);
    size_t n = strlen(text);
    if (c->words) (void)snprintf(text + n, sizeof text - n, " %s", c->words);
    line(user, text);
}

struct usage {
    FILE *to;
    const char *before;
};

static void print_usage(void *user, const char *text) {
    struct usage *u = user;
    (void)fprintf(u->to, "%s%s\n", u->before, text);
    u->before = "       ";
}

static void print_examples(const struct cmd *c, FILE *to) {
    if (!c->examples) return;
    (void)fputc('\n', to);
    struct span rest = span_str(c->examples);
    while (rest.n) {
        struct span line = span_split(&rest, '\n');
        (void)fprintf(to, "  %.*s\n", SPAN_ARG(line));
    }
}

/* Half a sentence as a whole one: "mends these" is "Mends these." */
static void print_sentence(const char *half, size_t width, FILE *to) {
    char text[LINE_BYTES];
    (void)snprintf(text, sizeof text, "%s.", half);
    if (text[0] >= 'a' && text[0] <= 'z') text[0] = (char)(text[0] - 'a' + 'A');
    print_text(text, width, to);
}

void help_print(const struct cmd *c, const struct cmd_action *action, FILE *to) {
    size_t width = MIN(screen_width(), (size_t)WIDTH_MAX);
    help_each_usage(c, action, print_usage, &(struct usage){.to = to, .before = "usage: "});
    if (action) {
        print_sentence(action->help, width, to);
        print_rows(c, action, width, to);
        (void)fprintf(to, "\nostler help %s tells of its other actions.\n", c->name);
        return;
    }
    print_text(c->about, width, to);
    print_rows(c, NULL, width, to);
    print_text(c->notes, width, to);
    print_examples(c, to);
}

const struct help_group help_groups[CMD_GROUPS] = {
    {CMD_AGENTS, "Agents and terminals"}, {CMD_DAEMON, "The daemon"}, {CMD_SETUP, "Set-up"},
    {CMD_TRANSCRIPTS, "Transcripts"},     {CMD_MORE, "And besides"},
};

void help_print_list(FILE *to) {
    (void)fputs(
        "ostler looks after AI coding agents: it watches them through their hooks, keeps their terminals\n"
        "alive, and shows who needs you.\n\n"
        "usage: ostler COMMAND [OPTION]…\n",
        to);
    for (size_t i = 0; i < CMD_GROUPS; i++) {
        (void)fprintf(to, "\n%s\n", help_groups[i].title);
        for (const struct cmd *const *c = commands; *c; c++)
            if ((*c)->group == help_groups[i].group)
                (void)fprintf(to, "  %-11s %s\n", (*c)->name, (*c)->summary);
    }
    (void)fputs(
        "\nostler help COMMAND tells more. State lives in the XDG directories, or all under OSTLER_HOME.\n",
        to);
}
