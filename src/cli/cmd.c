#include "cli/cmd.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

int cmd_option_or_word(const struct cmd *c, int argc, char **argv, const char *short_options,
                       const struct option *long_options, int *ret_exit) {
    *ret_exit = -1;
    opterr = 0;
    int option = getopt_long(argc, argv, short_options, long_options, NULL);
    if (option == 'h') {
        (void)fputs(c->help, stdout);
        *ret_exit = CMD_OK;
        return -1;
    }
    if (option == '?' || option == ':') {
        *ret_exit = cmd_fail(c, CMD_USAGE, "%s %s; see ostler %s --help",
                             option == ':' ? "a value is missing after" : "unknown option", argv[optind - 1],
                             c->name);
        return -1;
    }
    return option;
}

int cmd_option(const struct cmd *c, int argc, char **argv, const char *short_options,
               const struct option *long_options, int *ret_exit) {
    int option = cmd_option_or_word(c, argc, argv, short_options, long_options, ret_exit);
    if (option == -1 && *ret_exit < 0 && optind < argc)
        *ret_exit =
            cmd_fail(c, CMD_USAGE, "unexpected argument \"%s\"; see ostler %s --help", argv[optind], c->name);
    return option;
}

bool cmd_number(const struct cmd *c, const char *option, const char *text, uint64_t min, uint64_t max,
                uint64_t *ret) {
    if (span_u64(span_str(text), ret) && *ret >= min && *ret <= max) return true;
    (void)cmd_fail(c, CMD_USAGE, "%s takes a number from %" PRIu64 " to %" PRIu64 ", not \"%s\"", option, min,
                   max, text);
    return false;
}

int cmd_run_action(const struct cmd *c, const struct cmd_actions *actions, int argc, char **argv) {
    if (argc < 2) {
        (void)fputs(c->help, stderr);
        return CMD_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        (void)fputs(c->help, stdout);
        return CMD_OK;
    }
    for (size_t i = 0; i < actions->n; i++) {
        const char *name;
        memcpy(&name, (const char *)actions->table + i * actions->row_bytes, sizeof name);
        if (strcmp(name, argv[1]) == 0) return actions->run(i, argc - 1, argv + 1);
    }
    return cmd_fail(c, CMD_USAGE, "\"%s\" is not %s; see ostler %s --help", argv[1], actions->words, c->name);
}
