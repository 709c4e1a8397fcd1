#include "platform/peers.h"

#include "base/cleanup.h"
#include "base/span.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ANSWER_BYTES = 4096, STALE_MAX = 64, PROOFS_MAX = 16 };

/* ---- the connection --------------------------------------------------------------------------------------------- */

/* Its two ends as the kernel's diagnostics name them, seen from the peer: its address is the source. */
static int peer_id(int fd, uint8_t *ret_family, struct inet_diag_sockid *ret) {
    struct sockaddr_storage ours = {0}, theirs = {0};
    socklen_t ours_len = sizeof ours, theirs_len = sizeof theirs;
    if (getsockname(fd, (struct sockaddr *)&ours, &ours_len) < 0) return -errno;
    if (getpeername(fd, (struct sockaddr *)&theirs, &theirs_len) < 0) return -errno;
    if (ours.ss_family != theirs.ss_family) return -EAFNOSUPPORT;
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
    ret->idiag_if = them->sin6_scope_id;
    memcpy(ret->idiag_src, &them->sin6_addr, sizeof them->sin6_addr);
    memcpy(ret->idiag_dst, &us->sin6_addr, sizeof us->sin6_addr);
    /* An IPv4 connection to an IPv6 socket: its other end may be of either kind, and the plain form finds both. */
    if (!IN6_IS_ADDR_V4MAPPED(&us->sin6_addr) || !IN6_IS_ADDR_V4MAPPED(&them->sin6_addr)) return 0;
    *ret_family = AF_INET;
    ret->idiag_src[0] = ret->idiag_src[3];
    ret->idiag_dst[0] = ret->idiag_dst[3];
    memset(ret->idiag_src + 1, 0, sizeof ret->idiag_src - sizeof ret->idiag_src[0]);
    memset(ret->idiag_dst + 1, 0, sizeof ret->idiag_dst - sizeof ret->idiag_dst[0]);
    return 0;
}

/* While this holds, no other connection can have the same two ends. */
static bool is_connected(int fd) {
    struct tcp_info info = {0};
    socklen_t n = sizeof info;
    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n) == 0 &&
           (info.tcpi_state == TCP_ESTABLISHED || info.tcpi_state == TCP_CLOSE_WAIT);
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

struct question {
    struct nlmsghdr head;
    struct inet_diag_req_v2 body;
};

union answer {
    struct nlmsghdr head;
    char bytes[ANSWER_BYTES];
};

static int reopen(struct peers *p) {
    peers_close(p);
    p->fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG);
    return p->fd < 0 ? -errno : 0;
}

/* One message of the kernel's; its size. The kernel has answered when send() returns, so there is nothing to wait for. */
static ssize_t receive(const struct peers *p, union answer *ret) {
    struct sockaddr_nl from = {0};
    struct iovec place = {.iov_base = ret, .iov_len = sizeof *ret};
    struct msghdr m = {.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &place, .msg_iovlen = 1};
    ssize_t n;
    do {
        n = recvmsg(p->fd, &m, MSG_DONTWAIT);
    } while (n < 0 && errno == EINTR);
    if (n < 0) return -errno;
    if (m.msg_namelen != sizeof from || from.nl_pid != 0) return 0; /* somebody plays the kernel */
    return m.msg_flags & MSG_TRUNC ? 0 : n;
}

/* The answer to this very question; what is left of earlier ones is dropped. */
static ssize_t answer_to(const struct peers *p, union answer *ret) {
    for (int i = 0; i < STALE_MAX; i++) {
        ssize_t n = receive(p, ret);
        if (n < 0) return n;
        if (n > 0 && NLMSG_OK(&ret->head, (size_t)n) && ret->head.nlmsg_seq == p->question) return n;
    }
    return -EBADMSG;
}

static int send_question(struct peers *p, const struct question *q) {
    ssize_t n;
    do {
        n = send(p->fd, q, sizeof *q, MSG_DONTWAIT);
    } while (n < 0 && errno == EINTR);
    if (n < 0) return -errno;
    return n == (ssize_t)sizeof *q ? 0 : -EMSGSIZE;
}

static int exchange(struct peers *p, uint8_t family, const struct inet_diag_sockid *id, union answer *ret,
                    ssize_t *ret_n) {
    const struct question q = {
        .head = {.nlmsg_len = sizeof q,
                 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                 .nlmsg_flags = NLM_F_REQUEST,
                 .nlmsg_seq = ++p->question},
        .body = {.sdiag_family = family,
                 .sdiag_protocol = IPPROTO_TCP,
                 .idiag_states = UINT32_MAX,
                 .id = *id},
    };
    int r = p->fd < 0 ? reopen(p) : 0;
    if (r == 0) r = send_question(p, &q);
    if (r < 0) return r;
    *ret_n = answer_to(p, ret);
    return *ret_n < 0 ? (int)*ret_n : 0;
}

static int diagnose(struct peers *p, uint8_t family, const struct inet_diag_sockid *id,
                    struct inet_diag_msg *ret) {
    union answer answer;
    ssize_t n = 0;
    int r = exchange(p, family, id, &answer, &n);
    if (r < 0) {
        peers_close(p); /* the next question gets a descriptor that nothing is wrong with */
        return r;
    }
    if (answer.head.nlmsg_type == NLMSG_ERROR) {
        const struct nlmsgerr *error = NLMSG_DATA(&answer.head);
        return (size_t)n >= NLMSG_LENGTH(sizeof *error) && error->error < 0 ? error->error : -EBADMSG;
    }
    if (answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY || (size_t)n < NLMSG_LENGTH(sizeof *ret))
        return -EBADMSG;
    memcpy(ret, NLMSG_DATA(&answer.head), sizeof *ret);
    return 0;
}

