#include "crypto/digest.h"

#include "crypto/hex.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

void digest_sha256(struct span bytes, char ret[DIGEST_SHA256_HEX]) {
    unsigned char digest[SHA256_DIGEST_LENGTH];
    (void)SHA256((const unsigned char *)bytes.p, bytes.n, digest);
    hex_put(ret, digest, sizeof digest);
    ret[2 * sizeof digest] = '\0';
}

const char *digest_library(void) {
    return OpenSSL_version(OPENSSL_VERSION_STRING);
}
