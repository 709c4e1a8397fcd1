#include "platform/notify.h"

#include "base/cleanup.h"
#include "base/span.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char *const names[] = {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"};

static struct {
    struct sockaddr_un address;
    socklen_t size; /* 0: nobody asked */
    usec_t interval;
    char values[ARRAY_LEN(names)][sizeof((struct sockaddr_un *)0)->sun_path];
} manager;

/* A path, or "@name" for one that is no file. */
static void read_address(const char *text) {
    size_t n = strlen(text);
    if ((text[0] != '/' && text[0] != '@') || n < 2 || n >= sizeof manager.address.sun_path) return;
    manager.address.sun_family = AF_UNIX;
    memcpy(manager.address.sun_path, text, n);
    if (text[0] == '@') manager.address.sun_path[0] = '\0';
    manager.size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n + (text[0] == '/'));
}

static void read_interval(const char *interval, const char *pid) {
    uint64_t n, us;
    if (pid[0] && (!span_u64(span_str(pid), &n) || n != (uint64_t)getpid())) return;
    if (span_u64(span_str(interval), &us) && us <= INT64_MAX) manager.interval = (usec_t)us;
}

void notify_open(void) {
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const char *value = getenv(names[i]);
        (void)snprintf(manager.values[i], sizeof manager.values[i], "%s", value ? value : "");
        (void)unsetenv(names[i]);
    }
    read_address(manager.values[0]);
    read_interval(manager.values[1], manager.values[2]);
}

void notify_hand_on(void) {
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (manager.values[i][0]) (void)setenv(names[i], manager.values[i], 1);
}

usec_t notify_interval(void) {
    return manager.size ? manager.interval : 0;
}

void notify_tell(const char *state) {
    if (!manager.size) return;
    AUTO(fd) int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return;
    (void)sendto(fd, state, strlen(state), MSG_NOSIGNAL | MSG_DONTWAIT,
                 (const struct sockaddr *)&manager.address, manager.size);
}
