/* For fish: a line for each thing that may stand somewhere, with the condition when. */
#include "cli/complete.h"

#define QUOTE "\\'"

static const char helpers[] =
    "# fish completion for ostler, written by: ostler completion fish\n\n"
    "function __ostler_at -d 'Is this the command, and the action (\"\": none yet)?'\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -ge 2; and test \"$words[2]\" = \"$argv[1]\"; or return 1\n"
    "    test (count $argv) -ge 2; or return 0\n"
    "    set -l actions (string match -v -- '-*' $words[3..-1])\n"
    "    test \"$actions[1]\" = \"$argv[2]\"\n"
    "end\n\n"
    "function __ostler_requests\n"
    "    ostler completion requests 2>/dev/null\n"
    "end\n\n"
    "function __ostler_terminals\n"
    "    ostler completion terminals 2>/dev/null\n"
    "end\n\n"
    "complete -c ostler -f\n"
    "complete -c ostler -n __fish_use_subcommand -l help -d 'list the commands'\n"
    "complete -c ostler -n __fish_use_subcommand -l version -d 'print the version'\n";

static void print_help(const char *text, FILE *to) {
    (void)fputs(" -d '", to);
    complete_quote(text, "\\", QUOTE, to);
    (void)fputc('\'', to);
}

static void print_condition(const struct cmd *c, const char *action, FILE *to) {
    (void)fprintf(to, "complete -c ostler -n '__ostler_at %s", c->name);
    if (action) (void)fprintf(to, " \"%s\"", action);
    (void)fputc('\'', to);
}

static void print_kind(const char *complete, FILE *to) {
    switch (complete_kind(complete)) {
    case COMPLETE_FILE: (void)fputs(" -F", to); break;
    case COMPLETE_DIR: (void)fputs(" -a '(__fish_complete_directories)'", to); break;
    case COMPLETE_TERMINAL: (void)fputs(" -a '(__ostler_terminals)'", to); break;
    case COMPLETE_REQUEST: (void)fputs(" -a '(__ostler_requests)'", to); break;
    case COMPLETE_PROGRAM: (void)fputs(" -a '(__fish_complete_subcommand --fcs-skip=2)'", to); break;
    case COMPLETE_COMMAND:
        (void)fputs(" -a '", to);
        for (const struct cmd *const *c = commands; *c; c++)
            (void)fprintf(to, "%s%s", c == commands ? "" : " ", (*c)->name);
        (void)fputc('\'', to);
        break;
    case COMPLETE_CHOICE: (void)fprintf(to, " -a '%s'", complete); break;
    case COMPLETE_NOTHING: break;
    }
}

static void print_option(const struct cmd *c, const char *action, const struct cmd_opt *o, FILE *to) {
    print_condition(c, action, to);
    if (o->has_letter) (void)fprintf(to, " -s %c", o->code);
    (void)fprintf(to, " -l %s", o->name);
    if (o->value) (void)fputs(" -r", to);
    print_kind(o->complete, to);
    print_help(o->help, to);
    (void)fputc('\n', to);
}

static void print_words(const struct cmd *c, const char *action, const char *complete, FILE *to) {
    if (complete_kind(complete) == COMPLETE_NOTHING) return;
    print_condition(c, action, to);
    print_kind(complete, to);
    (void)fputc('\n', to);
}

static void print_command(const struct cmd *c, FILE *to) {
    static const struct cmd_opt help = {.name = "help", .help = "tell what it takes"};
    (void)fprintf(to, "\ncomplete -c ostler -n __fish_use_subcommand -a %s", c->name);
    print_help(c->summary, to);
    (void)fputc('\n', to);
    for (const struct cmd_action *a = c->actions; a && a->name; a++) {
        print_condition(c, "", to);
        (void)fprintf(to, " -a %s", a->name);
        print_help(a->help, to);
        (void)fputc('\n', to);
        for (const struct cmd_opt *o = c->options; o && o->name; o++)
            if (cmd_takes(a, o)) print_option(c, a->name, o, to);
        print_words(c, a->name, a->complete, to);
    }
    for (const struct cmd_opt *o = c->actions ? NULL : c->options; o && o->name; o++)
        print_option(c, NULL, o, to);
    if (!c->actions) print_words(c, NULL, c->complete, to);
    print_option(c, NULL, &help, to);
}

void complete_fish(FILE *to) {
    (void)fputs(helpers, to);
    for (const struct cmd *const *c = commands; *c; c++)
        print_command(*c, to);
}
