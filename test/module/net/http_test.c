/* Requests and their answers. */
#include "fixture.h"
#include "test.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <sys/socket.h>

static const char get_a[] = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(keeps_the_connection) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    for (int i = 0; i < 3; i++) {
        client_send_str(&c, "GET /a%20b?q=1 HTTP/1.1\r\nHost: x\r\n\r\n");
        struct response r;
        client_response(&c, false, &r);
        CHECK_INT(r.status, 200);
        CHECK_SPAN(r.body, "/a b");
        CHECK_SPAN(response_header(&r, "content-type"), "text/plain");
        response_check_protection(&r);
        CHECK_SPAN(response_header(&r, "x-path"), "/a b");
        CHECK_INT(response_header(&r, "connection").n, 0);
        response_fini(&r);
    }
    CHECK_INT(f.requests, 3);
    client_close(&c);
    fixture_close(&f);
}

TEST(closes_when_asked_and_for_http_1_0) {
    static const char *const requests[] = {"GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                                           "GET /a HTTP/1.0\r\n\r\n"};
    struct fixture f;
    fixture_open(&f, NULL);
    for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
        struct client c;
        client_open(&c, &f);
        client_send_str(&c, requests[i]);
        struct response r;
        client_response(&c, false, &r);
        CHECK_SPAN(response_header(&r, "connection"), "close");
        response_fini(&r);
        client_want_eof(&c);
        client_close(&c);
    }
    struct client c;
    client_open(&c, &f);
    client_send_str(&c, "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    struct response r;
    client_response(&c, false, &r);
    CHECK_SPAN(response_header(&r, "connection"), "keep-alive");
    response_fini(&r);
    client_send_str(&c, get_a);
    CHECK_BODY(&c, "/a");
    client_close(&c);
    fixture_close(&f);
}

TEST(takes_a_request_byte_by_byte) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    static const char text[] = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
    for (size_t i = 0; i < sizeof text - 1; i++) {
        client_send(&c, span_of(text + i, 1));
        fixture_turn(&f);
    }
    CHECK_BODY(&c, "hello");
    client_close(&c);
    fixture_close(&f);
}

TEST(answers_pipelined_requests_in_order) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c, "GET /later HTTP/1.1\r\nHost: x\r\n\r\nGET /later HTTP/1.1\r\nHost: x\r\n\r\n"
                        "GET /now HTTP/1.1\r\nHost: x\r\n\r\nGET /big-copy HTTP/1.1\r\nHost: x\r\n\r\n");
    while (f.requests < 4)
        fixture_turn(&f);
    fixture_reply_later(&f, 1, "second");
    fixture_reply_later(&f, 0, "first");
    CHECK_BODY(&c, "first");
    CHECK_BODY(&c, "second");
    CHECK_BODY(&c, "/now");
    struct response r;
    client_response(&c, false, &r);
    CHECK_INT(r.body.n, 300000);
    response_fini(&r);
    client_close(&c);
    fixture_close(&f);
}

TEST(limits_the_requests_in_flight) {
    enum { MANY = 20, IN_FLIGHT = 16 };
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    for (int i = 0; i < MANY; i++)
        client_send_str(&c, "GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
    client_send_str(&c, get_a);
    while (f.requests < IN_FLIGHT)
        fixture_turn(&f);
    CHECK_INT(f.later_count, IN_FLIGHT);
    for (size_t i = 0; i < MANY; i++) {
        while (f.later_count <= i)
            (void)uv_run(&f.loop, UV_RUN_NOWAIT); /* they may be taken right before the loop would sleep */
        fixture_reply_later(&f, i, "x");
    }
    for (size_t i = 0; i < MANY; i++)
        CHECK_BODY(&c, "x");
    CHECK_BODY(&c, "/a");
    client_close(&c);
    fixture_close(&f);
}

TEST(answers_many_pipelined_requests_with_large_bodies) {
    enum { MANY = 15, FIT = 8, BIG_BYTES = 3 * 1024 * 1024 };
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    for (int i = 0; i < MANY; i++)
        client_send_str(&c, "GET /big HTTP/1.1\r\nHost: x\r\n\r\n");
    client_want(&c, 1);
    CHECK(f.requests < FIT); /* what the sockets hold, and one: none is taken while an answer is unsent */
    for (int i = 0; i < MANY; i++) {
        struct response r;
        client_response(&c, false, &r);
        CHECK_INT(r.body.n, BIG_BYTES);
        response_fini(&r);
    }
    client_close(&c);
    fixture_close(&f);
}

TEST(head_has_the_length_but_no_body) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c, "HEAD /big HTTP/1.1\r\nHost: x\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    struct response r;
    client_response(&c, true, &r);
    CHECK_INT(r.status, 200);
    CHECK_SPAN(response_header(&r, "content-length"), "3145728");
    response_fini(&r);
    CHECK_BODY(&c, "/a");
    client_close(&c);
    fixture_close(&f);
}

