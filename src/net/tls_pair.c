/* Keys and certificates: read from files and looked at, or made. */
#include "net/tls_int.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/own.h"
#include "base/own_linked.h"
#include "net/addr.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

enum { SERIAL_BYTES = 16, PEM_MAX = 64 << 10, DAY_S = 24 * 60 * 60, YESTERDAY = -DAY_S };

DEFINE_CLEANUP(tls, struct tls *, tls_free);
DEFINE_CLEANUP(x509, X509 *, X509_free);
DEFINE_CLEANUP(pkey, EVP_PKEY *, EVP_PKEY_free);
DEFINE_CLEANUP(bio, BIO *, BIO_free_all);
DEFINE_CLEANUP(bignum, BIGNUM *, BN_free);

/* Reading */

/* Nobody is asked for a passphrase: the daemon has no terminal to rely on. */
static int no_passphrase(char *into UNUSED, int room UNUSED, int writing UNUSED, void *user) {
    *(bool *)user = true;
    return 0;
}

static int check_readable(const char *file, const char *what, struct err *err) {
    struct stat st;
    AUTO(fd) int fd = file_open_plain(file, &st);
    if (fd == -EINVAL || fd == -EISDIR) return err_set(err, -EINVAL, "the %s %s is not a file", what, file);
    return fd < 0 ? err_sys(err, fd, "cannot read the %s %s", what, file) : 0;
}

static int check_dates(const X509 *cert, const char *file, struct err *err) {
    if (X509_cmp_current_time(X509_get0_notAfter(cert)) <= 0)
        return err_set(
            err, -EKEYEXPIRED,
            "the certificate in %s has expired: put a new one in its place, it is taken up at once", file);
    if (X509_cmp_current_time(X509_get0_notBefore(cert)) > 0)
        return err_set(err, -EKEYREJECTED,
                       "the certificate in %s is not valid yet: is this machine's clock right?", file);
    return 0;
}

static int64_t expires_ms(const X509 *cert) {
    struct tm tm;
    if (ASN1_TIME_to_tm(X509_get0_notAfter(cert), &tm) != 1) return 0;
    return (int64_t)timegm(&tm) * 1000;
}

static void write_fingerprint(const X509 *cert, char ret[TLS_FINGERPRINT_BYTES]) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    ret[0] = '\0';
    if (X509_digest(cert, EVP_sha256(), digest, &n) != 1) return;
    for (unsigned i = 0; i < n; i++)
        (void)snprintf(ret + i * (size_t)3, 4, i + 1 < n ? "%02X:" : "%02X", digest[i]);
}

static int load_pair(const char *cert_file, const char *key_file, struct tls **ret, struct err *err) {
    AUTO(tls) struct tls *t = tls_new();
    if (!t) return err_set(err, -ENOMEM, "OpenSSL cannot be set up for TLS");
    int r = check_readable(cert_file, "certificate", err);
    if (r == 0) r = check_readable(key_file, "key", err);
    if (r < 0) return r;
    bool has_passphrase = false;
    SSL_CTX_set_default_passwd_cb(t->context, no_passphrase);
    SSL_CTX_set_default_passwd_cb_userdata(t->context, &has_passphrase);
    if (SSL_CTX_use_certificate_chain_file(t->context, cert_file) != 1)
        return err_set(err, -EINVAL, "%s has no certificate that can be used (PEM is expected)", cert_file);
    int used = SSL_CTX_use_PrivateKey_file(t->context, key_file, SSL_FILETYPE_PEM);
    SSL_CTX_set_default_passwd_cb_userdata(t->context, NULL);
    if (has_passphrase)
        return err_set(err, -EINVAL, "the key in %s has a passphrase: take it off with openssl pkey",
                       key_file);
    bool differs = used == 1 ? SSL_CTX_check_private_key(t->context) != 1
                             : ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH;
    if (differs)
        return err_set(err, -EINVAL, "the key in %s does not belong to the certificate in %s", key_file,
                       cert_file);
    if (used != 1)
        return err_set(err, -EINVAL, "%s has no private key that can be used (PEM is expected)", key_file);
    const X509 *cert = SSL_CTX_get0_certificate(t->context);
    r = check_dates(cert, cert_file, err);
    if (r < 0) return r;
    write_fingerprint(cert, t->fingerprint);
    t->expires_ms = expires_ms(cert);
    *ret = TAKE(t);
    return 0;
}

int tls_open(const char *cert_file, const char *key_file, struct tls **ret, struct err *err) {
    ERR_clear_error();
    int r = load_pair(cert_file, key_file, ret, err);
    ERR_clear_error();
    return r;
}

/* Making */

