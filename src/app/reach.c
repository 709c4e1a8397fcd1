#define LOG_TAG "serve"
#include "app/reach.h"

#include "app/daemon_file.h"
#include "app/serve.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/strv.h"
#include "config/config.h"
#include "net/lan.h"
#include "net/tls.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

enum { PROXIES_MAX = 64, EXAMPLE_PORT = 3333 };

static int load_config(struct reach *r, const struct paths *paths, struct err *err) {
    char file[PATH_BYTES];
    AUTO(config) struct config c = {0};
    if (config_path(paths, file) < 0)
        return err_set(err, -ENAMETOOLONG, "the configuration file's path is too long");
    int failed = config_load(file, &c, err);
    if (failed < 0) return failed;
    r->has_password = c.password_hash;
    r->server_names = TAKE(c.server_names);
    r->proxies = TAKE(c.trusted_proxies);
    r->cert = TAKE(c.tls_cert);
    r->key = TAKE(c.tls_key);
    return 0;
}

/* Addresses and names */

static const char *host_of(const struct serve_options *options) {
    return options->host ? options->host : "127.0.0.1";
}

static bool is_everywhere(const char *host) {
    return strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
}

static bool is_loopback(const char *host) {
    struct addr a;
    return addr_parse(span_str(host), &a) && addr_is_loopback(&a);
}

static int check_password(const struct reach *r, const struct serve_options *options, struct err *err) {
    const char *host = host_of(options);
    struct addr a;
    if (!addr_parse(span_str(host), &a))
        return err_set(err, -EINVAL, "\"%s\" is not an IP address to listen on", host);
    if (is_loopback(host) || r->has_password) return 0;
    unsigned port = options->port ? options->port : EXAMPLE_PORT;
    return err_set(
        err, -EACCES,
        "on %s other machines could read your agents' work and type into your shells: set a password "
        "first with ostler password set, or use ssh -L %u:localhost:%u from there",
        host, port, port);
}

/* What other machines may call this one. */
static void find_own_names(struct reach *r, const char *host) {
    char name[HOST_NAME_MAX + 1] = "", local[HOST_NAME_MAX + 8];
    if (is_loopback(host) || gethostname(name, sizeof name - 1) < 0 || !name[0]) return;
    strv_push(&r->own_names, span_str(name));
    if (strchr(name, '.')) return;
    (void)snprintf(local, sizeof local, "%s.local", name);
    strv_push(&r->own_names, span_str(local));
}

/* Without its port. */
static void add_certificate_name(struct reach *r, const char *name) {
    struct span rest = span_str(name), bare = rest;
    struct addr a;
    if (!addr_parse(bare, &a))
        bare = rest.p[0] == '[' ? span_skip(span_split(&rest, ']'), 1) : span_split(&rest, ':');
    if (bare.n) strv_push(&r->more_names, bare);
}

static void find_certificate_names(struct reach *r, const char *host) {
    char address[ADDR_TEXT_BYTES], name[HOST_NAME_MAX + 1] = "";
    if (!r->own_names && gethostname(name, sizeof name - 1) == 0 && name[0]) add_certificate_name(r, name);
    for (char **own = r->own_names; own && *own; own++)
        add_certificate_name(r, *own);
    for (char **served = r->server_names; served && *served; served++)
        add_certificate_name(r, *served);
    if (is_everywhere(host) && lan_address(address) == 0)
        add_certificate_name(r, address);
    else if (!is_everywhere(host) && !is_loopback(host))
        add_certificate_name(r, host);
}

static int open_tls(struct reach *r, const struct paths *paths, const struct serve_options *options,
                    struct err *err) {
    const char *cert = options->tls_cert ? options->tls_cert : r->cert;
    const char *key = options->tls_key ? options->tls_key : r->key;
    char file[PATH_BYTES];
    if (!cert != !key)
        return err_set(err, -EINVAL,
                       "TLS needs both a certificate and its key: --tls-cert FILE --tls-key FILE");
    if (cert) {
        (void)snprintf(r->cert_file, sizeof r->cert_file, "%s", cert);
        (void)snprintf(r->key_file, sizeof r->key_file, "%s", key);
        return tls_open(cert, key, &r->tls, err);
    }
    if (!options->tls) return 0;
    if (path_join(file, paths->state, "tls.pem") < 0)
        return err_set(err, -ENAMETOOLONG, "the state directory's path is too long");
    (void)snprintf(r->cert_file, sizeof r->cert_file, "%s", file);
    (void)snprintf(r->key_file, sizeof r->key_file, "%s", file);
    find_certificate_names(r, host_of(options));
    return tls_open_own(file, (const char *const *)r->more_names, &r->tls, err);
}

