/* For zsh, by its own _arguments. */
#include "cli/complete.h"

#include "base/span.h"

#include <ctype.h>

#define SPECIAL "[]:\\"
#define QUOTE "'\\''"

static const char helpers[] =
    "_ostler_terminals() {\n"
    "    local -a ids\n"
    "    ids=(${(f)\"$(_call_program terminals $service completion terminals 2>/dev/null)\"})\n"
    "    compadd -- $ids\n"
    "}\n\n"
    "_ostler_requests() {\n"
    "    local -a ids\n"
    "    ids=(${(f)\"$(_call_program requests $service completion requests 2>/dev/null)\"})\n"
    "    compadd -- $ids\n"
    "}\n\n"
    "_ostler_commands() {\n"
    "    local -a commands\n"
    "    commands=(\n";

static void print_kind(const char *complete, FILE *to) {
    switch (complete_kind(complete)) {
    case COMPLETE_FILE: (void)fputs("_files", to); break;
    case COMPLETE_DIR: (void)fputs("_files -/", to); break;
    case COMPLETE_TERMINAL: (void)fputs("_ostler_terminals", to); break;
    case COMPLETE_REQUEST: (void)fputs("_ostler_requests", to); break;
    case COMPLETE_PROGRAM: (void)fputs("_command_names -e", to); break;
    case COMPLETE_COMMAND: (void)fputs("_ostler_commands", to); break;
    case COMPLETE_CHOICE: (void)fprintf(to, "(%s)", complete); break;
    case COMPLETE_NOTHING: (void)fputc(' ', to); break;
    }
}

/* A word's name for the person: letters of "[PATH…]" alone. */
static void print_name(const char *words, FILE *to) {
    for (; *words; words++)
        if (isalpha((unsigned char)*words)) (void)fputc(tolower((unsigned char)*words), to);
}

static void print_option(const struct cmd_opt *o, FILE *to) {
    if (o->has_letter)
        (void)fprintf(to, " \\\n            '(-%c --%s)'{-%c,--%s}'[", o->code, o->name, o->code, o->name);
    else
        (void)fprintf(to, " \\\n            '--%s[", o->name);
    complete_quote(o->help, SPECIAL, QUOTE, to);
    (void)fputc(']', to);
    if (o->value) {
        (void)fputc(':', to);
        complete_quote(o->value, SPECIAL, QUOTE, to);
        (void)fputc(':', to);
        print_kind(o->complete, to);
    }
    (void)fputc('\'', to);
}

static void print_options(const struct cmd *c, const struct cmd_action *a, FILE *to) {
    for (const struct cmd_opt *o = c->options; o && o->name; o++)
        if (cmd_takes(a, o)) print_option(o, to);
    (void)fputs(" \\\n            '(- *)--help[tell what it takes]'", to);
}

static void print_words(const char *words, const char *complete, bool stops, FILE *to) {
    if (!words) return;
    (void)fprintf(to, " \\\n            '%s:", stops ? "(-)1" : "*");
    print_name(words, to);
    (void)fputc(':', to);
    print_kind(complete, to);
    (void)fputs(stops ? "' \\\n            '*::argument:_normal'" : "'", to);
}

static void print_actions(const struct cmd *c, FILE *to) {
    (void)fputs("        _arguments -C '1:action:->action' '*::word:->words' && return\n"
                "        case $state in\n        action)\n            actions=(\n",
                to);
    for (const struct cmd_action *a = c->actions; a->name; a++) {
        (void)fprintf(to, "                '%s:", a->name);
        complete_quote(a->help, SPECIAL, QUOTE, to);
        (void)fputs("'\n", to);
    }
    (void)fputs("            )\n            _describe action actions\n            ;;\n        words)\n"
                "            case $words[1] in\n",
                to);
    for (const struct cmd_action *a = c->actions; a->name; a++) {
        (void)fprintf(to, "            %s) _arguments -s", a->name);
        print_options(c, a, to);
        print_words(a->words, a->complete, false, to);
        (void)fputs(" ;;\n", to);
    }
    (void)fputs("            esac\n            ;;\n        esac\n", to);
}

static void print_command(const struct cmd *c, FILE *to) {
    (void)fprintf(to, "    %s)\n", c->name);
    if (c->actions) {
        print_actions(c, to);
    } else {
        (void)fputs("        _arguments -s", to);
        if (c->stops_at_word) (void)fputs(" -S", to);
        print_options(c, NULL, to);
        print_words(c->words, c->complete, c->stops_at_word, to);
        (void)fputc('\n', to);
    }
    (void)fputs("        ;;\n", to);
}

void complete_zsh(FILE *to) {
    (void)fputs("#compdef ostler\n# zsh completion for ostler, written by: ostler completion zsh\n\n", to);
    (void)fputs(helpers, to);
    for (const struct cmd *const *c = commands; *c; c++) {
        (void)fprintf(to, "        '%s:", (*c)->name);
        complete_quote((*c)->summary, SPECIAL, QUOTE, to);
        (void)fputs("'\n", to);
    }
    (void)fputs("    )\n    _describe -t commands 'ostler command' commands\n}\n\n"
                "_ostler() {\n    local curcontext=$curcontext state line service=ostler\n"
                "    local -a actions\n"
                "    _arguments -C '(- *)--help[list the commands]' '(- *)--version[print the version]' \\\n"
                "        '1:command:_ostler_commands' '*::argument:->command' && return\n"
                "    case $words[1] in\n",
                to);
    for (const struct cmd *const *c = commands; *c; c++)
        print_command(*c, to);
    (void)fputs("    esac\n}\n\n"
                "if [[ $funcstack[1] == _ostler ]]; then _ostler \"$@\"; else compdef _ostler ostler; fi\n",
                to);
}
