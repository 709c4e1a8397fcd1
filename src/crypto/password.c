#include "crypto/password.h"

#include "crypto/hex.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <string.h>

enum { SALT_BYTES = 16, SALT_HEX = 32, KEY_BYTES = 64, KEY_HEX = 128, COST = 16384, BLOCK = 8, LANES = 1 };

/* 128 * r * N, and some more for the library's own. */
enum { MEMORY_MAX = 64 << 20 };

static int derive(struct span password, struct span salt, unsigned char ret[KEY_BYTES]) {
    int ok = EVP_PBE_scrypt(password.n ? password.p : "", password.n, (const unsigned char *)salt.p, salt.n,
                            COST, BLOCK, LANES, MEMORY_MAX, ret, KEY_BYTES);
    return ok == 1 ? 0 : -ENOMEM;
}

int password_hash(struct span password, char ret[PASSWORD_HASH_BYTES]) {
    unsigned char salt[SALT_BYTES], key[KEY_BYTES];
    if (RAND_bytes(salt, sizeof salt) != 1) return -EIO;
    hex_put(ret, salt, sizeof salt);
    int r = derive(password, span_of(ret, SALT_HEX), key);
    if (r < 0) return r;
    ret[SALT_HEX] = ':';
    hex_put(ret + SALT_HEX + 1, key, sizeof key);
    ret[SALT_HEX + 1 + KEY_HEX] = '\0';
    OPENSSL_cleanse(key, sizeof key);
    return 0;
}

static bool is_hex(struct span s) {
    for (size_t i = 0; i < s.n; i++)
        if (!strchr("0123456789abcdefABCDEF", s.p[i]) || s.p[i] == '\0') return false;
    return true;
}

bool password_is_hash(struct span stored) {
    return stored.n == SALT_HEX + 1 + KEY_HEX && stored.p[SALT_HEX] == ':' &&
           is_hex(span_take(stored, SALT_HEX)) && is_hex(span_skip(stored, SALT_HEX + 1));
}

bool password_verify(struct span password, struct span stored) {
    if (!password_is_hash(stored) || password.n > PASSWORD_MAX) return false;
    unsigned char key[KEY_BYTES];
    char hex[KEY_HEX], wanted[KEY_HEX];
    if (derive(password, span_take(stored, SALT_HEX), key) < 0) return false;
    hex_put(hex, key, sizeof key);
    for (size_t i = 0; i < KEY_HEX; i++) {
        char c = stored.p[SALT_HEX + 1 + i];
        wanted[i] = c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c;
    }
    return CRYPTO_memcmp(hex, wanted, KEY_HEX) == 0;
}
