/* How long a connection lasts: who is slow, silent, gone or too many, on either side. */
#include "fixture.h"
#include "test.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <sys/socket.h>

static const char get_a[] = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

static void check_too_slow(const char *part) {
    struct fixture f;
    struct client c;
    fixture_open(&f, &(struct http_limits){.head_ms = 20, .body_ms = 20});
    client_open(&c, &f);
    client_send_str(&c, part);
    CHECK_STATUS(&c, 408);
    client_want_eof(&c);
    client_close(&c);
    fixture_close(&f);
}

TEST(gives_up_on_slow_requests) {
    check_too_slow("GET / HT");
    check_too_slow("GET / HTTP/1.1\r\nHost: x\r\n");
    check_too_slow("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab");
    check_too_slow("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
}

TEST(closes_idle_connections_silently) {
    struct fixture f;
    struct client fresh, used;
    fixture_open(&f, &(struct http_limits){.idle_ms = 20});
    client_open(&fresh, &f);
    client_open(&used, &f);
    client_send_str(&used, get_a);
    CHECK_BODY(&used, "/a");
    while (!fresh.eof)
        client_want_eof(&fresh);
    client_want_eof(&used);
    client_close(&fresh);
    client_close(&used);
    fixture_close(&f);
}

TEST(a_handler_may_take_longer_than_the_idle_time) {
    struct fixture f;
    struct client slow, idle;
    fixture_open(&f, &(struct http_limits){.idle_ms = 20, .head_ms = 20, .body_ms = 20});
    client_open(&slow, &f);
    client_send_str(&slow, "GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
    while (f.later_count < 1)
        fixture_turn(&f);
    client_open(&idle, &f);
    client_want_eof(&idle);
    fixture_reply_later(&f, 0, "at last");
    CHECK_BODY(&slow, "at last");
    client_close(&slow);
    client_close(&idle);
    fixture_close(&f);
}

TEST(drops_a_client_that_does_not_read) {
    struct fixture f;
    struct client stuck;
    fixture_open(&f, &(struct http_limits){.body_ms = 30});
    client_open(&stuck, &f);
    int small = 4096;
    CHECK_INT(setsockopt(stuck.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
    for (int i = 0; i < 6; i++)
        client_send_str(&stuck, "GET /big HTTP/1.1\r\nHost: x\r\n\r\n");
    /* The server's side is gone when its socket no longer takes anything. */
    while (send(stuck.fd, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1)
        fixture_turn(&f);
    client_close(&stuck);
    fixture_close(&f);
}

TEST(answers_a_client_that_closed_its_side) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c,
                    "GET /later HTTP/1.1\r\nHost: x\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /half HT");
    CHECK_INT(shutdown(c.fd, SHUT_WR), 0);
    while (f.requests < 2)
        fixture_turn(&f);
    fixture_turn(&f);
    fixture_reply_later(&f, 0, "late");
    CHECK_BODY(&c, "late");
    CHECK_BODY(&c, "/a");
    client_want_eof(&c);
    CHECK_INT(f.requests, 2);
    client_close(&c);
    fixture_close(&f);
}

TEST(an_exchange_outlives_its_client) {
    struct fixture f;
    struct client c, other;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c, "POST /later?k=v HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
                        "GET /now HTTP/1.1\r\nHost: x\r\n\r\n");
    while (f.requests < 2)
        fixture_turn(&f);
    struct linger reset = {.l_onoff = 1};
    CHECK_INT(setsockopt(c.fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset), 0);
    client_close(&c);
    client_open(&other, &f); /* once it is served, the reset was seen */
    client_send_str(&other, get_a);
    CHECK_BODY(&other, "/a");
    struct span value;
    CHECK_SPAN(http_request(f.later[0])->body, "abc");
    CHECK_SPAN(http_header(f.later[0], SPAN("host")), "x");
    CHECK(http_query(f.later[0], SPAN("k"), &value));
    CHECK_SPAN(value, "v");
    fixture_reply_later(&f, 0, "nobody reads this");
    client_close(&other);
    fixture_close(&f);
}

TEST(an_exchange_outlives_the_server) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c, "GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
    while (f.later_count < 1)
        fixture_turn(&f);
    fixture_close(&f);
    fixture_reply_later(&f, 0, "too late");
    client_close(&c);
}

TEST(a_handler_may_close_the_server) {
    struct fixture f;
    struct client c, idle;
    fixture_open(&f, NULL);
    client_open(&idle, &f);
    client_open(&c, &f);
    client_send_str(&c, "GET /stop HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK_BODY(&c, "stopping");
    client_want_eof(&c);
    client_want_eof(&idle);
    client_close(&c);
    client_close(&idle);
    fixture_close(&f);
}

TEST(takes_only_so_many_connections) {
    struct fixture f;
    struct client a, b, c;
    fixture_open(&f, &(struct http_limits){.connections = 2});
    client_open(&a, &f);
    client_open(&b, &f);
    client_open(&c, &f);
    if (f.via != VIA_TLS) CHECK_STATUS(&c, 503);
    client_want_eof(&c);
    client_close(&c);
    client_send_str(&a, get_a);
    CHECK_BODY(&a, "/a");
    client_close(&a);
    client_close(&b);
    fixture_close(&f);
}

TESTS(RUN(gives_up_on_slow_requests), RUN(closes_idle_connections_silently),
      RUN(a_handler_may_take_longer_than_the_idle_time), RUN(drops_a_client_that_does_not_read),
      RUN(answers_a_client_that_closed_its_side), RUN(an_exchange_outlives_its_client),
      RUN(an_exchange_outlives_the_server), RUN(a_handler_may_close_the_server),
      RUN(takes_only_so_many_connections))
