#include "platform/sock.h"

#include "base/cleanup.h"
#include "test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sys/prctl.h>
#include <sys/socket.h>

static uint16_t port_of(int fd) {
    struct sockaddr_storage at = {0};
    socklen_t n = sizeof at;
    CHECK_INT(getsockname(fd, (struct sockaddr *)&at, &n), 0);
    return ntohs(at.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)(void *)&at)->sin6_port
                                          : ((struct sockaddr_in *)(void *)&at)->sin_port);
}

static int bound_socket(int family) {
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) skip();
    int r = family == AF_INET6 ? bind(fd, (struct sockaddr *)&v6, sizeof v6)
                               : bind(fd, (struct sockaddr *)&v4, sizeof v4);
    if (r < 0) skip(); /* a machine without IPv6 */
    return fd;
}

static void finds_itself(int family) {
    AUTO(fd) int fd = bound_socket(family);
    int64_t pid = -1;
    char name[SOCK_NAME_BYTES] = "untouched";
    /* Bound is not listening. */
    CHECK_INT(sock_port_holder(port_of(fd), &pid, name), -ENOENT);
    CHECK_INT(pid, -1);
    CHECK_STR(name, "untouched");
    CHECK_INT(listen(fd, 1), 0);
    CHECK_INT(sock_port_holder(port_of(fd), &pid, name), 0);
    CHECK_INT(pid, getpid());
    char own[16];
    CHECK_INT(prctl(PR_GET_NAME, own), 0);
    CHECK_STR(name, own);
}

TEST(a_listener_is_found_by_its_port) {
    finds_itself(AF_INET);
}

TEST(a_listener_of_the_newer_family_is_found_too) {
    finds_itself(AF_INET6);
}

TESTS(RUN(a_listener_is_found_by_its_port), RUN(a_listener_of_the_newer_family_is_found_too))
