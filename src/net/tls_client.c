#include "net/tls_client.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "net/addr.h"
#include "net/target.h"

#include <errno.h>
#include <limits.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

struct tls_trust {
    SSL_CTX *context;
};

struct tls_client {
    SSL *ssl;
    BIO *in, *out; /* OpenSSL's */
};

struct tls_trust *tls_trust_open(void) {
    static const unsigned char http[] = "\x08http/1.1";
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1 ||
        SSL_CTX_set_default_verify_paths(context) != 1 ||
        SSL_CTX_set_alpn_protos(context, http, sizeof http - 1) != 0) {
        SSL_CTX_free(context);
        ERR_clear_error();
        return NULL;
    }
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    (void)SSL_CTX_set_options(context,
                              SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    struct tls_trust *t = xcalloc(1, sizeof *t);
    t->context = context;
    ERR_clear_error();
    return t;
}

void tls_trust_free(struct tls_trust *t) {
    if (!t) return;
    SSL_CTX_free(t->context);
    free(t);
}

/* The name must be in the certificate; an address, too, and that is not sent as a name. */
static bool set_name(SSL *ssl, const char *host) {
    struct addr a;
    if (addr_parse(span_str(host), &a)) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1;
    return SSL_set1_host(ssl, host) == 1 && SSL_set_tlsext_host_name(ssl, host) == 1;
}

struct tls_client *tls_client_new(struct tls_trust *t, struct span host) {
    char name[TARGET_HOST_MAX + 1];
    if (host.n >= sizeof name) return NULL;
    memcpy(name, host.p, host.n);
    name[host.n] = '\0';
    struct tls_client *c = xcalloc(1, sizeof *c);
    c->ssl = SSL_new(t->context);
    BIO *in = BIO_new(BIO_s_mem()), *out = BIO_new(BIO_s_mem());
    if (!c->ssl || !in || !out || !set_name(c->ssl, name)) {
        BIO_free(in);
        BIO_free(out);
        tls_client_free(c);
        return NULL;
    }
    c->in = in;
    c->out = out;
    SSL_set_bio(c->ssl, in, out);
    SSL_set_connect_state(c->ssl);
    return c;
}

void tls_client_free(struct tls_client *c) {
    if (!c) return;
    SSL_free(c->ssl);
    free(c);
}

/* What OpenSSL says of the last thing that was asked of it: 0 when it only wants more. */
static int judge(const struct tls_client *c, int result, struct err *err) {
    int why = SSL_get_error(c->ssl, result);
    long trust = SSL_get_verify_result(c->ssl);
    ERR_clear_error();
    if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) return 0;
    if (why == SSL_ERROR_ZERO_RETURN) return -EPIPE;
    if (trust != X509_V_OK)
        return err_set(err, -EPROTO, "its certificate is not trusted: %s",
                       X509_verify_cert_error_string(trust));
    return err_set(err, -EPROTO, "it does not speak TLS as we do");
}

int tls_client_shake(struct tls_client *c, struct err *err) {
    ERR_clear_error();
    int r = SSL_do_handshake(c->ssl);
    return r == 1 ? 0 : judge(c, r, err);
}

int tls_client_feed(struct tls_client *c, struct span cipher, struct err *err) {
    while (cipher.n) {
        int n = BIO_write(c->in, cipher.p, (int)MIN(cipher.n, (size_t)INT_MAX));
        if (n <= 0) return err_set(err, -EPROTO, "OpenSSL takes no more");
        cipher = span_skip(cipher, (size_t)n);
    }
    return tls_client_is_open(c) ? 0 : tls_client_shake(c, err);
}

int tls_client_read(struct tls_client *c, char *into, size_t room, struct err *err) {
    if (!tls_client_is_open(c)) return 0;
    ERR_clear_error();
    int n = SSL_read(c->ssl, into, (int)MIN(room, (size_t)INT_MAX));
    return n > 0 ? n : judge(c, n, err);
}

int tls_client_write(struct tls_client *c, struct span plain) {
    ERR_clear_error();
    while (plain.n) {
        int n = SSL_write(c->ssl, plain.p, (int)MIN(plain.n, (size_t)INT_MAX));
        if (n <= 0) return -EPROTO;
        plain = span_skip(plain, (size_t)n);
    }
    return 0;
}

bool tls_client_is_open(const struct tls_client *c) {
    return SSL_is_init_finished(c->ssl);
}

void tls_client_take(struct tls_client *c, struct buf *out) {
    char piece[4096];
    for (int n; (n = BIO_read(c->out, piece, sizeof piece)) > 0;)
        (void)buf_append(out, piece, (size_t)n);
}
