/* For bash, with nothing but bash itself. Tables as functions of `case`, and one function that walks the line by them. */
#include "cli/complete.h"

/* Nothing that comes from a terminal's name is given to compgen -W, which would expand it. */
static const char walk[] =
    "_ostler_reply() { # KIND: what begins with $cur\n"
    "    local line\n"
    "    case $1 in\n"
    "    @file) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;\n"
    "    @dir) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") ;;\n"
    "    @program) mapfile -t COMPREPLY < <(compgen -c -- \"$cur\") ;;\n"
    "    @command) mapfile -t COMPREPLY < <(compgen -W \"$_ostler_commands\" -- \"$cur\") ;;\n"
    "    @terminal | @request)\n"
    "        while IFS= read -r line; do\n"
    "            [[ $line == \"$cur\"* ]] && COMPREPLY+=(\"$line\")\n"
    "        done < <(\"${COMP_WORDS[0]}\" completion \"${1#@}s\" 2>/dev/null)\n"
    "        ;;\n"
    "    *) mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\") ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "_ostler() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} action='' wants='' ended='' count=0 i word\n"
    "    local actions='' options='' words='' stops='' value=''\n"
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        _ostler_reply \"$_ostler_commands --help --version\"\n"
    "        return\n"
    "    fi\n"
    "    _ostler_takes \"$command\"\n"
    "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if [[ $wants ]]; then\n"
    "            wants=''\n"
    "        elif [[ ! $ended && $word == -- ]]; then\n"
    "            ended=1\n"
    "        elif [[ ! $ended && $word == -?* ]]; then\n"
    "            _ostler_value \"$command $word\" && wants=1\n"
    "        else\n"
    "            ((count++))\n"
    "            [[ $stops ]] && ended=1\n"
    "            if [[ $actions && ! $action ]]; then\n"
    "                action=$word actions=''\n"
    "                _ostler_takes \"$command $action\"\n"
    "            fi\n"
    "        fi\n"
    "    done\n"
    "    if [[ $wants ]]; then\n"
    "        _ostler_reply \"$value\"\n"
    "    elif [[ ! $ended && $cur == -* ]]; then\n"
    "        _ostler_reply \"$options --help\"\n"
    "    elif [[ $actions ]]; then\n"
    "        _ostler_reply \"$actions\"\n"
    "    elif [[ $stops ]] && ((count > 0)); then\n"
    "        _ostler_reply @file\n"
    "    elif [[ $words ]]; then\n"
    "        _ostler_reply \"$words\"\n"
    "    fi\n"
    "}\n"
    "complete -F _ostler ostler\n";

static void print_options(const struct cmd *c, const struct cmd_action *a, FILE *to) {
    const char *before = "";
    for (const struct cmd_opt *o = c->options; o && o->name; o++) {
        if (!cmd_takes(a, o)) continue;
        (void)fprintf(to, "%s--%s", before, o->name);
        before = " ";
    }
}

static void print_takes(const struct cmd *c, FILE *to) {
    (void)fprintf(to, "    %s)", c->name);
    const char *before = " actions='";
    for (const struct cmd_action *a = c->actions; a && a->name; a++, before = " ")
        (void)fprintf(to, "%s%s", before, a->name);
    (void)fputs(c->actions ? "'" : " options='", to);
    if (!c->actions) {
        print_options(c, NULL, to);
        (void)fprintf(to, "' words='%s'%s", c->complete ? c->complete : "",
                      c->stops_at_word ? " stops=1" : "");
    }
    (void)fputs(" ;;\n", to);
    for (const struct cmd_action *a = c->actions; a && a->name; a++) {
        (void)fprintf(to, "    '%s %s') options='", c->name, a->name);
        print_options(c, a, to);
        (void)fprintf(to, "' words='%s' ;;\n", a->complete ? a->complete : "");
    }
}

static void print_values(const struct cmd *c, FILE *to) {
    for (const struct cmd_opt *o = c->options; o && o->name; o++) {
        if (!o->value) continue;
        (void)fprintf(to, "    '%s --%s'", c->name, o->name);
        if (o->has_letter) (void)fprintf(to, " | '%s -%c'", c->name, o->code);
        (void)fprintf(to, ") value='%s' ;;\n", o->complete ? o->complete : "");
    }
}

void complete_bash(FILE *to) {
    (void)fputs(
        "# bash completion for ostler, written by: ostler completion bash\n# shellcheck shell=bash\n\n"
        "_ostler_commands='",
        to);
    for (const struct cmd *const *c = commands; *c; c++)
        (void)fprintf(to, "%s%s", c == commands ? "" : " ", (*c)->name);
    (void)fputs("'\n\n_ostler_takes() { # \"COMMAND\" or \"COMMAND ACTION\"\n    case $1 in\n", to);
    for (const struct cmd *const *c = commands; *c; c++)
        print_takes(*c, to);
    (void)fputs("    esac\n}\n\n_ostler_value() { # \"COMMAND --option\": does it take a value, and which?\n"
                "    value=''\n    case $1 in\n",
                to);
    for (const struct cmd *const *c = commands; *c; c++)
        print_values(*c, to);
    (void)fputs("    *) return 1 ;;\n    esac\n}\n\n", to);
    (void)fputs(walk, to);
}
