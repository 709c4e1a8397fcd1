#include "crypto/vapid.h"

#include "base/base64url.h"
#include "base/cleanup.h"
#include "test.h"

DEFINE_CLEANUP(p256, struct p256 *, p256_free);

/* Whether the signature is right is for others to say: test/e2e/push.test.mjs. */
TEST(the_parts_are_where_they_belong) {
    AUTO(p256) struct p256 *key = p256_make();
    AUTO(buf) struct buf header = BUF_INIT(VAPID_HEADER_MAX);
    CHECK_INT(vapid_header(key, SPAN("https://push.example"), SPAN("mailto:a@b.c"), 1453523768, &header), 0);
    struct span rest = buf_span(&header);
    CHECK(span_starts(rest, SPAN("vapid t=")));
    rest = span_skip(rest, 8);
    struct span token = span_split(&rest, ','), head = span_split(&token, '.'),
                claims = span_split(&token, '.');
    char text[256] = "";
    CHECK(base64url_read(head, text, sizeof text - 1) > 0);
    CHECK_STR(text, "{\"typ\":\"JWT\",\"alg\":\"ES256\"}");
    int n = base64url_read(claims, text, sizeof text - 1);
    CHECK(n > 0);
    text[n] = '\0';
    CHECK_STR(text, "{\"aud\":\"https://push.example\",\"exp\":1453523768,\"sub\":\"mailto:a@b.c\"}");
    CHECK_INT(base64url_read(token, text, sizeof text), P256_SIGNATURE_BYTES);
    CHECK(span_starts(rest, SPAN(" k=")));
    CHECK_INT(base64url_read(span_skip(rest, 3), text, sizeof text), P256_POINT_BYTES);
    CHECK(memcmp(text, p256_point(key), P256_POINT_BYTES) == 0);
}

TESTS(RUN(the_parts_are_where_they_belong))
