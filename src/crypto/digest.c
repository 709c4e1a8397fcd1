#include "crypto/digest.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

void digest_sha256(struct span bytes, char ret[DIGEST_SHA256_HEX]) {
    static const char hex[] = "0123456789abcdef";
    unsigned char digest[SHA256_DIGEST_LENGTH];
    (void)SHA256((const unsigned char *)bytes.p, bytes.n, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        ret[2 * i] = hex[digest[i] >> 4];
        ret[2 * i + 1] = hex[digest[i] & 15];
    }
    ret[2 * sizeof digest] = '\0';
}

const char *digest_library(void) {
    return OpenSSL_version(OPENSSL_VERSION_STRING);
}
