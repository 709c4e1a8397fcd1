#include "crypto/digest.h"

#include "base/mem.h"
#include "crypto/hex.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdlib.h>

void digest_sha256(struct span bytes, char ret[DIGEST_SHA256_HEX]) {
    unsigned char digest[SHA256_DIGEST_LENGTH];
    (void)SHA256((const unsigned char *)bytes.p, bytes.n, digest);
    hex_put(ret, digest, sizeof digest);
    ret[2 * sizeof digest] = '\0';
}

struct digest {
    EVP_MD_CTX *context;
};

struct digest *digest_begin(void) {
    struct digest *d = xcalloc(1, sizeof *d);
    d->context = EVP_MD_CTX_new();
    if (!d->context || EVP_DigestInit_ex(d->context, EVP_sha256(), NULL) != 1) abort();
    return d;
}

void digest_add(struct digest *d, struct span bytes) {
    if (bytes.n && EVP_DigestUpdate(d->context, bytes.p, bytes.n) != 1) abort();
}

void digest_end(struct digest *d, char ret[DIGEST_SHA256_HEX]) {
    unsigned char digest[SHA256_DIGEST_LENGTH];
    if (EVP_DigestFinal_ex(d->context, digest, NULL) != 1) abort();
    EVP_MD_CTX_free(d->context);
    free(d);
    hex_put(ret, digest, sizeof digest);
    ret[2 * sizeof digest] = '\0';
}

const char *digest_library(void) {
    return OpenSSL_version(OPENSSL_VERSION_STRING);
}
