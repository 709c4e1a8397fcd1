/* What only TLS has: versions, names, files, and ends that are torn. */
#include "fixture.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <time.h>

static const char get_a[] = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(speaks_1_2_and_1_3_and_nothing_older) {
    static const struct {
        int version;
        bool spoken;
    } cases[] = {
        {TLS1_VERSION, false}, {TLS1_1_VERSION, false}, {TLS1_2_VERSION, true}, {TLS1_3_VERSION, true}};
    struct fixture f;
    fixture_open_via(&f, NULL, VIA_TLS);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct client c;
        client_connect(&c, &f);
        CHECK_INT(client_shake_hands(&c, cases[i].version, NULL), cases[i].spoken);
        if (cases[i].spoken) {
            client_send_str(&c, get_a);
            CHECK_BODY(&c, "/a");
        } else {
            client_want_eof(&c);
        }
        client_close(&c);
    }
    fixture_close(&f);
}

TEST(chooses_http_1_1) {
    struct fixture f;
    struct client c;
    const unsigned char *chosen;
    unsigned n;
    fixture_open_via(&f, NULL, VIA_TLS);
    client_open(&c, &f);
    SSL_get0_alpn_selected(c.tls->ssl, &chosen, &n);
    CHECK_SPAN(span_of((const char *)chosen, n), "http/1.1");
    client_close(&c);
    client_connect(&c, &f);
    CHECK(!client_shake_hands(&c, 0, "\x02h2"));
    client_close(&c);
    fixture_close(&f);
}