TEST(tells_a_careful_client_to_continue) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c,
                    "GET /later HTTP/1.1\r\nHost: x\r\n\r\n"
                    "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
    while (f.later_count < 1)
        fixture_turn(&f);
    fixture_reply_later(&f, 0, "first"); /* the go-ahead must not come before this */
    CHECK_BODY(&c, "first");
    CHECK_STATUS(&c, 100);
    client_send_str(&c, "abc");
    CHECK_BODY(&c, "abc");
    client_close(&c);
    fixture_close(&f);
}

TEST(takes_chunked_bodies) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c, "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                        "3\r\nabc\r\n4\r\ndefg\r\n0\r\nHost: evil\r\nTrailer: t\r\n\r\n");
    CHECK_BODY(&c, "abcdefg");
    client_send_str(&c, get_a);
    CHECK_BODY(&c, "/a");
    client_close(&c);
    fixture_close(&f);
}

TEST(decodes_query_parameters) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c, "GET /param?x=1&name=a%2Fb+c&name=2 HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK_BODY(&c, "a/b c");
    client_send_str(&c, "GET /param?names=1 HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK_STATUS(&c, 404);
    client_close(&c);
    fixture_close(&f);
}

TEST(takes_a_large_body) {
    enum { BYTES = 10 * 1024 * 1024 };
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    AUTO(free) char *block = xcalloc(1, BYTES);
    client_send_str(&c, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 10485760\r\n\r\n");
    client_send(&c, span_of(block, BYTES));
    struct response r;
    client_response(&c, false, &r);
    CHECK_INT(r.status, 200);
    CHECK_INT(r.body.n, BYTES);
    response_fini(&r);
    client_close(&c);
    fixture_close(&f);
}

TEST(says_that_a_port_is_busy) {
    struct fixture f;
    fixture_open(&f, NULL);
    struct http_server *second = NULL;
    struct err err = {0};
    static const struct http_ops ops = {0};
    CHECK_INT(http_open(&f.loop, "127.0.0.1", f.port, NULL, &ops, NULL, &second, &err), -EADDRINUSE);
    CHECK(second == NULL);
    CHECK(span_icontains(span_str(err.msg), SPAN("busy")));
    CHECK_INT(http_open(&f.loop, "localhost", 0, NULL, &ops, NULL, &second, &err), -EINVAL);
    CHECK(span_icontains(span_str(err.msg), SPAN("localhost")));
    fixture_close(&f);
}

TEST(serves_the_v6_loopback_too) {
    struct fixture f;
    struct client c;
    fixture_open_via(&f, NULL, VIA_TCP);
    struct sockaddr_in6 at = {
        .sin6_family = AF_INET6, .sin6_port = htons(f.port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    c = (struct client){
        .f = &f, .fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), .in = BUF_INIT(10000)};
    if (c.fd >= 0 && connect(c.fd, (struct sockaddr *)&at, sizeof at) == 0) { /* else there is no IPv6 here */
        client_send_str(&c, get_a);
        CHECK_BODY(&c, "/a");
    }
    client_close(&c);
    fixture_close(&f);
}

TEST(ignores_other_upgrades) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c,
                    "GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                    "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n");
    CHECK_BODY(&c, "/a");
    client_send_str(&c, get_a);
    CHECK_BODY(&c, "/a");
    client_close(&c);
    fixture_close(&f);
}

TESTS(RUN(keeps_the_connection), RUN(closes_when_asked_and_for_http_1_0), RUN(takes_a_request_byte_by_byte),
      RUN(answers_pipelined_requests_in_order), RUN(limits_the_requests_in_flight),
      RUN(answers_many_pipelined_requests_with_large_bodies), RUN(head_has_the_length_but_no_body),
      RUN(tells_a_careful_client_to_continue), RUN(takes_chunked_bodies), RUN(decodes_query_parameters),
      RUN(takes_a_large_body), RUN(says_that_a_port_is_busy), RUN(serves_the_v6_loopback_too),
      RUN(ignores_other_upgrades))
