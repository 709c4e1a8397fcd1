/* Pairing a phone: a code in a picture that it takes, with which it logs in once and for long. */
#include "api/api.h"
#include "api/auth.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/qr.h"
#include "net/target.h"

#include <errno.h>
#include <string.h>

enum { URL_MAX = 160 };

static bool is_loopback_name(struct span host) {
    struct addr a;
    if (addr_parse(host, &a)) return addr_is_loopback(&a);
    return span_ieq(host, SPAN("localhost")) || span_ends(host, SPAN(".localhost"));
}

/* The address of the page that asks, when others than this machine can reach it, over TLS. */
static struct span own_page(struct http_exchange *x) {
    struct span url = arena_printf(http_request(x)->arena, "https://%.*s", SPAN_ARG(http_host(x)));
    struct target t;
    if (!http_is_secure(x) || http_from_owner(x) || !target_parse(url, &t) || is_loopback_name(t.host))
        return SPAN_NONE;
    return t.origin;
}

/* The first name that was configured, as TLS is needed to use it. */
static struct span configured(const struct api *api, struct http_exchange *x) {
    const struct guard *g = &api->guard;
    const char *name = g->server_names ? g->server_names[0] : NULL;
    if (!name) return SPAN_NONE;
    /* Behind a proxy the name stands alone; with TLS of our own it has our port unless it says another. */
    if (!g->tls || strchr(name, ':')) return arena_printf(http_request(x)->arena, "https://%s", name);
    return arena_printf(http_request(x)->arena, "https://%s:%u", name, g->port);
}

/* Where the phone is to go; answered when nobody knows. */
static bool find_url(const struct api *api, struct http_exchange *x, struct span given, struct span *ret) {
    struct target t;
    if (given.n) {
        bool good = given.n <= URL_MAX && target_parse(given, &t) && (t.path.n == 1 || t.path.p[0] != '/');
        if (!good)
            http_reply_error(x, 400, "url must be the board's address, such as https://barn.example:3333");
        if (good) *ret = t.origin;
        return good;
    }
    *ret = own_page(x);
    if (!ret->n) *ret = configured(api, x);
    if (!ret->n && api->guard.tls) *ret = span_str(api->lan_url);
    if (ret->n) return true;
    http_reply_error(
        x, 409,
        "a phone cannot reach this board yet: start it for other machines with TLS (ostler serve --host 0.0.0.0 "
        "--tls), or name the address of your proxy or Tailscale with --url; see \"A phone\" in operations.md");
    return false;
}

static void put_picture(struct jwrite *w, struct span url) {
    struct qr qr;
    jwrite_key(w, "qr");
    if (qr_make(url, &qr) < 0) {
        jwrite_null(w);
        return;
    }
    jwrite_array(w);
    for (int r = 0; r < qr.size; r++) {
        char row[QR_SIZE_MAX];
        for (int c = 0; c < qr.size; c++)
            row[c] = qr.dark[r][c] ? '1' : '0';
        jwrite_str(w, span_of(row, (size_t)qr.size));
    }
    jwrite_array_end(w);
}

static void reply_code(struct http_exchange *x, struct span origin, const char *code) {
    AUTO(buf) struct buf body = BUF_INIT(API_BODY_MAX);
    struct span url = arena_printf(http_request(x)->arena, "%.*s/#pair=%s", SPAN_ARG(origin), code);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kcstr(&w, "code", code);
    jwrite_kstr(&w, "url", url);
    jwrite_ki64(&w, "expiresIn", PAIR_CODE_MS / 1000);
    jwrite_kbool(&w, "secure", span_istarts(origin, SPAN("https:")));
    put_picture(&w, url);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}

/* {name?, lookOnly?, url?} */
static bool read_terms(struct http_exchange *x, struct token_terms *ret, struct span *ret_url) {
    struct span body = span_trim(http_request(x)->body);
    struct jmember m[] = {JMEMBER("name"), JMEMBER("lookOnly"), JMEMBER("url")};
    *ret = (struct token_terms){.paired = true};
    *ret_url = SPAN_NONE;
    if (body.n && (jvalid(body, 8) < 0 || jscan_object(body, m, ARRAY_LEN(m)) < 0)) {
        http_reply_error(x, 400, "the body must be a JSON object");
        return false;
    }
    struct span name = jscan_text(m[0].value, http_request(x)->arena);
    if (m[0].value.n && !token_name_valid(name)) {
        http_reply_error(x, 400, "name takes up to %d plain letters, digits and blanks",
                         TOKEN_NAME_BYTES - 1);
        return false;
    }
    if (m[1].value.n && !jscan_bool(m[1].value, &ret->look_only)) {
        http_reply_error(x, 400, "lookOnly must be true or false");
        return false;
    }
    if (name.n) memcpy(ret->name, name.p, name.n);
    *ret_url = jscan_text(m[2].value, http_request(x)->arena);
    return true;
}

void api_pair_device(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    struct token_terms terms;
    struct span given, url;
    char code[PAIR_CODE_BYTES];
    if (!auth_has_password(api->auth)) {
        http_reply_error(
            x, 409,
            "without a password the board is for this user of this machine alone, and nobody logs in: set one "
            "with ostler password set, then start it for other machines with TLS (ostler serve --host 0.0.0.0 --tls)");
        return;
    }
    if (!read_terms(x, &terms, &given) || !find_url(api, x, given, &url)) return;
    if (pair_codes_make(&api->auth->pair_codes, &terms, usec_to_msec(clock_wall(api->clock)), code) < 0)
        http_reply_error(x, 500, "The system has no randomness for a code");
    else
        reply_code(x, url, code);
}

void api_claim_pairing(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    struct span raw, code;
    if (!api_body_member(x, "code", &raw)) return;
    if (jscan_kind(raw) != JKIND_STRING || jscan_string(raw, http_request(x)->arena, &code) < 0) {
        http_reply_error(x, 400, "code is required");
        return;
    }
    auth_claim(api->auth, x, code);
}
