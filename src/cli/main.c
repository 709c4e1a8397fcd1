#include "cli/cmd.h"
#include "cli/help.h"
#include "cli/print_environment.h"
#include "platform/private_memory.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/*
 * Whoever starts us with a standard descriptor closed gets it as something that can be neither read nor written, as a closed one: what
 * is opened later (a database, a lock, a backup) must never have its number, because messages would be written into it and programs
 * that we start would be given it.
 */
static bool occupy_standard_descriptors(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

int main(int argc, char **argv) {
    private_memory();
    if (!occupy_standard_descriptors()) return CMD_FAILED;
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
