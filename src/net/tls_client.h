/* The other side of TLS, for requests that the daemon makes: a filter between bytes and bytes, like net/tls. The peer's certificate
 * must be good for its name by what the system trusts (OpenSSL's files, or SSL_CERT_FILE and SSL_CERT_DIR). */
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum { TLS_CLIENT_OUT_MAX = 256 << 10 };

/* What all connections share; NULL when OpenSSL cannot. */
struct tls_trust;
struct tls_trust *tls_trust_open(void);
void tls_trust_free(struct tls_trust *t); /* NULL is fine */

struct tls_client;

/* To `host`, a name or an address. NULL when OpenSSL cannot. */
struct tls_client *tls_client_new(struct tls_trust *t, struct span host);
void tls_client_free(struct tls_client *c); /* NULL is fine */

/* What came from the peer. -EPROTO with a sentence: the handshake failed, or the certificate is not trusted. */
int tls_client_feed(struct tls_client *c, struct span cipher, struct err *err);
/* Plain bytes that came; 0 when there are none now, -EPIPE when no more come, -EPROTO as above. */
int tls_client_read(struct tls_client *c, char *into, size_t room, struct err *err);
/* Seals all of it; only once it is open. */
int tls_client_write(struct tls_client *c, struct span plain);
bool tls_client_is_open(const struct tls_client *c);
/* Begins, or goes on with, the handshake. */
int tls_client_shake(struct tls_client *c, struct err *err);
/* Moves what is to be sent behind what `out` holds. */
void tls_client_take(struct tls_client *c, struct buf *out);
