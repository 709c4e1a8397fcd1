#include "api/push_list.h"

#include "base/base64url.h"
#include "base/cleanup.h"
#include "base/jwrite.h"
#include "test.h"

DEFINE_CLEANUP(p256, struct p256 *, p256_free);

/* What a browser sends. */
static void body(struct buf *out, const char *endpoint, const char *more) {
    AUTO(p256) struct p256 *key = p256_make();
    AUTO(buf) struct buf point = BUF_INIT(128);
    (void)base64url_put(&point, p256_point(key), P256_POINT_BYTES);
    buf_clear(out);
    (void)buf_printf(
        out, "{\"endpoint\":\"%s\",\"keys\":{\"p256dh\":\"%.*s\",\"auth\":\"BTBZMqHH6r4Tts7J_aSIgg\"}%s}",
        endpoint, SPAN_ARG(buf_span(&point)), more);
}

static struct push_sub *add(struct push_list *l, const char *id, const char *endpoint, const char *more) {
    AUTO(buf) struct buf json = BUF_INIT(8192);
    struct push_sub sub;
    struct err err = {0};
    body(&json, endpoint, more);
    if (push_sub_parse(buf_span(&json), NULL, 0, &sub, &err) < 0) fail_msg("%s", err.msg);
    memcpy(sub.id, id, TOKEN_ID_BYTES);
    return push_list_put(l, &sub);
}

TEST(a_browser_that_subscribes_again_keeps_its_id) {
    struct push_list l;
    push_list_init(&l);
    (void)add(&l, "00000001", "https://push.example/1", "");
    (void)add(&l, "00000002", "https://push.example/2", "");
    const struct push_sub *again = add(&l, "00000003", "https://push.example/1", ",\"kinds\":[\"plan\"]");
    CHECK_STR(again->id, "00000001");
    CHECK_INT(again->kinds, 1U << ATTENTION_PLAN);
    CHECK_INT(l.count, 2);
    push_list_fini(&l);
}

TEST(quiet_hours_are_those_of_the_browser) {
    struct push_list l;
    push_list_init(&l);
    /* 22:00 to 07:00, an hour ahead of UTC */
    const struct push_sub *sub = add(&l, "00000001", "https://push.example/1",
                                     ",\"quiet\":{\"from\":1320,\"to\":420,\"timezoneOffset\":-60}");
    const int64_t hour = 3600 * 1000, day = 24 * hour;
    CHECK(push_sub_wants(sub, ATTENTION_PLAN, 20 * day + 20 * hour + 59 * 60 * 1000));
    CHECK(!push_sub_wants(sub, ATTENTION_PLAN, 20 * day + 21 * hour));
    CHECK(!push_sub_wants(sub, ATTENTION_PLAN, 20 * day));
    CHECK(!push_sub_wants(sub, ATTENTION_PLAN, 20 * day + 6 * hour - 1));
    CHECK(push_sub_wants(sub, ATTENTION_PLAN, 20 * day + 6 * hour));
    CHECK(!push_sub_wants(sub, ATTENTION_NONE, 20 * day + 6 * hour));
    push_list_fini(&l);
}

TEST(the_file_gives_back_what_was_written) {
    struct push_list l, m;
    AUTO(buf) struct buf one = BUF_INIT(PUSH_LIST_FILE_BYTES);
    AUTO(buf) struct buf two = BUF_INIT(PUSH_LIST_FILE_BYTES);
    push_list_init(&l);
    push_list_init(&m);
    memcpy(add(&l, "00000001", "https://push.example/1", ",\"kinds\":[]")->login, "0badcafe", TOKEN_ID_BYTES);
    (void)add(&l, "00000002", "https://push.example/2",
              ",\"quiet\":{\"from\":1,\"to\":2,\"timezoneOffset\":3}");
    push_list_write(&l, &one);
    CHECK_INT(push_list_read(&m, buf_span(&one)), 0);
    push_list_write(&m, &two);
    CHECK(span_eq(buf_span(&one), buf_span(&two)));
    CHECK_INT(push_list_read(&m, span_take(buf_span(&one), one.n - 1)) < 0, 1); /* cut off */
    CHECK_INT(m.count, 0);
    CHECK(push_list_read(&m, SPAN("nonsense")) < 0);
    push_list_fini(&l);
    push_list_fini(&m);
}

TEST(there_are_never_more_than_so_many) {
    struct push_list l;
    push_list_init(&l);
    for (unsigned i = 0; i < PUSH_LIST_MAX + 3; i++) {
        char id[TOKEN_ID_BYTES], endpoint[64];
        (void)snprintf(id, sizeof id, "%08x", i);
        (void)snprintf(endpoint, sizeof endpoint, "https://push.example/%u", i);
        (void)add(&l, id, endpoint, "");
    }
    CHECK_INT(l.count, PUSH_LIST_MAX);
    CHECK(!push_list_find(&l, SPAN("00000002")));
    CHECK(push_list_find(&l, SPAN("00000003")));
    push_list_fini(&l);
}

static bool is_cafe(void *user UNUSED, const char *login) {
    return strcmp(login, "0badcafe") == 0;
}

TEST(those_of_logins_that_are_no_more_go) {
    struct push_list l;
    push_list_init(&l);
    memcpy(add(&l, "00000001", "https://push.example/1", "")->login, "0badcafe", TOKEN_ID_BYTES);
    (void)add(&l, "00000002", "https://push.example/2", "");
    CHECK(push_list_prune(&l, is_cafe, NULL));
    CHECK(!push_list_prune(&l, is_cafe, NULL));
    CHECK(push_list_find(&l, SPAN("00000001")) && l.count == 1);
    push_list_fini(&l);
}

TESTS(RUN(a_browser_that_subscribes_again_keeps_its_id), RUN(quiet_hours_are_those_of_the_browser),
      RUN(the_file_gives_back_what_was_written), RUN(there_are_never_more_than_so_many),
      RUN(those_of_logins_that_are_no_more_go))
