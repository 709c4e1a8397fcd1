/* `ostler print-environment`: the environment for who asks a shell for it, see pty/shell_env. Nobody types it. */
#pragma once

/* Exit status. */
int print_environment(void);
