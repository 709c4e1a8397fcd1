#include "fixture.h"
#include "test.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <sys/socket.h>

static const char get_a[] = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

static void check_protection(const struct response *r) {
    static const char *const expected[][2] = {
        {"x-content-type-options", "nosniff"},
        {"x-frame-options", "DENY"},
        {"referrer-policy", "no-referrer"},
        {"cross-origin-opener-policy", "same-origin"},
        {"cross-origin-resource-policy", "same-origin"},
        {"content-security-policy", "default-src 'none'; frame-ancestors 'none'"},
        {"cache-control", "no-store"},
        {"strict-transport-security", ""}, /* not for a certificate of our own, and not without one */
        {"access-control-allow-origin", ""},
    };
    for (size_t i = 0; i < ARRAY_LEN(expected); i++)
        CHECK_SPAN(response_header(r, expected[i][0]), expected[i][1]);
    CHECK(response_header(r, "permissions-policy").n > 0);
}

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
        check_protection(&r);
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

static void check_refused(const char *request, int status) {
    struct fixture f;
    struct client c;
    struct http_limits limits = {.url = 100, .headers = 300, .body = 50};
    fixture_open(&f, &limits);
    client_open(&c, &f);
    client_send_str(&c, get_a);
    client_send_str(&c, request);
    CHECK_BODY(&c, "/a");
    struct response r;
    client_response(&c, false, &r);
    CHECK_INT(r.status, status);
    CHECK_SPAN(response_header(&r, "connection"), "close");
    CHECK_SPAN(response_header(&r, "content-type"), "application/json; charset=utf-8");
    check_protection(&r);
    CHECK(span_starts(r.body, SPAN("{\"error\":\"")));
    response_fini(&r);
    client_want_eof(&c);
    CHECK_INT(f.requests, 1);
    client_close(&c);
    fixture_close(&f);
}

