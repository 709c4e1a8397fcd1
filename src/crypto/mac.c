#include "crypto/mac.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>

enum { INFO_MAX = 256 };

void mac_sha256(struct span key, struct span text, unsigned char ret[MAC_BYTES]) {
    unsigned n = 0;
    if (!HMAC(EVP_sha256(), key.p ? key.p : "", (int)key.n, (const unsigned char *)text.p, text.n, ret, &n) ||
        n != MAC_BYTES)
        abort();
}

void mac_derive(struct span salt, struct span secret, struct span info, unsigned char *ret, size_t n) {
    unsigned char key[MAC_BYTES], block[MAC_BYTES], text[INFO_MAX + 1];
    assert(n <= MAC_BYTES && info.n <= INFO_MAX);
    mac_sha256(salt, secret, key);
    if (info.n) memcpy(text, info.p, info.n);
    text[info.n] = 1;
    mac_sha256(span_of((const char *)key, sizeof key), span_of((const char *)text, info.n + 1), block);
    memcpy(ret, block, n);
    OPENSSL_cleanse(key, sizeof key);
    OPENSSL_cleanse(block, sizeof block);
}
