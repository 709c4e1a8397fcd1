/* Stands where ostler-hook would stand, to find out how long a CLI itself takes from a hook's word to the tool: waits a moment, as a
 * person does, notes the time and allows. A line in $HOME/hook-allowed.txt is the mark in the command, and the time in ms.
 * Everything but the question is the real hook's, $HOME/hook-tap.program. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PAYLOAD_MAX = 64 << 10, PAUSE_NS = 300 * 1000 * 1000 };

static void allow(const char *home, const char *payload) {
    static const char yes[] =
        "{\"hookSpecificOutput\":{\"hookEventName\":\"PermissionRequest\",\"decision\":{\"behavior\":\"allow\"}}}";
    const char *mark = strstr(payload, "mark ");
    char path[PATH_MAX], line[128];
    struct timespec now, pause = {.tv_nsec = PAUSE_NS};
    (void)nanosleep(&pause, NULL);
    (void)snprintf(path, sizeof path, "%s/hook-allowed.txt", home);
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    (void)clock_gettime(CLOCK_REALTIME, &now);
    int n = snprintf(line, sizeof line, "%.*s %lld\n", mark ? (int)strcspn(mark + 5, "\"\\ ") : 1,
                     mark ? mark + 5 : "?", (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    if (fd < 0 || write(fd, line, (size_t)n) != n || write(STDOUT_FILENO, yes, sizeof yes - 1) < 0)
        perror("hook_allows");
}

int main(int argc, char **argv) {
    static char payload[PAYLOAD_MAX];
    const char *home = getenv("HOME");
    char program[PATH_MAX];
    size_t n = 0;
    if (!home) return 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--reply") != 0) continue;
        for (ssize_t r;
             n < sizeof payload - 1 && (r = read(STDIN_FILENO, payload + n, sizeof payload - 1 - n)) > 0;)
            n += (size_t)r;
        allow(home, payload);
        return 0;
    }
    (void)snprintf(program, sizeof program, "%s/hook-tap.program", home);
    (void)execv(program, argv);
    return 0; /* a hook never fails its agent */
}