int reach_prepare(struct reach *r, const struct paths *paths, const struct serve_options *options,
                  struct err *err) {
    int failed = load_config(r, paths, err);
    if (failed == 0) failed = check_password(r, options, err);
    if (failed < 0) return failed;
    find_own_names(r, host_of(options));
    return open_tls(r, paths, options, err);
}

void reach_free(struct reach *r) {
    tls_free(r->tls);
    strv_free(r->own_names);
    strv_free(r->server_names);
    strv_free(r->proxies);
    strv_free(r->more_names);
    free(r->cert);
    free(r->key);
    *r = (struct reach){0};
}

/* Opening */

static int trust_proxies(const struct reach *r, struct http_server *http, struct err *err) {
    struct addr_range ranges[PROXIES_MAX];
    size_t count = 0;
    for (char **proxy = r->proxies; proxy && *proxy; proxy++) {
        if (count == PROXIES_MAX)
            return err_set(err, -E2BIG, "trustedProxies has more than %d entries: use ranges", PROXIES_MAX);
        if (!addr_range_parse(span_str(*proxy), &ranges[count++]))
            return err_set(err, -EINVAL,
                           "\"%s\" in trustedProxies is no address, and no range like 10.0.0.0/8", *proxy);
    }
    if (count) http_trust_proxies(http, ranges, count);
    return 0;
}

/* The command line can do without it, if there is no password and no TLS. */
void reach_open_door(struct reach *r, const struct paths *paths, struct http_server *http) {
    struct err err = {0};
    if (r->socket[0]) return;
    if (path_join(r->socket, paths->run, DAEMON_SOCKET) < 0 || http_open_door(http, r->socket, &err) < 0) {
        log_warn("the command line has no socket of its own: %s", err.msg);
        r->socket[0] = '\0';
    }
}

static void write_url(const struct reach *r, const char *host, uint16_t port, char url[128]) {
    bool v6 = strchr(host, ':');
    (void)snprintf(url, 128, "%s://%s%s%s:%u", r->tls ? "https" : "http", v6 ? "[" : "", host, v6 ? "]" : "",
                   port);
}

static void write_urls(struct reach *r, const char *host, uint16_t port) {
    char address[ADDR_TEXT_BYTES];
    bool here = is_loopback(host), everywhere = is_everywhere(host);
    write_url(r, here || everywhere ? "localhost" : host, port, r->url);
    if (everywhere && lan_address(address) == 0)
        write_url(r, address, port, r->lan_url);
    else if (!here && !everywhere)
        write_url(r, host, port, r->lan_url);
}

int reach_open(struct reach *r, const struct paths *paths, const struct serve_options *options,
               struct http_server *http, struct guard *guard, struct err *err) {
    int failed = trust_proxies(r, http, err);
    if (failed < 0) return failed;
    if (r->tls) http_use_tls(http, r->tls);
    reach_open_door(r, paths, http);
    write_urls(r, host_of(options), http_port(http));
    *guard = (struct guard){.port = http_port(http),
                            .tls = r->tls,
                            .own_names = (const char *const *)r->own_names,
                            .server_names = (const char *const *)r->server_names};
    return 0;
}

void reach_announce(const struct reach *r) {
    if (r->lan_url[0]) log_info("other machines reach it at %s", r->lan_url);
    if (r->tls)
        log_info("the certificate's fingerprint (SHA-256) is %s%s", tls_fingerprint(r->tls),
                 tls_is_own(r->tls) ? "; browsers warn, because it is this machine's own" : "");
}
