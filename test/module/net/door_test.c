/* The owner's socket, and connections beyond the caps. */
#include "fixture.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

static const char get_later[] = "GET /later HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(says_who_came_through_it) {
    struct fixture f;
    struct client owner, other;
    char peer[HTTP_PEER_BYTES];
    fixture_open_via(&f, NULL, VIA_DOOR);
    client_open(&owner, &f);
    client_connect(&other, &f);
    client_send_str(&owner, get_later);
    while (f.later_count < 1)
        fixture_turn(&f);
    client_send_str(&other, get_later);
    while (f.later_count < 2)
        fixture_turn(&f);
    CHECK(http_from_owner(f.later[0]));
    CHECK(!http_from_owner(f.later[1]));
    CHECK(!http_is_secure(f.later[0]));
    http_peer(f.later[0], peer);
    CHECK_STR(peer, "unix");
    http_local(f.later[0], peer);
    CHECK_STR(peer, "");
    http_peer(f.later[1], peer);
    CHECK_STR(peer, "127.0.0.1");
    http_local(f.later[1], peer);
    CHECK_STR(peer, "127.0.0.1");
    for (size_t i = 0; i < 2; i++)
        fixture_reply_later(&f, i, "ok");
    CHECK_BODY(&owner, "ok");
    CHECK_BODY(&other, "ok");
    client_close(&owner);
    client_close(&other);
    fixture_close(&f);
}

TEST(is_nobody_elses) {
    struct fixture f;
    struct stat st;
    fixture_open_via(&f, NULL, VIA_DOOR);
    CHECK_INT(lstat(f.path, &st), 0);
    CHECK(S_ISSOCK(st.st_mode));
    CHECK_INT(st.st_mode & 0777, 0600);
    char path[sizeof f.path];
    memcpy(path, f.path, sizeof path);
    fixture_close(&f);
    CHECK_INT(lstat(path, &st), -1);
}

/* Even where a wrong mode lets somebody in, the kernel says who it is. */
TEST(knows_other_users) {
    if (geteuid() != 0) skip();
    struct fixture f;
    fixture_open_via(&f, NULL, VIA_DOOR);
    CHECK_INT(chmod(f.dir.path, 0755), 0);
    CHECK_INT(chmod(f.path, 0666), 0);
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    CHECK(strlen(f.path) < sizeof at.sun_path);
    memcpy(at.sun_path, f.path, strlen(f.path) + 1);
    struct client c = {.f = &f, .fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), .in = BUF_INIT(100000)};
    pid_t child = fork();
    if (child == 0) {
        bool ok =
            setresuid(65534, 65534, 65534) == 0 && connect(c.fd, (struct sockaddr *)&at, sizeof at) == 0;
        _exit(!ok);
    }
    int status;
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK_INT(status, 0);
    client_send_str(&c, get_later);
    CHECK_STATUS(&c, 403);
    client_want_eof(&c);
    CHECK_INT(f.requests, 0);
    client_close(&c);
    fixture_close(&f);
}

TEST(replaces_what_a_dead_server_left_and_nothing_else) {
    struct fixture f, second;
    struct err err = {0};
    fixture_open_via(&f, NULL, VIA_DOOR);
    fixture_open_via(&second, NULL, VIA_TCP);
    CHECK_INT(http_open_door(second.server, f.path, &err), -EADDRINUSE);
    CHECK(strstr(err.msg, f.path));
    fixture_close(&second);
    struct client c;
    client_open(&c, &f); /* it is still there */
    client_close(&c);
    fixture_close(&f);

    struct temp_dir dir = temp_dir_make();
    char path[128];
    (void)snprintf(path, sizeof path, "%s/socket", dir.path);
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    memcpy(at.sun_path, path, strlen(path) + 1);
    int dead = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_INT(bind(dead, (struct sockaddr *)&at, sizeof at), 0);
    (void)close(dead);
    fixture_open_via(&f, NULL, VIA_TCP);
    CHECK_INT(http_open_door(f.server, path, &err), 0);
    fixture_close(&f);
    temp_dir_remove(dir.path);
}

/* Nobody is left hanging: those beyond the cap are told, those far beyond are closed. */
TEST(too_many_are_told_and_closed) {
    enum { MORE = 80 };
    struct fixture f;
    struct client first, more[MORE], owner;
    fixture_open_via(&f, &(struct http_limits){.connections = 1}, VIA_DOOR);
    client_connect(&first, &f);
    for (size_t i = 0; i < MORE; i++)
        client_connect(&more[i], &f);
    unsigned told = 0;
    for (size_t i = 0; i < MORE; i++) {
        while (!client_looks(&more[i]))
            fixture_turn(&f);
        if (more[i].in.n) {
            CHECK_STATUS(&more[i], 503);
            told++;
        }
        client_want_eof(&more[i]);
        client_close(&more[i]);
    }
    CHECK(told >= 1);
    CHECK_INT(f.requests, 0);
    client_open(&owner, &f); /* has another door */
    client_send_str(&owner, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK_BODY(&owner, "/a");
    client_close(&owner);
    client_close(&first);
    fixture_close(&f);
}

static const char *peer_of(const struct fixture *f, size_t i) {
    static char text[HTTP_PEER_BYTES];
    http_peer(f->later[i], text);
    return text;
}

/* This client is the proxy. */
TEST(believes_only_proxies_that_it_knows) {
    static const char request[] =
        "GET /later HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 1.2.3.4\r\n"
        "X-Forwarded-Proto: https\r\nX-Forwarded-Host: ostler.example\r\n\r\n";
    struct fixture f;
    for (int trusted = 0; trusted < 2; trusted++) {
        struct client c;
        struct addr_range range;
        fixture_open_via(&f, NULL, VIA_TCP);
        CHECK(addr_range_parse(trusted ? SPAN("127.0.0.0/8") : SPAN("10.0.0.0/8"), &range));
        http_trust_proxies(f.server, &range, 1);
        client_open(&c, &f);
        client_send_str(&c, request);
        while (f.later_count < 1)
            fixture_turn(&f);
        CHECK_STR(peer_of(&f, 0), trusted ? "1.2.3.4" : "127.0.0.1");
        CHECK_SPAN(http_host(f.later[0]), trusted ? "ostler.example" : "x");
        CHECK_INT(http_is_secure(f.later[0]), trusted);
        fixture_reply_later(&f, 0, "ok");
        CHECK_BODY(&c, "ok");
        client_close(&c);
        fixture_close(&f);
    }
}

TESTS(RUN(says_who_came_through_it), RUN(is_nobody_elses), RUN(knows_other_users),
      RUN(replaces_what_a_dead_server_left_and_nothing_else), RUN(too_many_are_told_and_closed),
      RUN(believes_only_proxies_that_it_knows))
