/* Real sockets on loopback, and the kernel's word about them. */
#include "platform/peers.h"

#include "base/cleanup.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534 };

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

/* A listening socket on a free loopback port; `*ret` is where to connect. */
static int listen_on(int family, union address *ret) {
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    union address a = {.any = {.sa_family = (sa_family_t)family}};
    if (family == AF_INET)
        a.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else
        a.v6.sin6_addr = in6addr_loopback;
    socklen_t n = sizeof a;
    if (fd < 0 || bind(fd, &a.any, family == AF_INET ? sizeof a.v4 : sizeof a.v6) < 0 || listen(fd, 8) < 0)
        return -1;
    CHECK_INT(getsockname(fd, &a.any, &n), 0);
    *ret = a;
    return fd;
}

static int ask(int fd, uid_t *ret) {
    struct peers p;
    CHECK_INT(peers_open(&p), 0);
    int r = peers_user(&p, fd, ret);
    peers_close(&p);
    return r;
}

static int connect_to(const union address *a) {
    int fd = socket(a->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_INT(connect(fd, &a->any, a->any.sa_family == AF_INET ? sizeof a->v4 : sizeof a->v6), 0);
    return fd;
}

static void check_own_connection(int family) {
    union address where;
    AUTO(fd) int listener = listen_on(family, &where);
    if (listener < 0) skip(); /* no IPv6 here */
    AUTO(fd) int client = connect_to(&where);
    AUTO(fd) int server = accept(listener, NULL, NULL);
    CHECK(client >= 0 && server >= 0);
    uid_t user = (uid_t)-1;
    CHECK_INT(ask(server, &user), 0);
    CHECK_INT(user, geteuid());
}

TEST(the_peer_of_our_own_connection_is_us) {
    check_own_connection(AF_INET);
}

TEST(over_v6_too) {
    check_own_connection(AF_INET6);
}

TEST(another_user_is_told_apart) {
    if (geteuid() != 0) skip();
    union address where;
    AUTO(fd) int listener = listen_on(AF_INET, &where);
    int done[2];
    CHECK_INT(pipe(done), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char byte;
        (void)close(done[1]);
        if (setuid(NOBODY) < 0) _exit(1);
        (void)connect_to(&where);
        _exit(read(done[0], &byte, 1) == 0 ? 0 : 1); /* until the parent has looked */
    }
    (void)close(done[0]);
    AUTO(fd) int server = accept(listener, NULL, NULL);
    uid_t user = 0;
    CHECK_INT(ask(server, &user), 0);
    CHECK_INT(user, NOBODY);
    (void)close(done[1]);
    int status;
    CHECK_INT(waitpid(pid, &status, 0), pid);
    CHECK_INT(status, 0);
}

/* One that sends and is gone before we look leaves a socket without an owner, which the kernel shows as root's. */
TEST(who_is_gone_already_is_nobody) {
    union address where;
    AUTO(fd) int listener = listen_on(AF_INET, &where);
    int client = connect_to(&where);
    CHECK_INT(send(client, "x", 1, 0), 1);
    (void)close(client);
    AUTO(fd) int server = accept(listener, NULL, NULL);
    uid_t user = 4711;
    CHECK_INT(ask(server, &user), -ENOENT);
    CHECK_INT(user, 4711);
}

TEST(who_closed_only_one_side_is_still_there) {
    union address where;
    AUTO(fd) int listener = listen_on(AF_INET, &where);
    AUTO(fd) int client = connect_to(&where);
    CHECK_INT(shutdown(client, SHUT_WR), 0);
    AUTO(fd) int server = accept(listener, NULL, NULL);
    uid_t user = 4711;
    CHECK_INT(ask(server, &user), 0);
    CHECK_INT(user, geteuid());
}

TEST(what_is_no_connection_is_an_error) {
    uid_t user;
    CHECK(ask(STDIN_FILENO, &user) < 0);
}

static int end_abruptly(int fd) {
    static const struct linger now = {.l_onoff = 1};
    CHECK_INT(setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now), 0);
    return close(fd);
}

/* What it sent can be read after that, but nobody can say any more whose it is. */
TEST(who_reset_the_connection_is_nobody) {
    union address where;
    AUTO(fd) int listener = listen_on(AF_INET, &where);
    int client = connect_to(&where);
    CHECK_INT(send(client, "x", 1, 0), 1);
    CHECK_INT(end_abruptly(client), 0);
    AUTO(fd) int server = accept(listener, NULL, NULL);
    uid_t user = 4711;
    CHECK(ask(server, &user) < 0);
    CHECK_INT(user, 4711);
    char byte;
    CHECK_INT(recv(server, &byte, 1, 0), 1);
}

