/* The client's side of TLS for tests, over bytes like the server's: OpenSSL between two memory buffers. */
#pragma once

#include "base/buf.h"

#include <openssl/ssl.h>

struct tls_client {
    SSL_CTX *context;
    SSL *ssl;
    BIO *in, *out;
    bool ended; /* the peer has said that nothing more comes, or broke off */
};

/* `version` is the only one that it speaks, 0 for any; `protocols` is what it offers in ALPN's form, NULL for nothing. */
void tls_client_init(struct tls_client *t, int version, const char *protocols);
void tls_client_fini(struct tls_client *t);
/* Takes what came; plain text is added to `plain`. */
void tls_client_feed(struct tls_client *t, struct span cipher, struct buf *plain);
void tls_client_write(struct tls_client *t, struct span plain); /* only when it is open */
void tls_client_end(struct tls_client *t);
bool tls_client_is_open(const struct tls_client *t);
/* What is to be sent; takes it. */
void tls_client_take(struct tls_client *t, struct buf *cipher);
