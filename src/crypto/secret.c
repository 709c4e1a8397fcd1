#include "crypto/secret.h"

#include "crypto/hex.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/rand.h>

int secret_draw(char ret[SECRET_BYTES]) {
    unsigned char bytes[SECRET_HEX / 2];
    if (RAND_bytes(bytes, sizeof bytes) != 1) return -EIO;
    hex_put(ret, bytes, sizeof bytes);
    ret[SECRET_HEX] = '\0';
    OPENSSL_cleanse(bytes, sizeof bytes);
    return 0;
}

bool secret_is_one(struct span text) {
    if (text.n != SECRET_HEX) return false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
    }
    return true;
}

bool secret_eq(struct span a, struct span b) {
    return a.n == b.n && a.n > 0 && CRYPTO_memcmp(a.p, b.p, a.n) == 0;
}