static bool add_name(GENERAL_NAMES *names, struct span name) {
    struct addr a;
    bool is_address = addr_parse(name, &a), v4 = is_address && addr_is_v4(&a);
    ASN1_OCTET_STRING *value = is_address ? ASN1_OCTET_STRING_new() : ASN1_IA5STRING_new();
    GENERAL_NAME *general = GENERAL_NAME_new();
    if (!value || !general ||
        !(is_address ? ASN1_STRING_set(value, v4 ? a.bytes + 12 : a.bytes, v4 ? 4 : 16)
                     : ASN1_STRING_set(value, name.p, (int)name.n))) {
        ASN1_STRING_free(value);
        GENERAL_NAME_free(general);
        return false;
    }
    GENERAL_NAME_set0_value(general, is_address ? GEN_IPADD : GEN_DNS, value);
    if (sk_GENERAL_NAME_push(names, general) > 0) return true;
    GENERAL_NAME_free(general);
    return false;
}

static bool add_names(X509 *cert, const char *const *more) {
    static const char *const loopback[] = {"localhost", "127.0.0.1", "::1", NULL};
    GENERAL_NAMES *names = sk_GENERAL_NAME_new_null();
    bool ok = names;
    for (const char *const *name = loopback; ok && *name; name++)
        ok = add_name(names, span_str(*name));
    for (const char *const *name = more; ok && name && *name; name++)
        ok = add_name(names, span_str(*name));
    ok = ok && X509_add1_ext_i2d(cert, NID_subject_alt_name, names, 0, 0) == 1;
    GENERAL_NAMES_free(names);
    return ok;
}

static bool add_extension(X509 *cert, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, cert, cert, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    bool ok = extension && X509_add_ext(cert, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return ok;
}

static bool fill(X509 *cert, EVP_PKEY *key, const char *const *names) {
    AUTO(bignum) BIGNUM *serial = BN_new();
    X509_NAME *subject = X509_get_subject_name(cert);
    return serial && BN_rand(serial, SERIAL_BYTES * 8 - 1, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1 &&
           BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(cert)) &&
           X509_set_version(cert, X509_VERSION_3) == 1 &&
           X509_gmtime_adj(X509_getm_notBefore(cert), YESTERDAY) &&
           X509_time_adj_ex(X509_getm_notAfter(cert), TLS_DAYS, 0, NULL) && X509_set_pubkey(cert, key) == 1 &&
           X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)"ostler", -1, -1,
                                      0) == 1 &&
           X509_set_issuer_name(cert, subject) == 1 && add_names(cert, names) &&
           add_extension(cert, NID_basic_constraints, "critical,CA:FALSE") &&
           add_extension(cert, NID_key_usage, "critical,digitalSignature") &&
           add_extension(cert, NID_ext_key_usage, "serverAuth") && X509_sign(cert, key, EVP_sha256()) > 0;
}

int tls_make_pair(const char *const *names, struct buf *pem, struct err *err) {
    AUTO(pkey) EVP_PKEY *key = EVP_EC_gen("P-256");
    AUTO(x509) X509 *cert = X509_new();
    AUTO(bio) BIO *text = BIO_new(BIO_s_mem());
    char *bytes = NULL;
    bool ok = key && cert && text && fill(cert, key, names) &&
              PEM_write_bio_PKCS8PrivateKey(text, key, NULL, NULL, 0, NULL, NULL) == 1 &&
              PEM_write_bio_X509(text, cert) == 1;
    long n = ok ? BIO_get_mem_data(text, &bytes) : 0;
    ERR_clear_error();
    if (n <= 0 || buf_append(pem, bytes, (size_t)n) < 0)
        return err_set(err, -ENOMEM, "OpenSSL cannot make a key and a certificate");
    return 0;
}

int tls_open_own(const char *file, const char *const *names, struct tls **ret, struct err *err) {
    AUTO(fd) int fd = own_open(file, O_RDONLY, 0);
    if (fd < 0 && fd != -ENOENT)
        return err_set(err, fd, "cannot read the certificate %s: %s", file, own_why(fd));
    int r = fd >= 0 ? tls_open(file, file, ret, err) : -EKEYEXPIRED;
    if (r == -EKEYEXPIRED) {
        AUTO(buf) struct buf pem = BUF_INIT(PEM_MAX);
        r = tls_make_pair(names, &pem, err);
        if (r == 0 && (r = file_replace(file, buf_span(&pem), 0600, true)) < 0)
            (void)err_sys(err, r, "cannot write %s", file);
        if (r == 0) r = tls_open(file, file, ret, err);
        if (pem.n) OPENSSL_cleanse(pem.p, pem.n);
    }
    if (r == 0) (*ret)->own = true;
    return r;
}
