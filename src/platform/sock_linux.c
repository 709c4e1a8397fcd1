#include "platform/sock.h"

#include "base/cleanup.h"
#include "base/span.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define TCP_STATE_LISTEN "0A"

static struct span next_word(struct span *line) {
    struct span word;
    do {
        word = span_split(line, ' ');
    } while (word.n == 0 && line->n > 0);
    return word;
}

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
            words[i] = next_word(&rest);
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

/* A connection's two ends as the kernel's diagnostics name them, seen from the peer: its address is the source. */
static int peer_id(int fd, uint8_t *ret_family, struct inet_diag_sockid *ret) {
    struct sockaddr_storage ours = {0}, theirs = {0};
    socklen_t ours_len = sizeof ours, theirs_len = sizeof theirs;
    if (getsockname(fd, (struct sockaddr *)&ours, &ours_len) < 0) return -errno;
    if (getpeername(fd, (struct sockaddr *)&theirs, &theirs_len) < 0) return -errno;
    *ret = (struct inet_diag_sockid){.idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}};
    *ret_family = (uint8_t)ours.ss_family;
    if (ours.ss_family == AF_INET) {
        const struct sockaddr_in *us = (const void *)&ours, *them = (const void *)&theirs;
        ret->idiag_sport = them->sin_port;
        ret->idiag_dport = us->sin_port;
        memcpy(ret->idiag_src, &them->sin_addr, sizeof them->sin_addr);
        memcpy(ret->idiag_dst, &us->sin_addr, sizeof us->sin_addr);
        return 0;
    }
    if (ours.ss_family != AF_INET6) return -EAFNOSUPPORT;
    const struct sockaddr_in6 *us = (const void *)&ours, *them = (const void *)&theirs;
    ret->idiag_sport = them->sin6_port;
    ret->idiag_dport = us->sin6_port;
    memcpy(ret->idiag_src, &them->sin6_addr, sizeof them->sin6_addr);
    memcpy(ret->idiag_dst, &us->sin6_addr, sizeof us->sin6_addr);
    return 0;
}

/* Asks the kernel's socket table. */
static int diagnose(uint8_t family, const struct inet_diag_sockid *id, struct inet_diag_msg *ret) {
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 body;
    } request = {
        .head = {.nlmsg_len = sizeof request,
                 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                 .nlmsg_flags = NLM_F_REQUEST},
        .body = {.sdiag_family = family,
                 .sdiag_protocol = IPPROTO_TCP,
                 .idiag_states = UINT32_MAX,
                 .id = *id},
    };
    AUTO(fd) int netlink = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (netlink < 0 || send(netlink, &request, sizeof request, 0) < 0) return -errno;

    union {
        struct nlmsghdr head;
        char bytes[4096];
    } answer;
    ssize_t n = recv(netlink, &answer, sizeof answer, 0);
    if (n < 0) return -errno;
    if (!NLMSG_OK(&answer.head, (size_t)n)) return -EBADMSG;
    if (answer.head.nlmsg_type == NLMSG_ERROR) {
        const struct nlmsgerr *error = NLMSG_DATA(&answer.head);
        return error->error < 0 ? error->error : -EBADMSG;
    }
    if (answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY || (size_t)n < NLMSG_LENGTH(sizeof *ret))
        return -EBADMSG;
    memcpy(ret, NLMSG_DATA(&answer.head), sizeof *ret);
    return 0;
}

/* The same connection seen from our side. */
static struct inet_diag_sockid own_id(const struct inet_diag_sockid *peer) {
    struct inet_diag_sockid own = *peer;
    own.idiag_sport = peer->idiag_dport;
    own.idiag_dport = peer->idiag_sport;
    memcpy(own.idiag_src, peer->idiag_dst, sizeof own.idiag_src);
    memcpy(own.idiag_dst, peer->idiag_src, sizeof own.idiag_dst);
    return own;
}

int sock_peer_user(int fd, uid_t *ret) {
    uint8_t family = AF_UNSPEC;
    struct inet_diag_sockid id = {0};
    int r = peer_id(fd, &family, &id);
    if (r < 0) return r;
    struct inet_diag_msg found = {0};
    r = diagnose(family, &id, &found);
    if (r == -ENOENT) {
        /* A kernel without this table says the same: it must know our own end to be believed. */
        id = own_id(&id);
        return diagnose(family, &id, &found) < 0 ? -EOPNOTSUPP : -ENOENT;
    }
    if (r < 0) return r;
    if (found.idiag_inode == 0) return -ENOENT; /* closed: no process has it, and it shows as root's */
    *ret = found.idiag_uid;
    return 0;
}

size_t sock_unsent(int fd) {
    int n = 0;
    return ioctl(fd, SIOCOUTQ, &n) == 0 && n > 0 ? (size_t)n : 0;
}
