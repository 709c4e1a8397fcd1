/* Stops one thread of a process, as a debugger does, and nothing else of it: a loop that hangs while its other threads go on. Says
 * "frozen", or "refused" where that is not allowed; the thread goes on when this program ends. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

int main(int argc, char **argv) {
    pid_t thread = argc == 2 ? (pid_t)strtol(argv[1], NULL, 10) : 0;
    if (thread <= 1) return 2;
    int failed = ptrace(PTRACE_SEIZE, thread, NULL, NULL) < 0 ||
                 ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) < 0 || waitpid(thread, NULL, __WALL) != thread;
    (void)puts(failed ? "refused" : "frozen");
    (void)fflush(stdout);
    int status; /* its end is waited for: otherwise its parent would not hear of it */
    while (!failed && waitpid(thread, &status, __WALL) == thread && WIFSTOPPED(status)) {}
    return failed;
}
