#include "cli/cmd.h"

#include "cli/help.h"
#include "cli/suggest.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { OPTIONS_MAX = 32 };

const struct cmd_action *cmd_find_action(const struct cmd *c, const char *name) {
    const struct cmd_action *a = c->actions;
    while (a && a->name && strcmp(a->name, name) != 0)
        a++;
    return a && a->name ? a : NULL;
}

bool cmd_takes(const struct cmd_action *a, const struct cmd_opt *o) {
    return !a || (a->options && strchr(a->options, o->code));
}

/* What getopt_long() wants, of the table. */
struct getopt_tables {
    struct option longs[OPTIONS_MAX + 2];
    char letters[2 * OPTIONS_MAX + 8];
};

static void fill(struct getopt_tables *t, const struct cmd *c) {
    size_t n = 0, l = 0;
    if (c->stops_at_word) t->letters[l++] = '+';
    t->letters[l++] = ':';
    t->letters[l++] = 'h';
    for (const struct cmd_opt *o = c->options; o && o->name && n < OPTIONS_MAX; o++) {
        t->longs[n++] = (struct option){o->name, o->value ? required_argument : no_argument, NULL, o->code};
        if (o->has_letter) t->letters[l++] = o->code;
        if (o->has_letter && o->value) t->letters[l++] = ':';
    }
    t->longs[n++] = (struct option){"help", no_argument, NULL, 'h'};
    t->longs[n] = (struct option){0};
    t->letters[l] = '\0';
}

static const char *option_name(const struct cmd *c, int code) {
    for (const struct cmd_opt *o = c->options; o && o->name; o++)
        if (o->code == code) return o->name;
    return "";
}

/* getopt_long() has refused an option: `word` is where it was. optopt is a letter, or of a long one that was given a value and
 * takes none its code; 0 when there is no such long one. */
static int bad_option(const struct cmd *c, const struct cmd_action *action, const char *word) {
    bool is_long = strncmp(word, "--", 2) == 0;
    struct span name = span_str(is_long ? word + 2 : "");
    name = span_split(&name, '=');
    if (optopt && is_long && word[2 + name.n] == '=')
        return cmd_fail(c, CMD_USAGE, "--%.*s takes no value; see ostler %s --help", SPAN_ARG(name), c->name);
    if (optopt) return cmd_fail(c, CMD_USAGE, "unknown option -%c; see ostler %s --help", optopt, c->name);
    struct suggest near = {.word = name};
    for (const struct cmd_opt *o = c->options; o && o->name; o++)
        if (cmd_takes(action, o)) suggest_offer(&near, o->name);
    char meant[SUGGEST_TEXT_BYTES];
    suggest_text(&near, "--", meant);
    if (meant[0]) return cmd_fail(c, CMD_USAGE, "unknown option --%.*s%s", SPAN_ARG(name), meant);
    return cmd_fail(c, CMD_USAGE, "unknown option --%.*s; see ostler %s --help", SPAN_ARG(name), c->name);
}

int cmd_option(const struct cmd *c, int argc, char **argv, int *ret_exit) {
    struct getopt_tables t;
    fill(&t, c);
    const struct cmd_action *action = cmd_find_action(c, argv[0]);
    *ret_exit = -1;
    opterr = 0;
    int code = getopt_long(argc, argv, t.letters, t.longs, NULL);
    if (code == 'h') {
        help_print(c, action, stdout);
        *ret_exit = CMD_OK;
    } else if (code == ':') {
        *ret_exit = cmd_fail(c, CMD_USAGE, "a value is missing after %s; see ostler %s --help",
                             argv[optind - 1], c->name);
    } else if (code == '?') {
        *ret_exit = bad_option(c, action, argv[optind - 1]);
    } else if (code != -1 && action && !(action->options && strchr(action->options, code))) {
        *ret_exit = cmd_fail(c, CMD_USAGE, "%s does not take --%s; see ostler %s --help", action->name,
                             option_name(c, code), c->name);
    } else if (code == -1 && optind < argc && !(action ? action->words : c->words)) {
        *ret_exit =
            cmd_fail(c, CMD_USAGE, "unexpected argument \"%s\"; see ostler %s --help", argv[optind], c->name);
    }
    return *ret_exit < 0 ? code : -1;
}

bool cmd_number(const struct cmd *c, const char *option, const char *text, uint64_t min, uint64_t max,
                uint64_t *ret) {
    if (span_u64(span_str(text), ret) && *ret >= min && *ret <= max) return true;
    (void)cmd_fail(c, CMD_USAGE, "%s takes a number from %" PRIu64 " to %" PRIu64 ", not \"%s\"", option, min,
                   max, text);
    return false;
}

/* "scan, fix or all" */
static void list_actions(const struct cmd *c, char *ret, size_t room) {
    size_t n = 0;
    for (const struct cmd_action *a = c->actions; a && a->name && n < room; a++)
        n += (size_t)snprintf(ret + n, room - n, "%s%s",
                              a == c->actions ? ""
                              : a[1].name     ? ", "
                                              : " or ",
                              a->name);
}

int cmd_unknown_action(const struct cmd *c, const char *name) {
    if (!c->actions)
        return cmd_fail(NULL, CMD_USAGE, "ostler %s has no actions; see ostler help %s", c->name, c->name);
    char words[256], meant[SUGGEST_TEXT_BYTES];
    struct suggest near = {.word = span_str(name)};
    for (const struct cmd_action *a = c->actions; a && a->name; a++)
        suggest_offer(&near, a->name);
    suggest_text(&near, "", meant);
    list_actions(c, words, sizeof words);
    if (meant[0]) return cmd_fail(c, CMD_USAGE, "\"%s\" is not %s%s", name, words, meant);
    return cmd_fail(c, CMD_USAGE, "\"%s\" is not %s; see ostler %s --help", name, words, c->name);
}

static bool is_help(const char *word) {
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

int cmd_run_it(const struct cmd *c, int argc, char **argv) {
    if (c->run) return c->run(argc, argv);
    if (argc < 2 && !c->otherwise) {
        help_print(c, NULL, stderr);
        return CMD_USAGE;
    }
    if (argc < 2 || (c->otherwise && argv[1][0] == '-' && !is_help(argv[1]))) {
        argv[0] = (char *)c->otherwise;
        return cmd_find_action(c, c->otherwise)->run(argc, argv);
    }
    if (is_help(argv[1])) {
        help_print(c, NULL, stdout);
        return CMD_OK;
    }
    const struct cmd_action *action = cmd_find_action(c, argv[1]);
    if (action) return action->run(argc - 1, argv + 1);
    return cmd_unknown_action(c, argv[1]);
}

int cmd_unknown(const char *name) {
    struct suggest near = {.word = span_str(name)};
    for (const struct cmd *const *c = commands; *c; c++)
        suggest_offer(&near, (*c)->name);
    char meant[SUGGEST_TEXT_BYTES];
    suggest_text(&near, "ostler ", meant);
    return cmd_fail(NULL, CMD_USAGE, "there is no command \"%s\"%s", name,
                    meant[0] ? meant : "; ostler help lists them");
}
