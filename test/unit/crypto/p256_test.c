#include "crypto/p256.h"

#include "base/base64url.h"
#include "base/cleanup.h"
#include "test.h"

DEFINE_CLEANUP(p256, struct p256 *, p256_free);

TEST(both_ends_agree) {
    AUTO(p256) struct p256 *a = p256_make();
    AUTO(p256) struct p256 *b = p256_make();
    unsigned char one[P256_NUMBER_BYTES], two[P256_NUMBER_BYTES];
    CHECK_INT(p256_agree(a, p256_point(b), one), 0);
    CHECK_INT(p256_agree(b, p256_point(a), two), 0);
    CHECK(memcmp(one, two, sizeof one) == 0);
    CHECK(memcmp(p256_point(a), p256_point(b), P256_POINT_BYTES) != 0);
}

TEST(a_key_is_found_again_by_its_number) {
    AUTO(p256) struct p256 *a = p256_make();
    unsigned char number[P256_NUMBER_BYTES];
    p256_number(a, number);
    AUTO(p256) struct p256 *b = p256_of(number);
    CHECK(memcmp(p256_point(a), p256_point(b), P256_POINT_BYTES) == 0);
}

/* RFC 6979, A.2.5: the key pair. */
TEST(a_known_pair) {
    static const unsigned char number[] = {0xc9, 0xaf, 0xa9, 0xd8, 0x45, 0xba, 0x75, 0x16, 0x6b, 0x5c, 0x21,
                                           0x57, 0x67, 0xb1, 0xd6, 0x93, 0x4e, 0x50, 0xc3, 0xdb, 0x36, 0xe8,
                                           0x9b, 0x12, 0x7b, 0x8a, 0x62, 0x2b, 0x12, 0x0f, 0x67, 0x21};
    static const unsigned char x[] = {0x60, 0xfe, 0xd4, 0xba, 0x25, 0x5a, 0x9d, 0x31, 0xc9, 0x61, 0xeb,
                                      0x74, 0xc6, 0x35, 0x6d, 0x68, 0xc0, 0x49, 0xb8, 0x92, 0x3b, 0x61,
                                      0xfa, 0x6c, 0xe6, 0x69, 0x62, 0x2e, 0x60, 0xf2, 0x9f, 0xb6};
    AUTO(p256) struct p256 *k = p256_of(number);
    CHECK(k);
    CHECK_INT(p256_point(k)[0], 4);
    CHECK(memcmp(p256_point(k) + 1, x, sizeof x) == 0);
}

TEST(what_is_no_key_is_refused) {
    unsigned char number[P256_NUMBER_BYTES] = {0}, point[P256_POINT_BYTES], secret[P256_NUMBER_BYTES];
    CHECK(!p256_of(number)); /* zero */
    memset(number, 0xff, sizeof number);
    CHECK(!p256_of(number)); /* past the curve's order */
    AUTO(p256) struct p256 *k = p256_make();
    memcpy(point, p256_point(k), sizeof point);
    CHECK(p256_is_point(point));
    point[P256_POINT_BYTES - 1] ^= 1; /* beside the curve */
    CHECK(!p256_is_point(point));
    CHECK_INT(p256_agree(k, point, secret) < 0, 1);
    memset(point, 0, sizeof point);
    CHECK(!p256_is_point(point));
    point[0] = 4;
    CHECK(!p256_is_point(point));
}

TEST(signatures_differ_and_have_their_length) {
    AUTO(p256) struct p256 *k = p256_make();
    unsigned char one[P256_SIGNATURE_BYTES], two[P256_SIGNATURE_BYTES];
    CHECK_INT(p256_sign(k, SPAN("a text"), one), 0);
    CHECK_INT(p256_sign(k, SPAN("another"), two), 0);
    CHECK(memcmp(one, two, sizeof one) != 0);
}

TESTS(RUN(both_ends_agree), RUN(a_key_is_found_again_by_its_number), RUN(a_known_pair),
      RUN(what_is_no_key_is_refused), RUN(signatures_differ_and_have_their_length))
