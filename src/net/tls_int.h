/* What the files of TLS share. */
#pragma once

#include "net/tls.h"

#include <openssl/ssl.h>

struct tls {
    SSL_CTX *context;
    BIO_METHOD *method; /* spans in, struct out out */
    bool own;
    int64_t expires_ms;
    char fingerprint[TLS_FINGERPRINT_BYTES];
};

/* A context with the rules, and no key yet; NULL when OpenSSL cannot. */
struct tls *tls_new(void);

/* A new pair as PEM text, the key first. */
int tls_make_pair(const char *const *names, struct buf *pem, struct err *err);
