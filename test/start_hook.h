/* Runs the hook as an agent would: the payload is on its standard input. For programs that start it by the thousand. */
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The payload must fit a pipe. Returns 0 when it could not be started. */
static inline pid_t start_hook(char *hook, const char *payload) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return 0;
    pid_t pid = 0;
    posix_spawn_file_actions_t actions;
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    char *const command[] = {hook, NULL};
    size_t n = strlen(payload);
    if (write(ends[1], payload, n) != (ssize_t)n ||
        posix_spawn(&pid, hook, &actions, NULL, command, environ) != 0)
        pid = 0;
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(ends[0]);
    (void)close(ends[1]);
    return pid;
}
