/* Real sockets on loopback, and the kernel's word about them. */
#include "platform/sock.h"

#include "base/cleanup.h"
#include "test.h"

#include <errno.h>
#include <netinet/in.h>
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
    CHECK_INT(sock_peer_user(server, &user), 0);
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
    CHECK_INT(sock_peer_user(server, &user), 0);
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
    CHECK_INT(sock_peer_user(server, &user), -ENOENT);
    CHECK_INT(user, 4711);
}

TEST(who_closed_only_one_side_is_still_there) {
    union address where;
    AUTO(fd) int listener = listen_on(AF_INET, &where);
    AUTO(fd) int client = connect_to(&where);
    CHECK_INT(shutdown(client, SHUT_WR), 0);
    AUTO(fd) int server = accept(listener, NULL, NULL);
    uid_t user = 4711;
    CHECK_INT(sock_peer_user(server, &user), 0);
    CHECK_INT(user, geteuid());
}

TEST(what_is_no_connection_is_an_error) {
    uid_t user;
    CHECK(sock_peer_user(STDIN_FILENO, &user) < 0);
}

TESTS(RUN(the_peer_of_our_own_connection_is_us), RUN(over_v6_too), RUN(another_user_is_told_apart),
      RUN(who_is_gone_already_is_nobody), RUN(who_closed_only_one_side_is_still_there),
      RUN(what_is_no_connection_is_an_error))
