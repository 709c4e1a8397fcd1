#include "crypto/push_seal.h"

#include "base/cleanup.h"
#include "crypto/mac.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

enum { KEY_BYTES = 16, NONCE_BYTES = 12, TAG_BYTES = 16, LAST_RECORD = 2 };

DEFINE_CLEANUP(cipher_ctx, EVP_CIPHER_CTX *, EVP_CIPHER_CTX_free);
DEFINE_CLEANUP(p256, struct p256 *, p256_free);

struct keys {
    unsigned char key[KEY_BYTES], nonce[NONCE_BYTES];
};

static struct span bytes_of(const void *p, size_t n) {
    return span_of(p, n);
}

/* The key and the nonce, from what only sender and browser can work out. */
static int derive(const struct push_seal_to *to, const struct p256 *sender, const unsigned char *salt,
                  struct keys *ret) {
    static const char label[] = "WebPush: info"; /* its NUL is part of what is derived from */
    unsigned char agreed[P256_NUMBER_BYTES], secret[MAC_BYTES];
    char info[sizeof label + 2 * P256_POINT_BYTES];
    if (p256_agree(sender, to->point, agreed) < 0) return -EINVAL;
    memcpy(info, label, sizeof label);
    memcpy(info + sizeof label, to->point, P256_POINT_BYTES);
    memcpy(info + sizeof label + P256_POINT_BYTES, p256_point(sender), P256_POINT_BYTES);
    mac_derive(bytes_of(to->auth, sizeof to->auth), bytes_of(agreed, sizeof agreed),
               bytes_of(info, sizeof info), secret, sizeof secret);
    struct span from = bytes_of(salt, PUSH_SEAL_SALT_BYTES), with = bytes_of(secret, sizeof secret);
    mac_derive(from, with, bytes_of("Content-Encoding: aes128gcm", 28), ret->key, sizeof ret->key);
    mac_derive(from, with, bytes_of("Content-Encoding: nonce", 24), ret->nonce, sizeof ret->nonce);
    OPENSSL_cleanse(agreed, sizeof agreed);
    OPENSSL_cleanse(secret, sizeof secret);
    return 0;
}

/* Salt, the record's size, and the sender's public key. */
static void put_head(const struct p256 *sender, const unsigned char *salt, struct buf *out) {
    static const unsigned char size[] = {0, 0, PUSH_SEAL_BODY_MAX >> 8, 0, P256_POINT_BYTES};
    (void)buf_append(out, salt, PUSH_SEAL_SALT_BYTES);
    (void)buf_append(out, size, sizeof size);
    (void)buf_append(out, p256_point(sender), P256_POINT_BYTES);
}

static int encrypt(const struct keys *keys, struct span plain, struct buf *out) {
    static const unsigned char end = LAST_RECORD;
    AUTO(cipher_ctx) EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    unsigned char *at = (unsigned char *)buf_reserve(out, plain.n + 1 + TAG_BYTES);
    int n = 0, more = 0, rest = 0;
    if (!at) return -ENOBUFS;
    if (!context || EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, keys->key, keys->nonce) != 1 ||
        EVP_EncryptUpdate(context, at, &n, (const unsigned char *)plain.p, (int)plain.n) != 1 ||
        EVP_EncryptUpdate(context, at + n, &more, &end, 1) != 1 ||
        EVP_EncryptFinal_ex(context, at + n + more, &rest) != 1 ||
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, TAG_BYTES, at + n + more + rest) != 1)
        return -EIO;
    buf_grew(out, (size_t)(n + more + rest) + TAG_BYTES);
    return 0;
}

int push_seal(const struct push_seal_to *to, const struct p256 *sender,
              const unsigned char salt[PUSH_SEAL_SALT_BYTES], struct span plain, struct buf *out) {
    struct keys keys;
    if (plain.n > PUSH_SEAL_PLAIN_MAX) return -EINVAL;
    int r = derive(to, sender, salt, &keys);
    if (r < 0) return r;
    put_head(sender, salt, out);
    r = encrypt(&keys, plain, out);
    OPENSSL_cleanse(&keys, sizeof keys);
    return out->failed ? -ENOBUFS : r;
}

int push_seal_fresh(const struct push_seal_to *to, struct span plain, struct buf *out) {
    unsigned char salt[PUSH_SEAL_SALT_BYTES];
    AUTO(p256) struct p256 *sender = p256_make();
    if (!sender || RAND_bytes(salt, sizeof salt) != 1) return -EIO;
    return push_seal(to, sender, salt, plain, out);
}
