/* What is not taken: what others may read differently, what is malformed, too much or not wanted. */
#include "fixture.h"
#include "test.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <sys/socket.h>

static const char get_a[] = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

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
    response_check_protection(&r);
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

/* Bodies that were answered are nobody's any more, also where the connection stays. */
TEST(who_asks_nothing_leaves_the_room_to_others) {
    enum { MANY = 10, BODY = 60000 };
    struct fixture f;
    struct client idle[MANY], c;
    AUTO(free) char *body = xcalloc(1, BODY);
    fixture_open(&f, &(struct http_limits){.unread = 600000});
    for (int i = 0; i < MANY; i++) {
        struct response r;
        client_open(&idle[i], &f);
        client_send_str(&idle[i], "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n");
        client_send(&idle[i], span_of(body, BODY));
        client_response(&idle[i], false, &r);
        CHECK_INT(r.status, 200);
        response_fini(&r);
    }
    client_open(&c, &f);
    client_send_str(
        &c, "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 120000\r\n\r\n");
    CHECK_STATUS(&c, 100);
    client_close(&c);
    for (int i = 0; i < MANY; i++)
        client_close(&idle[i]);
    fixture_close(&f);
}

TESTS(RUN(who_asks_nothing_leaves_the_room_to_others), RUN(refuses_what_may_be_smuggling),
      RUN(refuses_lines_that_others_read_differently), RUN(refuses_malformed_requests),
      RUN(holds_to_its_caps), RUN(limits_the_number_of_headers), RUN(a_refusal_survives_a_large_upload),
      RUN(a_body_that_is_not_wanted_is_not_read), RUN(each_request_has_its_own_limit),
      RUN(all_bodies_together_have_a_limit), RUN(chunks_without_end_meet_it_too))
