#include "cli/cmd.h"

#include "cli/help.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { OPTIONS_MAX = 32 };

int cmd_fail(const struct cmd *c, int status, const char *fmt, ...) {
    char sentence[2048];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(sentence, sizeof sentence, fmt, ap);
    va_end(ap);
    /* Words from elsewhere cannot speak to the terminal. */
    for (int i = 0; i < n && i < (int)sizeof sentence - 1; i++)
        if ((unsigned char)sentence[i] < ' ' || sentence[i] == 0x7f) sentence[i] = ' ';
    (void)fprintf(stderr, "ostler %s: %s\n", c->name, n < 0 ? fmt : sentence);
    return status;
}

static const struct cmd_action *find_action(const struct cmd *c, const char *name) {
    const struct cmd_action *a = c->actions;
    while (a && a->name && strcmp(a->name, name) != 0)
        a++;
    return a && a->name ? a : NULL;
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

int cmd_option(const struct cmd *c, int argc, char **argv, int *ret_exit) {
    struct getopt_tables t;
    fill(&t, c);
    const struct cmd_action *action = find_action(c, argv[0]);
    *ret_exit = -1;
    opterr = 0;
    int code = getopt_long(argc, argv, t.letters, t.longs, NULL);
    if (code == 'h') {
        help_print(c, stdout);
        *ret_exit = CMD_OK;
    } else if (code == '?' || code == ':') {
        *ret_exit =
            cmd_fail(c, CMD_USAGE, "%s %s; see ostler %s --help",
                     code == ':' ? "a value is missing after" : "unknown option", argv[optind - 1], c->name);
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

int cmd_run_it(const struct cmd *c, int argc, char **argv) {
    if (c->run) return c->run(argc, argv);
    if (argc < 2) {
        help_print(c, stderr);
        return CMD_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_print(c, stdout);
        return CMD_OK;
    }
    const struct cmd_action *action = find_action(c, argv[1]);
    if (action) return action->run(argc - 1, argv + 1);
    char words[256];
    list_actions(c, words, sizeof words);
    return cmd_fail(c, CMD_USAGE, "\"%s\" is not %s; see ostler %s --help", argv[1], words, c->name);
}