TEST(refuses_what_may_be_smuggling) {
    check_refused(
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        400);
    check_refused(
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
        400);
    check_refused("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400);
    check_refused("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
                  400);
    check_refused("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\nabc", 400);
    check_refused("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\nabc", 400);
    check_refused("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\nContent-Length: 3\r\n\r\nabc",
                  400);
    check_refused("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n",
                  400);
    check_refused(
        "POST /echo HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400);
    check_refused("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400);
    check_refused("GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400);
}

#define POST_CHUNKED "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"

/* What some end, or begin, elsewhere. */
TEST(refuses_lines_that_others_read_differently) {
    static const char *const requests[] = {
        "GET / HTTP/1.1\nHost: x\n\n",
        "GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n\n",
        "GET / HTTP/1.1\r\nHost: x\rA: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA:\r\n\tc\r\n\r\n",
        "GET / HTTP/1.1\r\n Host: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 1\r\n\r\nx",
        POST_CHUNKED "1;a=b\r\nx\r\n0\r\n\r\n",
        POST_CHUNKED "1;\nx\r\n0\r\n\r\n",
        POST_CHUNKED "1 \r\nx\r\n0\r\n\r\n",
        POST_CHUNKED "1\nx\r\n0\r\n\r\n",
        POST_CHUNKED "1\r\nx\n0\r\n\r\n",
        POST_CHUNKED "1\r\nx\r\n0\r\n\n",
        POST_CHUNKED "0x1\r\nx\r\n0\r\n\r\n",
        "GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(requests); i++)
        check_refused(requests[i], 400);
}

TEST(refuses_malformed_requests) {
    check_refused("nonsense\r\n\r\n", 400);
    check_refused("GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400);
    check_refused("GET /a%00b HTTP/1.1\r\nHost: x\r\n\r\n", 400);
    check_refused("GET /a/%2e%2e/b HTTP/1.1\r\nHost: x\r\n\r\n", 400);
    check_refused("GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400);
    check_refused("CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n", 400);
    check_refused("GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505);
}

TEST(holds_to_its_caps) {
    AUTO(buf) struct buf b = BUF_INIT(100000);
    (void)buf_printf(&b, "GET /%0200d HTTP/1.1\r\nHost: x\r\n\r\n", 0);
    check_refused(b.p, 414);
    buf_clear(&b);
    (void)buf_printf(&b, "GET / HTTP/1.1\r\nHost: x\r\nX: %0400d\r\n\r\n", 0);
    check_refused(b.p, 431);
    buf_clear(&b);
    (void)buf_printf(&b, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 51\r\n\r\n");
    check_refused(b.p, 413); /* before any of it was sent */
    buf_clear(&b);
    (void)buf_printf(
        &b, "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n%0100d\r\n0\r\n\r\n",
        0);
    check_refused(b.p, 413);
    buf_clear(&b);
    (void)buf_printf(
        &b, "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nT: %0400d\r\n\r\n", 0);
    check_refused(b.p, 431);
}

TEST(limits_the_number_of_headers) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c, "GET / HTTP/1.1\r\nHost: x\r\n");
    for (int i = 0; i < 128; i++)
        client_send_str(&c, "a: b\r\n");
    client_send_str(&c, "\r\n");
    CHECK_STATUS(&c, 431);
    client_want_eof(&c);
    client_close(&c);
    fixture_close(&f);
}

/* The answer must arrive although the client goes on sending: no reset that would destroy it on the way. */
TEST(a_refusal_survives_a_large_upload) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 20000000\r\n\r\n");
    AUTO(free) char *block = xcalloc(1, 1000000);
    for (int i = 0; i < 20; i++)
        client_send(&c, span_of(block, 1000000));
    CHECK_STATUS(&c, 413);
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

/* The answer does not wait for the body, which is not read; what was asked before is answered before. */
TEST(a_body_that_is_not_wanted_is_not_read) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(
        &c,
        "GET /a HTTP/1.1\r\nHost: x\r\n\r\nPOST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n");
    CHECK_BODY(&c, "/a");
    struct response r;
    client_response(&c, false, &r);
    CHECK_INT(r.status, 401);
    CHECK_SPAN(response_header(&r, "connection"), "close");
    response_fini(&r);
    client_send_str(&c, "GET /b HTTP/1.1\r\nHost: x\r\n\r\n"); /* it is the body */
    client_want_eof(&c);
    CHECK_INT(f.requests, 1);
    client_close(&c);
    fixture_close(&f);
}

TEST(each_request_has_its_own_limit) {
    static const char *const late[] = {"Content-Length: 6\r\n\r\n",
                                       "Transfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n0\r\n\r\n"};
    for (size_t i = 0; i < ARRAY_LEN(late); i++) {
        struct fixture f;
        struct client c;
        fixture_open(&f, NULL);
        f.body_max = 5;
        client_open(&c, &f);
        client_send_str(&c, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde");
        CHECK_BODY(&c, "abcde");
        client_send_str(
            &c,
            "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nvwxyz\r\n0\r\n\r\n");
        CHECK_BODY(&c, "vwxyz");
        client_send_str(&c, "POST /echo HTTP/1.1\r\nHost: x\r\n");
        client_send_str(&c, late[i]);
        CHECK_STATUS(&c, 413);
        client_want_eof(&c);
        CHECK_INT(f.requests, 2);
        client_close(&c);
        fixture_close(&f);
    }
}

/* What one has announced is not there for another; it is again when that one is gone. */
TEST(all_bodies_together_have_a_limit) {
    struct fixture f;
    struct client one, two, three;
    fixture_open(&f, &(struct http_limits){.unread = 400000});
    client_open(&one, &f);
    client_send_str(&one, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK_BODY(&one, "/a");
    client_send_str(
        &one, "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 280000\r\n\r\n");
    client_want(&one, 1); /* it may go on */
    client_open(&two, &f);
    client_send_str(&two, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n");
    struct response r;
    client_response(&two, false, &r);
    CHECK_INT(r.status, 503);
    CHECK_SPAN(response_header(&r, "retry-after"), "1");
    response_fini(&r);
    client_want_eof(&two);
    client_close(&two);
    client_close(&one);
    client_open(&three, &f);
    client_send_str(&three, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"); /* behind that end */
    CHECK_BODY(&three, "/a");
    client_send_str(&three, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde");
    CHECK_BODY(&three, "abcde");
    client_close(&three);
    fixture_close(&f);
}

/* Of chunks nobody knows how many will come. */
TEST(chunks_without_end_meet_it_too) {
    static char chunk[8 + 32768 + 2] = "8000\r\n";
    struct fixture f;
    struct client c;
    memset(chunk + 6, 'x', 32768);
    memcpy(chunk + 6 + 32768, "\r\n", 2);
    fixture_open(&f, &(struct http_limits){.unread = 400000});
    client_open(&c, &f);
    client_send_str(&c, "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int i = 0; i < 40; i++)
        client_send(&c, span_of(chunk, 6 + 32768 + 2));
    CHECK_STATUS(&c, 503);
    client_want_eof(&c);
    CHECK_INT(f.requests, 0);
    client_close(&c);
    fixture_close(&f);
}

TESTS(RUN(a_body_that_is_not_wanted_is_not_read), RUN(each_request_has_its_own_limit),
      RUN(all_bodies_together_have_a_limit), RUN(chunks_without_end_meet_it_too), RUN(keeps_the_connection),
      RUN(closes_when_asked_and_for_http_1_0), RUN(takes_a_request_byte_by_byte),
      RUN(answers_pipelined_requests_in_order), RUN(limits_the_requests_in_flight),
      RUN(answers_many_pipelined_requests_with_large_bodies), RUN(head_has_the_length_but_no_body),
      RUN(tells_a_careful_client_to_continue), RUN(takes_chunked_bodies), RUN(decodes_query_parameters),
      RUN(refuses_what_may_be_smuggling), RUN(refuses_lines_that_others_read_differently),
      RUN(refuses_malformed_requests), RUN(holds_to_its_caps), RUN(limits_the_number_of_headers),
      RUN(a_refusal_survives_a_large_upload), RUN(takes_a_large_body), RUN(gives_up_on_slow_requests),
      RUN(closes_idle_connections_silently), RUN(a_handler_may_take_longer_than_the_idle_time),
      RUN(drops_a_client_that_does_not_read), RUN(answers_a_client_that_closed_its_side),
      RUN(an_exchange_outlives_its_client), RUN(an_exchange_outlives_the_server),
      RUN(a_handler_may_close_the_server), RUN(takes_only_so_many_connections), RUN(says_that_a_port_is_busy),
      RUN(ignores_other_upgrades), RUN(serves_the_v6_loopback_too))
