/* May this request be served at all? Pure. Every page on the web is taken for an attacker. */
#pragma once

#include "net/http.h"

struct guard {
    uint16_t port;                   /* the one we listen on */
    bool tls;                        /* we speak it there */
    const char *const *own_names;    /* this machine's, with our port; NULL: none but the loopback names */
    const char *const *server_names; /* configured: "name", with any port, or "name:port"; NULL: none */
};

struct guard_request {
    enum http_method method;
    bool upgrade;       /* asks for a WebSocket */
    bool secure;        /* it came over TLS, to us or to a trusted proxy */
    bool owner;         /* it came through the owner's socket, which has no port */
    struct span host;   /* what the client asked for: the Host header, or what a trusted proxy says it was */
    struct span header; /* the Host header in any case: a page can write what a careless proxy passes on */
    struct span local;  /* the address that the connection was made to */
    bool has_origin, has_site; /* the headers are there, be they empty */
    struct span origin;        /* Origin; two are refused before this */
    struct span site;          /* Sec-Fetch-Site, all of them */
};

/*
 * 0, or the status to refuse with (400, 403, 421) and a sentence. Host must be a name we serve (no DNS rebinding): a loopback
 * name, the very address of the connection or a name of this machine, each with our port, or a configured name. A
 * state-changing request or an upgrade that has an Origin must come from our own pages; one that is empty, or there twice, is
 * nobody's. A method that is not known changes something.
 */
int guard_check(const struct guard *g, const struct guard_request *r, const char **ret_why);
