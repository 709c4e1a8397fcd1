#include "crypto/push_seal.h"

#include "base/base64url.h"
#include "base/cleanup.h"
#include "test.h"

DEFINE_CLEANUP(p256, struct p256 *, p256_free);

static void bytes(const char *text, void *ret, size_t n) {
    CHECK_INT(base64url_read(span_str(text), ret, n), n);
}

/* RFC 8291, section 5 and appendix A. */
TEST(the_example_of_the_rfc) {
    struct push_seal_to to;
    unsigned char number[P256_NUMBER_BYTES], salt[PUSH_SEAL_SALT_BYTES];
    bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", to.point,
          sizeof to.point);
    bytes("BTBZMqHH6r4Tts7J_aSIgg", to.auth, sizeof to.auth);
    bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", number, sizeof number);
    bytes("DGv6ra1nlYgDCS1FRnbzlw", salt, sizeof salt);
    AUTO(p256) struct p256 *sender = p256_of(number);
    AUTO(buf) struct buf body = BUF_INIT(PUSH_SEAL_BODY_MAX);
    AUTO(buf) struct buf text = BUF_INIT(2 * PUSH_SEAL_BODY_MAX);
    CHECK_INT(push_seal(&to, sender, salt, SPAN("When I grow up, I want to be a watermelon"), &body), 0);
    CHECK_INT(base64url_put(&text, body.p, body.n), 0);
    CHECK_SPAN(
        buf_span(&text),
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
        "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN");
}

TEST(the_longest_text_makes_the_longest_body) {
    struct push_seal_to to = {0};
    AUTO(p256) struct p256 *browser = p256_make();
    memcpy(to.point, p256_point(browser), sizeof to.point);
    AUTO(buf) struct buf body = BUF_INIT(PUSH_SEAL_BODY_MAX);
    char text[PUSH_SEAL_PLAIN_MAX + 1] = "";
    CHECK_INT(push_seal_fresh(&to, span_of(text, PUSH_SEAL_PLAIN_MAX), &body), 0);
    CHECK_INT(body.n, PUSH_SEAL_BODY_MAX);
    buf_clear(&body);
    CHECK(push_seal_fresh(&to, span_of(text, PUSH_SEAL_PLAIN_MAX + 1), &body) < 0);
}

TEST(a_browser_without_a_key_gets_nothing) {
    struct push_seal_to to = {0};
    AUTO(buf) struct buf body = BUF_INIT(PUSH_SEAL_BODY_MAX);
    CHECK(push_seal_fresh(&to, SPAN("text"), &body) < 0);
    CHECK_INT(body.n, 0);
}

TESTS(RUN(the_example_of_the_rfc), RUN(the_longest_text_makes_the_longest_body),
      RUN(a_browser_without_a_key_gets_nothing))
