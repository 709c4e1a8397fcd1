#include "tls_client.h"

#include "test.h"

#include <openssl/err.h>

void tls_client_init(struct tls_client *t, int version, const char *protocols) {
    *t = (struct tls_client){.context = SSL_CTX_new(TLS_client_method())};
    CHECK(t->context);
    CHECK_INT(SSL_CTX_set_min_proto_version(t->context, version), 1);
    CHECK_INT(SSL_CTX_set_max_proto_version(t->context, version), 1);
    SSL_CTX_set_security_level(t->context, 0); /* it may ask for what nobody should grant */
    t->ssl = SSL_new(t->context);
    CHECK(t->ssl);
    if (protocols)
        CHECK_INT(SSL_set_alpn_protos(t->ssl, (const unsigned char *)protocols, (unsigned)strlen(protocols)),
                  0);
    t->in = BIO_new(BIO_s_mem());
    t->out = BIO_new(BIO_s_mem());
    SSL_set_bio(t->ssl, t->in, t->out);
    SSL_set_connect_state(t->ssl);
    (void)SSL_do_handshake(t->ssl);
    ERR_clear_error();
}

void tls_client_fini(struct tls_client *t) {
    SSL_free(t->ssl);
    SSL_CTX_free(t->context);
    *t = (struct tls_client){0};
}

void tls_client_feed(struct tls_client *t, struct span cipher, struct buf *plain) {
    char bytes[16384];
    if (cipher.n) CHECK_INT(BIO_write(t->in, cipher.p, (int)cipher.n), cipher.n);
    for (int n; !t->ended;) {
        n = SSL_read(t->ssl, bytes, sizeof bytes);
        if (n <= 0) {
            t->ended = SSL_get_error(t->ssl, n) != SSL_ERROR_WANT_READ;
            ERR_clear_error();
            return;
        }
        CHECK_INT(buf_append(plain, bytes, (size_t)n), 0);
    }
}

void tls_client_write(struct tls_client *t, struct span plain) {
    if (plain.n) CHECK_INT(SSL_write(t->ssl, plain.p, (int)plain.n), plain.n);
}

void tls_client_end(struct tls_client *t) {
    (void)SSL_shutdown(t->ssl);
    ERR_clear_error();
}

bool tls_client_is_open(const struct tls_client *t) {
    return SSL_is_init_finished(t->ssl);
}

void tls_client_take(struct tls_client *t, struct buf *cipher) {
    char bytes[16384];
    for (int n; (n = BIO_read(t->out, bytes, sizeof bytes)) > 0;)
        CHECK_INT(buf_append(cipher, bytes, (size_t)n), 0);
}
