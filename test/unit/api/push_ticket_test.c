#include "api/push_ticket.h"

#include "base/cleanup.h"
#include "test.h"

#include <errno.h>

static const unsigned char key[PUSH_TICKET_KEY_BYTES] = "a key that nobody else has, 32 b";
static const unsigned char other[PUSH_TICKET_KEY_BYTES] = "another one";

static const struct push_ticket ticket = {
    .until_ms = 1000, .decisions = PUSH_DENY, .sub = "0badcafe", .request = "r1f", .digest = "abc"};

TEST(it_says_what_it_is_good_for_until_its_time_is_up) {
    AUTO(buf) struct buf text = BUF_INIT(PUSH_TICKET_TEXT_MAX);
    struct push_ticket t;
    push_ticket_write(&ticket, key, &text);
    CHECK_INT(push_ticket_read(buf_span(&text), key, 999, &t), 0);
    CHECK_INT(t.decisions, PUSH_DENY);
    CHECK_STR(t.sub, "0badcafe");
    CHECK_STR(t.request, "r1f");
    CHECK_STR(t.digest, "abc");
    CHECK_INT(push_ticket_read(buf_span(&text), key, 1000, &t), -ETIME);
}

TEST(nobody_else_can_make_or_change_one) {
    AUTO(buf) struct buf text = BUF_INIT(PUSH_TICKET_TEXT_MAX);
    struct push_ticket t;
    push_ticket_write(&ticket, key, &text);
    CHECK_INT(push_ticket_read(buf_span(&text), other, 1, &t), -EINVAL);
    for (size_t i = 0; i < text.n; i++) {
        char was = text.p[i];
        text.p[i] = was == '3' ? '4' : '3';
        CHECK_INT(push_ticket_read(buf_span(&text), key, 1, &t), -EINVAL);
        text.p[i] = was;
        CHECK_INT(push_ticket_read(span_take(buf_span(&text), i), key, 1, &t), -EINVAL);
    }
}

TESTS(RUN(it_says_what_it_is_good_for_until_its_time_is_up), RUN(nobody_else_can_make_or_change_one))
