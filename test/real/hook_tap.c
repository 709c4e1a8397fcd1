/* Stands where ostler-hook would stand, writes down that a CLI called it, and becomes the real one, $HOME/hook-tap.program. The process
 * stays the same, so that the hook finds the caller that it would have found.
 *
 * A call is one line in $HOME/hook-tap.jsonl: {"at":ms,"callers":[{"pid":…,"command":…},…],"arguments":[…],"environment":{…},
 * "payload":…}. It is written before the hook runs, so that its time is that of the CLI's call. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PAYLOAD_MAX = 16 << 20, GENERATIONS = 4 };

extern char **environ;

/* Only what CLIs tell their hooks: a recording must not hold what else is in a person's environment. */
static bool is_mark(const char *entry) {
    static const char *const prefixes[] = {"CLAUDE",   "CODEX",    "GEMINI", "COPILOT",
                                           "OPENCODE", "AI_AGENT", "AGENT="};
    static const char *const secrets[] = {"TOKEN", "KEY", "SECRET", "PASSWORD"};
    size_t name = strcspn(entry, "=");
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
        if (memmem(entry, name, secrets[i], strlen(secrets[i]))) return false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(entry, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return false;
}

static void write_string(FILE *out, const char *s, size_t n) {
    fputc('"', out);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

/* The parent of a process, 0 when there is none to be found. */
static pid_t parent_of(pid_t pid) {
    char path[64], stat[512];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "re");
    if (!f) return 0;
    size_t n = fread(stat, 1, sizeof stat - 1, f);
    (void)fclose(f);
    stat[n] = '\0';
    const char *end = strrchr(stat, ')'); /* a name may hold anything */
    return end && strlen(end) > 4 ? (pid_t)strtol(end + 4, NULL, 10) : 0;
}

static void write_caller(FILE *out, pid_t pid) {
    char path[64], words[256];
    (void)snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(words, 1, sizeof words, f) : 0;
    if (f) (void)fclose(f);
    for (size_t i = 0; i < n; i++)
        if (words[i] == '\0') words[i] = ' ';
    fprintf(out, "{\"pid\":%d,\"command\":", pid);
    write_string(out, words, n);
    fputc('}', out);
}

static void write_call(FILE *out, char **argv, const char *payload, size_t n) {
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    fprintf(out, "{\"at\":%.3f,\"callers\":[", (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6);
    pid_t pid = getppid();
    for (int i = 0; i < GENERATIONS && pid > 1; i++, pid = parent_of(pid)) {
        if (i) fputc(',', out);
        write_caller(out, pid);
    }
    fputs("],\"arguments\":[", out);
    for (char **word = argv + 1; *word; word++) {
        if (word != argv + 1) fputc(',', out);
        write_string(out, *word, strlen(*word));
    }
    fputs("],\"environment\":{", out);
    bool first = true;
    for (char **entry = environ; *entry; entry++) {
        if (!is_mark(*entry)) continue;
        size_t name = strcspn(*entry, "=");
        if (!first) fputc(',', out);
        first = false;
        write_string(out, *entry, name);
        fputc(':', out);
        write_string(out, *entry + name + 1, strlen(*entry + name + 1));
    }
    fputs("},\"payload\":", out);
    for (size_t i = 0; i < n; i++)
        fputc(payload[i] == '\n' || payload[i] == '\r' ? ' ' : payload[i], out);
    if (n == 0) fputs("null", out);
    fputs("}\n", out);
}

static void note(const char *home, char **argv, const char *payload, size_t n) {
    char path[PATH_MAX], *line = NULL;
    size_t length = 0;
    (void)snprintf(path, sizeof path, "%s/hook-tap.jsonl", home);
    FILE *out = open_memstream(&line, &length);
    if (!out) return;
    write_call(out, argv, payload, n);
    (void)fclose(out);
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0 && write(fd, line, length) != (ssize_t)length) perror("hook_tap");
    if (fd >= 0) (void)close(fd);
    free(line);
}

int main(int argc, char **argv) {
    (void)argc;
    char *payload = malloc(PAYLOAD_MAX), program[PATH_MAX];
    const char *home = getenv("HOME");
    size_t n = 0;
    if (!home) return 0;
    for (ssize_t r;
         payload && n < PAYLOAD_MAX && (r = read(STDIN_FILENO, payload + n, PAYLOAD_MAX - n)) != 0;) {
        if (r > 0)
            n += (size_t)r;
        else if (errno != EINTR)
            break;
    }
    note(home, argv, payload, n);
    int again = memfd_create("payload", 0);
    if (again < 0 || (n && write(again, payload, n) != (ssize_t)n) || lseek(again, 0, SEEK_SET) < 0) return 0;
    (void)dup2(again, STDIN_FILENO);
    (void)close(again);
    free(payload);
    (void)snprintf(program, sizeof program, "%s/hook-tap.program", home);
    (void)execv(program, argv);
    return 0; /* a hook never fails its agent */
}