/* The port of one that is gone, taken by another socket of ours: it is not the other end. */
TEST(who_listens_on_the_peers_port_is_not_the_peer) {
    union address where, own;
    socklen_t n = sizeof own;
    AUTO(fd) int listener = listen_on(AF_INET, &where);
    int client = connect_to(&where);
    CHECK_INT(getsockname(client, &own.any, &n), 0);
    AUTO(fd) int server = accept(listener, NULL, NULL);
    CHECK_INT(end_abruptly(client), 0);
    AUTO(fd) int other = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_INT(bind(other, &own.any, sizeof own.v4), 0);
    CHECK_INT(listen(other, 1), 0);
    uid_t user = 4711;
    CHECK(ask(server, &user) < 0);
    CHECK_INT(user, 4711);
}

/* A socket of both kinds of addresses, which IPv4 comes to in IPv6's clothes, from a socket of either kind. */
TEST(v4_in_v6s_clothes) {
    AUTO(fd) int listener = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    union address at = {.v6 = {.sin6_family = AF_INET6}};
    socklen_t n = sizeof at;
    int no = 0;
    if (listener < 0) skip();
    CHECK_INT(setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no), 0);
    CHECK_INT(bind(listener, &at.any, sizeof at.v6), 0);
    CHECK_INT(listen(listener, 8), 0);
    CHECK_INT(getsockname(listener, &at.any, &n), 0);
    union address plain = {.v4 = {.sin_family = AF_INET, .sin_port = at.v6.sin6_port}};
    plain.v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    union address clothed = at;
    static const uint8_t mapped[16] = {[10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1};
    memcpy(&clothed.v6.sin6_addr, mapped, sizeof mapped);
    const union address *const ways[] = {&plain, &clothed};
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        AUTO(fd) int client = connect_to(ways[i]);
        AUTO(fd) int server = accept(listener, NULL, NULL);
        uid_t user = 4711;
        CHECK_INT(ask(server, &user), 0);
        CHECK_INT(user, geteuid());
    }
}

/* The descriptor is there already. */
TEST(can_be_asked_when_descriptors_have_run_out) {
    union address where;
    struct rlimit was, few;
    struct peers p;
    CHECK_INT(peers_open(&p), 0);
    AUTO(fd) int listener = listen_on(AF_INET, &where);
    AUTO(fd) int client = connect_to(&where);
    AUTO(fd) int server = accept(listener, NULL, NULL);
    CHECK_INT(getrlimit(RLIMIT_NOFILE, &was), 0);
    few = (struct rlimit){.rlim_cur = (rlim_t)server + 1, .rlim_max = was.rlim_max};
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &few), 0);
    uid_t user = 4711;
    int r = socket(AF_INET, SOCK_STREAM, 0) < 0 ? peers_user(&p, server, &user) : -1;
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &was), 0);
    CHECK_INT(r, 0);
    CHECK_INT(user, geteuid());
    peers_close(&p);
}

/* An answer that came late, to a question before, is dropped; a descriptor that broke is opened anew. */
TEST(takes_only_the_answer_to_its_question) {
    union address where;
    struct peers p;
    CHECK_INT(peers_open(&p), 0);
    AUTO(fd) int listener = listen_on(AF_INET, &where);
    AUTO(fd) int client = connect_to(&where);
    AUTO(fd) int server = accept(listener, NULL, NULL);
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 body;
    } earlier = {.head = {.nlmsg_len = sizeof earlier,
                          .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                          .nlmsg_flags = NLM_F_REQUEST,
                          .nlmsg_seq = p.question + 1000},
                 .body = {.sdiag_family = AF_INET, .sdiag_protocol = IPPROTO_TCP}};
    CHECK_INT(send(p.fd, &earlier, sizeof earlier, 0), sizeof earlier); /* its answer, an error, waits */
    uid_t user = 4711;
    CHECK_INT(peers_user(&p, server, &user), 0);
    CHECK_INT(user, geteuid());
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    CHECK_INT(dup2(null, p.fd), p.fd);
    (void)close(null);
    user = 4711;
    CHECK(peers_user(&p, server, &user) < 0);
    CHECK_INT(user, 4711);
    CHECK_INT(peers_user(&p, server, &user), 0);
    CHECK_INT(user, geteuid());
    peers_close(&p);
}

TESTS(RUN(the_peer_of_our_own_connection_is_us), RUN(over_v6_too), RUN(another_user_is_told_apart),
      RUN(who_is_gone_already_is_nobody), RUN(who_closed_only_one_side_is_still_there),
      RUN(what_is_no_connection_is_an_error), RUN(who_reset_the_connection_is_nobody),
      RUN(who_listens_on_the_peers_port_is_not_the_peer), RUN(v4_in_v6s_clothes),
      RUN(can_be_asked_when_descriptors_have_run_out), RUN(takes_only_the_answer_to_its_question))
