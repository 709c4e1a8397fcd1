#include "net/http_answer.h"

#include "test.h"

#define OK "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"

TEST(a_head_is_read_once_it_is_whole) {
    struct http_answer a = {0};
    for (size_t n = 0; n + 1 < sizeof OK - 1; n++)
        CHECK_INT(http_answer_read(span_of(OK, n), &a), 0);
    CHECK_INT(http_answer_read(SPAN(OK), &a), 1);
    CHECK_INT(a.status, 201);
    CHECK_INT(a.retry_after_s, 0);
}

TEST(it_may_say_when_to_try_again) {
    struct http_answer a = {0};
    CHECK_INT(http_answer_read(SPAN("HTTP/1.1 429 \r\nretry-AFTER:  17\r\n\r\nbody"), &a), 1);
    CHECK_INT(a.status, 429);
    CHECK_INT(a.retry_after_s, 17);
    CHECK_INT(http_answer_read(SPAN("HTTP/1.1 503 x\r\nRetry-After: 99999999999\r\n\r\n"), &a), 1);
    CHECK_INT(a.retry_after_s, HTTP_ANSWER_RETRY_MAX_S);
    CHECK_INT(
        http_answer_read(SPAN("HTTP/1.1 503 x\r\nRetry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\n\r\n"), &a),
        1);
    CHECK_INT(a.retry_after_s, 0);
}

TEST(what_only_announces_is_skipped) {
    struct http_answer a = {0};
    CHECK_INT(http_answer_read(SPAN("HTTP/1.1 100 Continue\r\n\r\n"), &a), 0);
    CHECK_INT(http_answer_read(SPAN("HTTP/1.1 100 Continue\r\n\r\n" OK), &a), 1);
    CHECK_INT(a.status, 201);
}

TEST(what_is_no_answer_is_refused) {
    static const char *const wrong[] = {"SSH-2.0\r\n\r\n",       "HTTP/2 200\r\n\r\n",
                                        "HTTP/1.1 20\r\n\r\n",   "HTTP/1.1 2000\r\n\r\n",
                                        "HTTP/1.1 999 \r\n\r\n", "\r\n\r\n"};
    struct http_answer a;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        CHECK(http_answer_read(span_str(wrong[i]), &a) < 0);
    static char endless[HTTP_ANSWER_HEAD_MAX + 1];
    memset(endless, 'a', sizeof endless);
    CHECK(http_answer_read(span_of(endless, sizeof endless), &a) < 0);
}

TESTS(RUN(a_head_is_read_once_it_is_whole), RUN(it_may_say_when_to_try_again),
      RUN(what_only_announces_is_skipped), RUN(what_is_no_answer_is_refused))
