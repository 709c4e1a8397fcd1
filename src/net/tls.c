#include "net/tls_int.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <limits.h>
#include <openssl/err.h>

enum { RECORD_HANDSHAKE = 0x16 };

struct tls_stream {
    SSL *ssl;
    struct span in; /* what OpenSSL may take at the moment */
    struct out out;
    unsigned key_updates; /* since the peer last sent something */
};

static int on_bio_write(BIO *bio, const char *p, int n) {
    struct tls_stream *s = BIO_get_data(bio);
    out_text(&s->out, span_of(p, (size_t)n));
    return s->out.failed ? -1 : n;
}

static int on_bio_read(BIO *bio, char *into, int room) {
    struct tls_stream *s = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    struct span part = span_take(s->in, (size_t)room);
    if (part.n == 0) {
        BIO_set_retry_read(bio);
        return -1;
    }
    memcpy(into, part.p, part.n);
    s->in = span_skip(s->in, part.n);
    return (int)part.n;
}

static long on_bio_control(BIO *bio UNUSED, int command, long number UNUSED, void *pointer UNUSED) {
    return command == BIO_CTRL_FLUSH;
}

/* A client that offers only other protocols is told so by an alert, as RFC 7301 asks. */
static int on_alpn(SSL *ssl UNUSED, const unsigned char **ret, unsigned char *ret_n,
                   const unsigned char *offered, unsigned offered_n, void *user UNUSED) {
    static const unsigned char ours[] = "\x08http/1.1";
    unsigned char *chosen;
    if (SSL_select_next_proto(&chosen, ret_n, ours, sizeof ours - 1, offered, offered_n) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    *ret = chosen;
    return SSL_TLSEXT_ERR_OK;
}

static bool set_rules(SSL_CTX *context) {
    static const unsigned char id[] = "ostler";
    (void)SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                           SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA |
                                           SSL_OP_IGNORE_UNEXPECTED_EOF);
    (void)SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    (void)SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF); /* clients keep theirs, in tickets */
    SSL_CTX_set_alpn_select_cb(context, on_alpn, NULL);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
           SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1 &&
           SSL_CTX_set_session_id_context(context, id, sizeof id - 1) == 1;
}

struct tls *tls_new(void) {
    struct tls *t = xcalloc(1, sizeof *t);
    t->context = SSL_CTX_new(TLS_server_method());
    t->method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "ostler");
    if (t->context && t->method && set_rules(t->context) &&
        BIO_meth_set_write(t->method, on_bio_write) == 1 && BIO_meth_set_read(t->method, on_bio_read) == 1 &&
        BIO_meth_set_ctrl(t->method, on_bio_control) == 1)
        return t;
    tls_free(t);
    return NULL;
}

void tls_free(struct tls *t) {
    if (!t) return;
    SSL_CTX_free(t->context);
    BIO_meth_free(t->method);
    free(t);
}

const char *tls_fingerprint(const struct tls *t) {
    return t->fingerprint;
}

bool tls_is_own(const struct tls *t) {
    return t->own;
}

int64_t tls_expires_ms(const struct tls *t) {
    return t->expires_ms;
}

void tls_replace(struct tls *t, struct tls *fresh) {
    SSL_CTX *context = t->context; /* connections hold on to theirs */
    t->context = fresh->context;
    fresh->context = context;
    t->expires_ms = fresh->expires_ms;
    memcpy(t->fingerprint, fresh->fingerprint, sizeof t->fingerprint);
}

/* Each of them costs us a new key and, if wished, an answer: somebody who sends nothing else has nothing to say. */
static void on_message(int writing, int version UNUSED, int kind, const void *bytes, size_t n,
                       SSL *ssl UNUSED, void *user) {
    struct tls_stream *s = user;
    if (!writing && kind == SSL3_RT_HANDSHAKE && n && *(const unsigned char *)bytes == SSL3_MT_KEY_UPDATE)
        s->key_updates++;
}

struct tls_stream *tls_stream_new(struct tls *t) {
    struct tls_stream *s = xcalloc(1, sizeof *s);
    out_init(&s->out);
    s->ssl = SSL_new(t->context);
    BIO *bio = s->ssl ? BIO_new(t->method) : NULL;
    if (!bio) {
        tls_stream_free(s);
        return NULL;
    }
    BIO_set_data(bio, s);
    BIO_set_init(bio, 1);
    SSL_set_bio(s->ssl, bio, bio);
    SSL_set_accept_state(s->ssl);
    SSL_set_msg_callback(s->ssl, on_message);
    SSL_set_msg_callback_arg(s->ssl, s);
    return s;
}

void tls_stream_free(struct tls_stream *s) {
    if (!s) return;
    SSL_free(s->ssl);
    out_fini(&s->out);
    free(s);
}

bool tls_is_hello(struct span first) {
    return first.n > 0 && first.p[0] == RECORD_HANDSHAKE;
}

int tls_stream_read(struct tls_stream *s, struct span *cipher, char *into, size_t room) {
    s->in = *cipher;
    ERR_clear_error();
    int n = SSL_read(s->ssl, into, (int)MIN(room, (size_t)INT_MAX));
    *cipher = s->in;
    s->in = SPAN_NONE;
    if (s->key_updates > TLS_KEY_UPDATES_MAX) return -EPROTO;
    if (n > 0) s->key_updates = 0;
    if (n > 0) return n;
    int why = SSL_get_error(s->ssl, n);
    ERR_clear_error();
    if (s->out.failed) return -EPROTO;
    if (why == SSL_ERROR_WANT_READ) return 0;
    return why == SSL_ERROR_ZERO_RETURN ? -EPIPE : -EPROTO;
}

bool tls_stream_is_open(const struct tls_stream *s) {
    return SSL_is_init_finished(s->ssl);
}

int tls_stream_write(struct tls_stream *s, struct span plain) {
    ERR_clear_error();
    while (plain.n) {
        int n = SSL_write(s->ssl, plain.p, (int)MIN(plain.n, (size_t)INT_MAX));
        if (n <= 0) {
            ERR_clear_error();
            return -EPROTO;
        }
        plain = span_skip(plain, (size_t)n);
    }
    return 0;
}

void tls_stream_end(struct tls_stream *s) {
    ERR_clear_error();
    if (tls_stream_is_open(s)) (void)SSL_shutdown(s->ssl);
    ERR_clear_error();
}

struct out *tls_stream_out(struct tls_stream *s) {
    return &s->out;
}