TEST(says_that_it_is_secure) {
    struct fixture f;
    struct client c;
    fixture_open_via(&f, NULL, VIA_TLS);
    client_open(&c, &f);
    client_send_str(&c, "GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
    while (f.later_count < 1)
        fixture_turn(&f);
    CHECK(http_is_secure(f.later[0]));
    CHECK(!http_from_owner(f.later[0]));
    fixture_reply_later(&f, 0, "ok");
    CHECK_BODY(&c, "ok");
    client_close(&c);
    fixture_close(&f);
}

TEST(who_speaks_plainly_gets_a_hint) {
    struct fixture f;
    struct client c;
    fixture_open_via(&f, NULL, VIA_TLS);
    client_connect(&c, &f);
    client_send_str(&c, get_a);
    struct response r;
    client_response(&c, false, &r);
    CHECK_INT(r.status, 400);
    CHECK(span_icontains(r.body, SPAN("https://")));
    CHECK_SPAN(response_header(&r, "connection"), "close");
    response_fini(&r);
    client_want_eof(&c);
    CHECK_INT(f.requests, 0);
    client_close(&c);
    fixture_close(&f);
}

TEST(a_handshake_has_its_time) {
    static const char *const beginnings[] = {"", "\x16", "\x16\x03\x01\x02\x05\x01"};
    struct fixture f;
    fixture_open_via(&f, &(struct http_limits){.head_ms = 20}, VIA_TLS);
    for (size_t i = 0; i < ARRAY_LEN(beginnings); i++) {
        struct client c;
        client_connect(&c, &f);
        client_send_str(&c, beginnings[i]);
        client_want_eof(&c);
        client_close(&c);
    }
    fixture_close(&f);
}

TEST(garbage_ends_it) {
    static const char *const garbage[] = {"\x16\x03\x01\xff\xff garbage",
                                          "\x16\x03\x01\x01\x05garbage garbage",
                                          "\x16\x03\x03\x01\x04\x63\x63\x63\x63"};
    struct fixture f;
    fixture_open_via(&f, NULL, VIA_TLS);
    for (size_t i = 0; i < ARRAY_LEN(garbage); i++) {
        struct client c;
        client_connect(&c, &f);
        client_send_str(&c, garbage[i]);
        (void)shutdown(c.fd, SHUT_WR);
        client_want_eof(&c);
        client_close(&c);
    }
    /* And in the middle of a connection that stands. */
    struct client c;
    client_open(&c, &f);
    client_send_str(&c, get_a);
    CHECK_BODY(&c, "/a");
    CHECK_INT(send(c.fd, "\x17\x03\x03\x00\x20 this is no sealed record at all..", 37, MSG_NOSIGNAL), 37);
    client_want_eof(&c);
    client_close(&c);
    fixture_close(&f);
}

/* What the client's side wants to send, as it is. */
static void send_sealed(struct client *c) {
    struct buf cipher = BUF_INIT(1 << 20);
    tls_client_take(c->tls, &cipher);
    CHECK_INT(send(c->fd, cipher.p, cipher.n, MSG_NOSIGNAL), cipher.n);
    buf_fini(&cipher);
}

static void update_keys(struct client *c, unsigned times) {
    for (unsigned i = 0; i < times; i++) {
        CHECK_INT(SSL_key_update(c->tls->ssl, SSL_KEY_UPDATE_REQUESTED), 1);
        CHECK_INT(SSL_do_handshake(c->tls->ssl), 1);
        send_sealed(c);
    }
}

TEST(new_keys_now_and_then_but_not_without_end) {
    struct fixture f;
    struct client c;
    fixture_open_via(&f, NULL, VIA_TLS);
    client_connect(&c, &f);
    CHECK(client_shake_hands(&c, TLS1_3_VERSION, NULL));
    for (int i = 0; i < 4; i++) {
        update_keys(&c, TLS_KEY_UPDATES_MAX / 2);
        client_send_str(&c, get_a);
        CHECK_BODY(&c, "/a");
    }
    update_keys(&c, TLS_KEY_UPDATES_MAX + 1);
    client_want_eof(&c);
    client_close(&c);
    fixture_close(&f);
}

TEST(a_second_handshake_is_refused) {
    struct fixture f;
    struct client c;
    char bytes[1024];
    struct buf plain = BUF_INIT(1024);
    fixture_open_via(&f, NULL, VIA_TLS);
    client_connect(&c, &f);
    CHECK(client_shake_hands(&c, TLS1_2_VERSION, NULL));
    CHECK_INT(SSL_renegotiate(c.tls->ssl), 1);
    (void)SSL_do_handshake(c.tls->ssl);
    send_sealed(&c);
    ssize_t n = -1;
    while ((n = recv(c.fd, bytes, sizeof bytes, MSG_DONTWAIT)) < 0)
        fixture_turn(&f);
    CHECK(n > 0);
    tls_client_feed(c.tls, span_of(bytes, (size_t)n), &plain);
    CHECK(c.tls->ended); /* it was told no */
    CHECK_INT(plain.n, 0);
    buf_fini(&plain);
    client_close(&c);
    fixture_close(&f);
}

/* Who says that nothing more comes still gets what was asked for, and a proper end. */
TEST(a_side_that_is_closed) {
    struct fixture f;
    struct client c;
    fixture_open_via(&f, NULL, VIA_TLS);
    client_open(&c, &f);
    client_send_str(&c, "GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
    while (f.later_count < 1)
        fixture_turn(&f);
    client_end(&c);
    fixture_turn(&f);
    fixture_reply_later(&f, 0, "after all");
    CHECK_BODY(&c, "after all");
    client_want_eof(&c);
    CHECK(c.tls->ended);
    client_close(&c);
    client_open(&c, &f); /* and one that says nothing at all */
    client_end(&c);
    client_want_eof(&c);
    client_close(&c);
    fixture_close(&f);
}

TEST(ends_with_a_word) {
    struct fixture f;
    struct client c;
    fixture_open_via(&f, NULL, VIA_TLS);
    client_open(&c, &f);
    client_send_str(&c, "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    CHECK_BODY(&c, "/a");
    client_want_eof(&c);
    CHECK_INT(SSL_get_shutdown(c.tls->ssl) & SSL_RECEIVED_SHUTDOWN, SSL_RECEIVED_SHUTDOWN);
    client_close(&c);
    fixture_close(&f);
}

/* Certificates */

static EVP_PKEY *new_key(void) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    CHECK(key);
    return key;
}

static void write_key(const char *path, EVP_PKEY *key, const char *passphrase) {
    FILE *f = fopen(path, "we");
    CHECK(f);
    CHECK_INT(PEM_write_PKCS8PrivateKey(f, key, passphrase ? EVP_aes_256_cbc() : NULL, passphrase,
                                        passphrase ? (int)strlen(passphrase) : 0, NULL, NULL),
              1);
    (void)fclose(f);
}

static void write_cert(const char *path, EVP_PKEY *key, long from, long to) {
    X509 *cert = X509_new();
    X509_NAME *name = X509_get_subject_name(cert);
    CHECK_INT(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"test", -1, -1, 0),
              1);
    CHECK(X509_set_issuer_name(cert, name) && X509_set_pubkey(cert, key) &&
          X509_gmtime_adj(X509_getm_notBefore(cert), from) && X509_gmtime_adj(X509_getm_notAfter(cert), to) &&
          X509_sign(cert, key, EVP_sha256()));
    FILE *f = fopen(path, "we");
    CHECK(f);
    CHECK_INT(PEM_write_X509(f, cert), 1);
    (void)fclose(f);
    X509_free(cert);
}

static void check_open(const char *cert, const char *key, int expected, const char *word) {
    struct tls *tls = NULL;
    struct err err = {0};
    int r = tls_open(cert, key, &tls, &err);
    if (r != expected) fail_msg("%s, %s: %d, not %d: %s", cert, key, r, expected, err.msg);
    if (r == 0)
        CHECK_INT(strlen(tls_fingerprint(tls)), 95);
    else if (!strstr(err.msg, word))
        fail_msg("\"%s\" does not say \"%s\"", err.msg, word);
    if (tls) CHECK(!tls_is_own(tls));
    tls_free(tls);
}

TEST(files_that_are_no_pair) {
    struct temp_dir dir = temp_dir_make();
    CHECK_INT(chdir(dir.path), 0);
    EVP_PKEY *key = new_key(), *other = new_key(), *rsa = EVP_RSA_gen(2048);
    write_key("key", key, NULL);
    write_key("other", other, NULL);
    write_key("rsa", rsa, NULL);
    write_key("locked", key, "secret");
    write_cert("cert", key, -100, 100000);
    write_cert("old", key, -1000, -100);
    write_cert("future", key, 100000, 200000);
    FILE *empty = fopen("empty", "we");
    CHECK(empty);
    (void)fclose(empty);
    check_open("cert", "key", 0, "");
    check_open("cert", "other", -EINVAL, "does not belong");
    check_open("cert", "rsa", -EINVAL, "does not belong");
    check_open("cert", "locked", -EINVAL, "passphrase");
    check_open("old", "key", -EKEYEXPIRED, "expired");
    check_open("future", "key", -EKEYREJECTED, "not valid yet");
    check_open("missing", "key", -ENOENT, "missing");
    check_open("cert", "missing", -ENOENT, "missing");
    check_open("empty", "key", -EINVAL, "no certificate");
    check_open("cert", "empty", -EINVAL, "no private key");
    check_open("key", "key", -EINVAL, "no certificate");
    check_open(".", "key", -EINVAL, "not a file");
    CHECK_INT(mkfifo("fifo", 0600), 0);
    check_open("cert", "fifo", -EINVAL, "not a file");
    EVP_PKEY_free(key);
    EVP_PKEY_free(other);
    EVP_PKEY_free(rsa);
    temp_dir_remove(dir.path);
}

static X509 *read_cert(const char *path) {
    FILE *f = fopen(path, "re");
    CHECK(f);
    X509 *cert = PEM_read_X509(f, NULL, NULL, NULL);
    (void)fclose(f);
    CHECK(cert);
    return cert;
}

TEST(a_pair_of_its_own_is_made_once) {
    static const char *const names[] = {"barn.example", "192.0.2.7", NULL};
    struct temp_dir dir = temp_dir_make();
    char path[128], first[TLS_FINGERPRINT_BYTES];
    (void)snprintf(path, sizeof path, "%s/tls.pem", dir.path);
    struct tls *tls;
    struct err err = {0};
    struct stat st;
    CHECK_INT(tls_open_own(path, names, &tls, &err), 0);
    CHECK(tls_is_own(tls));
    (void)snprintf(first, sizeof first, "%s", tls_fingerprint(tls));
    tls_free(tls);
    CHECK_INT(stat(path, &st), 0);
    CHECK_INT(st.st_mode & 0777, 0600);

    X509 *cert = read_cert(path);
    CHECK_INT(X509_check_host(cert, "localhost", 0, 0, NULL), 1);
    CHECK_INT(X509_check_host(cert, "barn.example", 0, 0, NULL), 1);
    CHECK_INT(X509_check_host(cert, "evil.example", 0, 0, NULL), 0);
    CHECK_INT(X509_check_ip_asc(cert, "127.0.0.1", 0), 1);
    CHECK_INT(X509_check_ip_asc(cert, "::1", 0), 1);
    CHECK_INT(X509_check_ip_asc(cert, "192.0.2.7", 0), 1);
    CHECK_INT(EVP_PKEY_get_bits(X509_get0_pubkey(cert)), 256);
    time_t limit = time(NULL) + 825L * 24 * 60 * 60;
    CHECK_INT(X509_cmp_time(X509_get0_notAfter(cert), &limit), -1);
    X509_free(cert);

    CHECK_INT(tls_open_own(path, names, &tls, &err), 0);
    CHECK_STR(tls_fingerprint(tls), first);
    tls_free(tls);

    /* One that has expired is made again; one that is broken is somebody's to look at. */
    EVP_PKEY *key = new_key();
    write_cert(path, key, -1000, -100);
    FILE *f = fopen(path, "ae");
    CHECK(f);
    CHECK_INT(PEM_write_PKCS8PrivateKey(f, key, NULL, NULL, 0, NULL, NULL), 1);
    (void)fclose(f);
    EVP_PKEY_free(key);
    CHECK_INT(tls_open_own(path, names, &tls, &err), 0);
    CHECK(strcmp(tls_fingerprint(tls), first) != 0);
    tls_free(tls);
    CHECK_INT(truncate(path, 40), 0);
    CHECK_INT(tls_open_own(path, names, &tls, &err), -EINVAL);
    CHECK(strstr(err.msg, path));
    temp_dir_remove(dir.path);
}

TESTS(RUN(speaks_1_2_and_1_3_and_nothing_older), RUN(chooses_http_1_1), RUN(says_that_it_is_secure),
      RUN(who_speaks_plainly_gets_a_hint), RUN(a_handshake_has_its_time), RUN(garbage_ends_it),
      RUN(new_keys_now_and_then_but_not_without_end), RUN(a_second_handshake_is_refused),
      RUN(a_side_that_is_closed), RUN(ends_with_a_word), RUN(files_that_are_no_pair),
      RUN(a_pair_of_its_own_is_made_once))
