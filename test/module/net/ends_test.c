/* Ends of requests and connections that are easy to get wrong: what is still answered, what is not, and when. */
#include "fixture.h"
#include "test.h"

#include <errno.h>
#include <sys/socket.h>

#define GET_LATER "GET /later HTTP/1.1\r\nHost: x\r\n\r\n"

TEST(a_close_in_the_middle_of_a_pipeline_ends_it) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c, GET_LATER "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                                  "GET /never HTTP/1.1\r\nHost: x\r\n\r\n");
    while (f.requests < 2)
        fixture_turn(&f);
    fixture_reply_later(&f, 0, "first");
    CHECK_BODY(&c, "first");
    struct response r;
    client_response(&c, false, &r);
    CHECK_SPAN(r.body, "/last");
    CHECK_SPAN(response_header(&r, "connection"), "close");
    response_fini(&r);
    client_want_eof(&c);
    CHECK_INT(f.requests, 2);
    client_close(&c);
    fixture_close(&f);
}

TEST(nobody_is_told_to_continue_without_a_body) {
    static const char *const requests[] = {
        "HEAD /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi",
    };
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
        client_send_str(&c, requests[i]);
        struct response r;
        client_response(&c, i == 0, &r);
        CHECK_INT(r.status, 200);
        response_fini(&r);
    }
    CHECK_INT(c.in.n, 0);
    client_close(&c);
    fixture_close(&f);
}

TEST(a_body_that_is_too_large_is_refused_before_it_is_sent) {
    struct fixture f;
    struct client c;
    fixture_open(&f, &(struct http_limits){.body = 10});
    client_open(&c, &f);
    client_send_str(&c,
                    "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n");
    CHECK_STATUS(&c, 413);
    client_want_eof(&c);
    client_close(&c);
    fixture_close(&f);
}

/* Bytes that trickle in do not buy more time for a head. */
TEST(a_head_has_its_time_in_all) {
    struct fixture f;
    struct client c;
    fixture_open(&f, &(struct http_limits){.head_ms = 20});
    client_open(&c, &f);
    client_send_str(&c, "GET /a HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    while (!client_looks(&c)) {
        client_send_str(&c, "x");
        fixture_turn(&f);
    }
    CHECK_STATUS(&c, 408);
    client_want_eof(&c);
    CHECK_INT(f.requests, 0);
    client_close(&c);
    fixture_close(&f);
}

/* Nor for a body: it has to come at some rate. */
TEST(a_body_has_to_come_at_some_rate) {
    struct fixture f;
    struct client c;
    fixture_open(&f, &(struct http_limits){.body_ms = 20, .rate = 100 << 20});
    client_open(&c, &f);
    client_send_str(&c, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n");
    while (!client_looks(&c)) {
        client_send_str(&c, "x");
        fixture_turn(&f);
    }
    CHECK_STATUS(&c, 408);
    client_want_eof(&c);
    CHECK_INT(f.requests, 0);
    client_close(&c);
    fixture_close(&f);
}

/* Who reads an answer in drops is let go of, although something goes on all the time. */
TEST(an_answer_has_to_be_read_at_some_rate) {
    struct fixture f;
    struct client c;
    fixture_open(&f, &(struct http_limits){.body_ms = 20, .rate = 500 << 20});
    client_open(&c, &f);
    for (int i = 0; i < 6; i++)
        client_send_str(&c, "GET /big HTTP/1.1\r\nHost: x\r\n\r\n");
    char drop[64];
    while (recv(c.fd, drop, sizeof drop, MSG_DONTWAIT) != 0 && errno != ECONNRESET)
        (void)uv_run(&f.loop, UV_RUN_NOWAIT);
    client_close(&c);
    fixture_close(&f);
}

TEST(an_empty_header_is_not_glued_to_the_next) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c, "GET /later HTTP/1.1\r\nX-Empty:\r\nX-Blank:  \r\nX-Full: v \r\nHost: x\r\n\r\n");
    while (f.later_count < 1)
        fixture_turn(&f);
    CHECK_INT(http_header(f.later[0], SPAN("x-empty")).n, 0);
    CHECK_INT(http_header(f.later[0], SPAN("x-blank")).n, 0);
    CHECK_SPAN(http_header(f.later[0], SPAN("x-full")), "v");
    CHECK_SPAN(http_header(f.later[0], SPAN("host")), "x");
    fixture_reply_later(&f, 0, "ok");
    CHECK_BODY(&c, "ok");
    client_close(&c);
    fixture_close(&f);
}

/* Answers that wait behind an open request belong to nobody once the client is gone. */
TEST(kept_answers_go_with_the_client) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c, GET_LATER GET_LATER "GET /big-copy HTTP/1.1\r\nHost: x\r\n\r\n");
    while (f.requests < 3)
        fixture_turn(&f);
    fixture_reply_later(&f, 1, "kept");
    struct linger reset = {.l_onoff = 1};
    CHECK_INT(setsockopt(c.fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset), 0);
    client_close(&c);
    fixture_close(&f);
    fixture_reply_later(&f, 0, "nobody reads this");
}

/* The answer is on its way when the server closes: it is sent, but not waited for without end. */
TEST(a_closing_server_sends_what_was_answered) {
    enum { BIG_BYTES = 3 * 1024 * 1024 };
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    client_send_str(&c, "GET /big HTTP/1.1\r\nHost: x\r\n\r\n");
    while (f.requests < 1)
        fixture_turn(&f);
    http_close(f.server);
    f.server = NULL;
    struct response r;
    client_response(&c, false, &r);
    CHECK_INT(r.body.n, BIG_BYTES);
    response_fini(&r);
    client_want_eof(&c);
    client_close(&c);
    fixture_close(&f);
}

TEST(a_closing_server_does_not_wait_for_who_does_not_read) {
    struct fixture f;
    struct client c;
    fixture_open(&f, NULL);
    client_open(&c, &f);
    for (int i = 0; i < 4; i++)
        client_send_str(&c, "GET /big HTTP/1.1\r\nHost: x\r\n\r\n");
    while (f.requests < 1)
        fixture_turn(&f);
    fixture_close(&f); /* its watchdog would say so */
    client_close(&c);
}

TESTS(RUN(a_close_in_the_middle_of_a_pipeline_ends_it), RUN(nobody_is_told_to_continue_without_a_body),
      RUN(a_body_that_is_too_large_is_refused_before_it_is_sent), RUN(a_head_has_its_time_in_all),
      RUN(a_body_has_to_come_at_some_rate), RUN(an_answer_has_to_be_read_at_some_rate),
      RUN(an_empty_header_is_not_glued_to_the_next), RUN(kept_answers_go_with_the_client),
      RUN(a_closing_server_sends_what_was_answered),
      RUN(a_closing_server_does_not_wait_for_who_does_not_read))
