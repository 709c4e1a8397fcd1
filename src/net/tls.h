/*
 * TLS as a filter between bytes and bytes: no socket, no clock. What came is fed in, plain text comes out; what is written goes,
 * sealed, into an `out` that the connection sends. TLS 1.2 and up, no renegotiation, only so
 * many key updates in a row, ALPN http/1.1. Whatever name a client asks for (SNI), it gets the one certificate there is: whether
 * that fits is for the client to say, and which names are served for the Host header (net/guard).
 */
#pragma once

#include "base/err.h"
#include "net/out.h"

/* A key, its certificate, and the rules; shared by all connections. */
struct tls;

enum { TLS_FINGERPRINT_BYTES = 96, TLS_DAYS = 820, TLS_KEY_UPDATES_MAX = 32 };

/* From PEM files; the certificate's may have the chain behind it. What cannot be read, does not match, or is out of date is
 * refused with a sentence. */
int tls_open(const char *cert_file, const char *key_file, struct tls **ret, struct err *err);
/* A pair of our own in `file`, for localhost, its addresses and `names` (host names or addresses; NULL-terminated). It is made
 * when there is none, and again when it has expired. */
int tls_open_own(const char *file, const char *const *names, struct tls **ret, struct err *err);
void tls_free(struct tls *t); /* NULL is fine */

/* SHA-256 of the certificate, as browsers show it: "AB:CD:…". */
const char *tls_fingerprint(const struct tls *t);
bool tls_is_own(const struct tls *t);
/* When the certificate expires, in milliseconds since 1970; 0 when that cannot be said. */
int64_t tls_expires_ms(const struct tls *t);
/* Takes the key and certificate of `fresh`, for connections that come from now on; what is left of `fresh` is to be freed. */
void tls_replace(struct tls *t, struct tls *fresh);

/* One connection. Borrows `t`. */
struct tls_stream;

struct tls_stream *tls_stream_new(struct tls *t);
void tls_stream_free(struct tls_stream *s); /* NULL is fine */

/* Does it begin as TLS does? Who speaks plain HTTP here gets a hint. */
bool tls_is_hello(struct span first);

/* Deciphers `*cipher`, all of it by and by. Returns how many bytes went to `into`; 0 when it needs more; -EPIPE when the peer has
 * said that nothing more comes, -EPROTO when it broke the rules (there may be an alert to send). */
int tls_stream_read(struct tls_stream *s, struct span *cipher, char *into, size_t room);
/* The handshake is through: from then on it may be written. */
bool tls_stream_is_open(const struct tls_stream *s);
/* Seals all of it. -EPROTO when that fails. */
int tls_stream_write(struct tls_stream *s, struct span plain);
/* Says that nothing more comes. */
void tls_stream_end(struct tls_stream *s);
/* What is to be sent. */
struct out *tls_stream_out(struct tls_stream *s);
