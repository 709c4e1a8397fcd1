/* May this request be served at all? Pure. Every page on the web is taken for an attacker. */
#pragma once

#include "net/http.h"

struct guard {
    uint16_t port;    /* the one we listen on */
    const char *host; /* the address we listen on, besides the loopback names */
};

struct guard_request {
    enum http_method method;
    bool upgrade;       /* asks for a WebSocket */
    struct span host;   /* Host header */
    struct span origin; /* Origin header, empty when absent */
    struct span site;   /* Sec-Fetch-Site, empty when absent */
};

/* 0, or the status to refuse with (400, 403, 421) and a sentence. Host must be a name we serve, with our port (no
 * DNS rebinding); a state-changing request or an upgrade that has an Origin must come from our own pages. */
int guard_check(const struct guard *g, const struct guard_request *r, const char **ret_why);
