#include "crypto/mac.h"

#include "crypto/hex.h"
#include "test.h"

static void check_hex(const unsigned char *bytes, size_t n, const char *hex) {
    char text[2 * MAC_BYTES + 1] = "";
    hex_put(text, bytes, n);
    CHECK_STR(text, hex);
}

/* RFC 4231, case 2. */
TEST(hmac) {
    unsigned char mac[MAC_BYTES];
    mac_sha256(SPAN("Jefe"), SPAN("what do ya want for nothing?"), mac);
    check_hex(mac, sizeof mac, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

/* RFC 5869, cases 1 and 3, of which the first 32 bytes are looked at. */
TEST(hkdf) {
    unsigned char out[MAC_BYTES];
    char secret[22], salt[13], info[10];
    memset(secret, 0x0b, sizeof secret);
    for (size_t i = 0; i < sizeof salt; i++)
        salt[i] = (char)i;
    for (size_t i = 0; i < sizeof info; i++)
        info[i] = (char)(0xf0 + i);
    mac_derive(span_of(salt, sizeof salt), span_of(secret, sizeof secret), span_of(info, sizeof info), out,
               32);
    check_hex(out, 32, "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf");
    mac_derive(SPAN_NONE, span_of(secret, sizeof secret), SPAN_NONE, out, 32);
    check_hex(out, 32, "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d");
}

TESTS(RUN(hmac), RUN(hkdf))
