#include "platform/sock.h"

#include "base/cleanup.h"
#include "base/span.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TCP_STATE_LISTEN "0A"

/* The kernel's socket table names the inode of a listening socket; its process is one with a descriptor for that. */
static uint64_t listening_inode(const char *table, uint16_t port) {
    enum { LOCAL = 1, STATE = 3, INODE = 9, WORDS };
    AUTO(file) FILE *f = fopen(table, "re");
    if (!f) return 0;
    char line[512], wanted[8];
    (void)snprintf(wanted, sizeof wanted, ":%04X", port);
    while (fgets(line, sizeof line, f)) {
        struct span rest = span_str(line), words[WORDS];
        for (size_t i = 0; i < WORDS; i++)
            words[i] = span_word(&rest);
        uint64_t inode;
        if (span_ends(words[LOCAL], span_str(wanted)) && span_eq(words[STATE], SPAN(TCP_STATE_LISTEN)) &&
            span_u64(words[INODE], &inode))
            return inode;
    }
    return 0;
}

/* Does process `pid` have a descriptor whose link reads `wanted`? */
static bool has_descriptor(const char *pid, const char *wanted) {
    char path[300];
    (void)snprintf(path, sizeof path, "/proc/%s/fd", pid);
    AUTO(dir) DIR *d = opendir(path);
    if (!d) return false;
    for (struct dirent *e; (e = readdir(d));) {
        char link[128];
        ssize_t n = readlinkat(dirfd(d), e->d_name, link, sizeof link);
        if (n > 0 && span_eq_str(span_of(link, (size_t)n), wanted)) return true;
    }
    return false;
}

static void process_name(const char *pid, char name[SOCK_NAME_BYTES]) {
    char path[300];
    (void)snprintf(path, sizeof path, "/proc/%s/comm", pid);
    (void)snprintf(name, SOCK_NAME_BYTES, "a process");
    AUTO(file) FILE *f = fopen(path, "re");
    if (!f || !fgets(name, SOCK_NAME_BYTES, f)) return;
    name[strcspn(name, "\n")] = '\0';
}

int sock_port_holder(uint16_t port, int64_t *ret_pid, char ret_name[SOCK_NAME_BYTES]) {
    uint64_t inode = listening_inode("/proc/net/tcp", port);
    if (!inode) inode = listening_inode("/proc/net/tcp6", port);
    if (!inode) return -ENOENT;
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "socket:[%" PRIu64 "]", inode);
    AUTO(dir) DIR *proc = opendir("/proc");
    if (!proc) return -errno;
    for (struct dirent *e; (e = readdir(proc));) {
        uint64_t pid;
        if (!isdigit((unsigned char)e->d_name[0]) || !span_u64(span_str(e->d_name), &pid)) continue;
        if (!has_descriptor(e->d_name, wanted)) continue;
        process_name(e->d_name, ret_name);
        *ret_pid = (int64_t)pid;
        return 0;
    }
    return -ENOENT;
}

size_t sock_unsent(int fd) {
    int n = 0;
    return ioctl(fd, SIOCOUTQ, &n) == 0 && n > 0 ? (size_t)n : 0;
}
