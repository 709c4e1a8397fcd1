#include "cli/cmd.h"
#include "cli/help.h"
#include "cli/print_environment.h"

#include <string.h>

int main(int argc, char **argv) {
    if (argc < 2) {
        help_print_list(stderr);
        return CMD_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        help_print_list(stdout);
        return CMD_OK;
    }
    if (strcmp(name, "print-environment") == 0) return print_environment();
    const struct cmd *c = cmd_find(strcmp(name, "--version") == 0 ? "version" : name);
    return c ? cmd_run_it(c, argc - 1, argv + 1) : cmd_unknown(name);
}
