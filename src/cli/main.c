#include "cli/cmd.h"

#include <stdio.h>
#include <string.h>

static const struct cmd *const commands[] = {&cmd_archive, &cmd_attach, &cmd_demo,   &cmd_kill,
                                             &cmd_logs,    &cmd_ls,     &cmd_repair, &cmd_run,
                                             &cmd_serve,   &cmd_status, &cmd_version};

static void print_help(FILE *to) {
    (void)fputs(
        "ostler looks after AI coding agents: it watches them through their hooks, keeps their terminals alive, and shows\n"
        "who needs you.\n\n"
        "usage: ostler COMMAND [OPTION]…\n\n",
        to);
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        (void)fprintf(to, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    (void)fputs(
        "\nEach command knows --help. State lives in the XDG directories, or all under OSTLER_HOME.\n", to);
}

static const struct cmd *find(const char *name) {
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return CMD_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return CMD_OK;
    }
    const struct cmd *c = strcmp(name, "--version") == 0 ? &cmd_version : find(name);
    if (!c) {
        (void)fprintf(stderr, "ostler: unknown command \"%s\"; ostler --help lists them\n", name);
        return CMD_USAGE;
    }
    return c->run(argc - 1, argv + 1);
}
