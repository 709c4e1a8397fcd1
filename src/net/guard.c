#include "net/guard.h"

enum { HTTP_PORT = 80, HTTPS_PORT = 443 };

/* "name:port" or "[v6]:port". */
struct authority {
    struct span text, name;
    uint64_t port; /* 0: none is given */
};

static bool split_authority(struct span s, struct authority *ret) {
    const char *close = s.n && s.p[0] == '[' ? memchr(s.p, ']', s.n) : NULL;
    size_t name_n;
    if (s.n && s.p[0] == '[') {
        if (!close) return false;
        name_n = (size_t)(close - s.p) + 1;
    } else {
        const char *colon = s.n ? memchr(s.p, ':', s.n) : NULL;
        name_n = colon ? (size_t)(colon - s.p) : s.n;
    }
    struct authority a = {.text = s, .name = span_take(s, name_n)};
    struct span rest = span_skip(s, name_n);
    if (rest.n && (rest.p[0] != ':' || !span_u64(span_skip(rest, 1), &a.port) || a.port == 0)) return false;
    *ret = a;
    return a.name.n > 0;
}

static uint64_t port_of(const struct authority *a, bool tls) {
    if (a->port) return a->port;
    return tls ? HTTPS_PORT : HTTP_PORT;
}

static bool is_loopback_name(struct span name) {
    return span_ieq(name, SPAN("localhost")) || span_eq(name, SPAN("127.0.0.1")) ||
           span_eq(name, SPAN("[::1]"));
}

/* An address as it stands in a Host header: IPv6 in brackets. */
static bool is_address(struct span name, struct span address) {
    if (address.n && memchr(address.p, ':', address.n) && name.n == address.n + 2 && name.p[0] == '[')
        name = span_take(span_skip(name, 1), address.n);
    else if (address.n && memchr(address.p, ':', address.n))
        return false;
    return address.n && span_ieq(name, address);
}

/* Reached without a proxy, as a name or an address of this machine. */
static bool is_direct(const struct guard *g, const struct guard_request *r, const struct authority *a) {
    if (r->owner) return is_loopback_name(a->name);
    if (port_of(a, g->tls) != g->port) return false;
    if (is_loopback_name(a->name) || is_address(a->name, r->local)) return true;
    for (const char *const *own = g->own_names; own && *own; own++)
        if (span_ieq(a->name, span_str(*own))) return true;
    return false;
}

/* A configured port also stands for one that is left out, in whichever scheme. */
static bool is_port(uint64_t configured, uint64_t port) {
    return !configured || configured == port ||
           (!port && (configured == HTTP_PORT || configured == HTTPS_PORT));
}

static bool find_configured(const struct guard *g, const struct authority *a, struct authority *ret_entry) {
    for (const char *const *name = g->server_names; name && *name; name++)
        if (split_authority(span_str(*name), ret_entry) && span_ieq(ret_entry->name, a->name) &&
            is_port(ret_entry->port, a->port))
            return true;
    return false;
}

/* Our own page: the very place that the request was sent to, another of our direct names, or a configured name on its port. */
static bool is_our_page(const struct guard *g, const struct guard_request *r, struct span origin) {
    bool https = span_istarts(origin, SPAN("https://"));
    struct authority page, entry;
    if (!https && (r->secure || !span_istarts(origin, SPAN("http://")))) return false;
    if (!split_authority(span_skip(origin, https ? sizeof "https://" - 1 : sizeof "http://" - 1), &page))
        return false;
    if (https == r->secure && span_ieq(page.text, r->host)) return true;
    if (!r->owner && https == g->tls && is_direct(g, r, &page)) return true;
    /* A proxy that speaks TLS for us may not say so: https is believed of a configured name. */
    if (!find_configured(g, &page, &entry)) return false;
    return span_ieq(page.text, r->host) || port_of(&page, https) == port_of(&entry, https);
}

static bool changes(enum http_method m) {
    return m != HTTP_GET && m != HTTP_HEAD && m != HTTP_OPTIONS;
}

static int refuse(int status, const char *why, const char **ret_why) {
    *ret_why = why;
    return status;
}

static bool is_served(const struct guard *g, const struct guard_request *r, struct span host) {
    struct authority a, entry;
    return split_authority(host, &a) && (is_direct(g, r, &a) || find_configured(g, &a, &entry));
}

int guard_check(const struct guard *g, const struct guard_request *r, const char **ret_why) {
    if (r->header.n == 0) return refuse(400, "the Host header is missing", ret_why);
    if (!is_served(g, r, r->header) || !is_served(g, r, r->host))
        return refuse(
            421,
            "this server does not serve that Host; names besides localhost go into serverNames of config.json",
            ret_why);
    if (!r->upgrade && !changes(r->method)) return 0;
    if (r->has_origin && !is_our_page(g, r, r->origin))
        return refuse(403, "the request comes from another site's page (Origin)", ret_why);
    if (r->has_site && !span_ieq(r->site, SPAN("same-origin")) && !span_ieq(r->site, SPAN("none")))
        return refuse(403, "the request comes from another site's page (Sec-Fetch-Site)", ret_why);
    return 0;
}