/* The kernel also finds one that listens there, or that is still to be connected. What is closed shows as root's. */
static bool is_other_end(const struct inet_diag_msg *found, const struct inet_diag_sockid *wanted) {
    bool connected = found->idiag_state == TCP_ESTABLISHED || found->idiag_state == TCP_FIN_WAIT1 ||
                     found->idiag_state == TCP_FIN_WAIT2;
    return connected && found->idiag_inode != 0 && found->id.idiag_sport == wanted->idiag_sport &&
           found->id.idiag_dport == wanted->idiag_dport;
}

static int find_user(struct peers *p, int fd, uid_t *ret) {
    uint8_t family = AF_UNSPEC;
    struct inet_diag_sockid id = {0};
    struct inet_diag_msg found = {0};
    int r = peer_id(fd, &family, &id);
    if (r == 0) r = diagnose(p, family, &id, &found);
    if (r < 0) return r;
    if (!is_other_end(&found, &id)) return -ENOENT;
    if (!is_connected(fd)) return -ENOTCONN;
    *ret = found.idiag_uid;
    return 0;
}

int peers_user(struct peers *p, int fd, uid_t *ret) {
    return p->works ? find_user(p, fd, ret) : -EOPNOTSUPP;
}

/* ---- the proof -------------------------------------------------------------------------------------------------- */

static socklen_t make_loopback(int family, struct sockaddr_storage *ret) {
    *ret = (struct sockaddr_storage){.ss_family = (sa_family_t)family};
    if (family == AF_INET6) {
        ((struct sockaddr_in6 *)(void *)ret)->sin6_addr = in6addr_loopback;
        return sizeof(struct sockaddr_in6);
    }
    ((struct sockaddr_in *)(void *)ret)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return sizeof(struct sockaddr_in);
}

/* Others may connect where we listen for a moment: -EAGAIN when one of them was faster. */
static int prove_once(struct peers *p, int family) {
    static const struct timeval patience = {.tv_sec = 1};
    struct sockaddr_storage at;
    socklen_t n = make_loopback(family, &at);
    AUTO(fd) int listener = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    AUTO(fd) int client = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || client < 0 || bind(listener, (struct sockaddr *)&at, n) < 0 ||
        listen(listener, 8) < 0 ||
        setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0 ||
        setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) < 0 ||
        getsockname(listener, (struct sockaddr *)&at, &n) < 0 ||
        connect(client, (struct sockaddr *)&at, n) < 0)
        return -errno;
    AUTO(fd) int server = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (server < 0) return -errno;
    struct sockaddr_storage peer = {0}, own = {0};
    socklen_t peer_n = sizeof peer, own_n = sizeof own;
    if (getpeername(server, (struct sockaddr *)&peer, &peer_n) < 0 ||
        getsockname(client, (struct sockaddr *)&own, &own_n) < 0)
        return -errno;
    if (memcmp(&peer, &own, sizeof own) != 0) return -EAGAIN;
    uid_t user = 0;
    int r = find_user(p, server, &user);
    if (r < 0) return r;
    return user == geteuid() ? 0 : -EBADMSG;
}

/* ---- who we are ------------------------------------------------------------------------------------------------- */

enum { OVERFLOW_USER = 65534, LINE_BYTES = 128 };

/* A file's first line; false when it cannot be read. */
static bool read_line(const char *path, char ret[LINE_BYTES]) {
    AUTO(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, ret, LINE_BYTES - 1);
    if (n < 0) return false;
    ret[n] = '\0';
    ret[strcspn(ret, "\n")] = '\0';
    return true;
}

/* Every user has a number of its own, as outside of all namespaces. */
static bool is_everybody_mapped(void) {
    char line[LINE_BYTES];
    uint64_t inside, outside, count;
    if (!read_line("/proc/self/uid_map", line)) return false;
    struct span rest = span_str(line);
    return span_u64(span_word(&rest), &inside) && span_u64(span_word(&rest), &outside) &&
           span_u64(span_word(&rest), &count) && inside == 0 && count == UINT32_MAX;
}

/* Do others look like us? */
static bool is_anybody(void) {
    char line[LINE_BYTES];
    uint64_t overflow = OVERFLOW_USER;
    if (read_line("/proc/sys/kernel/overflowuid", line)) (void)span_u64(span_str(line), &overflow);
    return geteuid() == overflow && !is_everybody_mapped();
}

static int prove(struct peers *p, int family) {
    int r = -EAGAIN;
    for (int i = 0; i < PROOFS_MAX && r == -EAGAIN; i++)
        r = prove_once(p, family);
    return r;
}

int peers_open(struct peers *ret) {
    *ret = (struct peers){.fd = -1};
    if (is_anybody()) return -EUSERS;
    int r = prove(ret, AF_INET);
    if (r < 0 && prove(ret, AF_INET6) == 0) r = 0;
    ret->works = r == 0;
    if (r < 0) peers_close(ret);
    return r;
}

void peers_close(struct peers *p) {
    if (p->fd >= 0) (void)close(p->fd);
    p->fd = -1;
}
