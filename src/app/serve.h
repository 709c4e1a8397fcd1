/* The daemon. */
#pragma once

#include "base/err.h"
#include "config/config.h"

#include <stdbool.h>
#include <stdint.h>

struct serve_options {
    const char *host;       /* NULL: 127.0.0.1; others need a password */
    uint16_t port;          /* 0 takes a free one */
    unsigned max_terminals; /* live at once; 0: the default */
    unsigned away_minutes;  /* without a key after which the person is away; 0: never by itself */
    unsigned rest_minutes;  /* after which a shell rests in which nothing runs; 0: never */
    unsigned check_ms;      /* between two looks at processes that cannot be watched; 0: the default */
    unsigned shell_seconds; /* that the person's shell has to tell its environment; 0: it is not asked */
    unsigned history_hours; /* that ended cards of hosted agents stay; 0: until they are closed */
    bool tls;               /* with a pair of our own, if no files are named */
    const char *tls_cert, *tls_key; /* NULL: what the configuration says */
    bool is_set_up;                 /* there is a configuration */
    unsigned hook_clis;             /* bits 1 << enum cli: hooks that are brought up to date, if installed */
    bool has_hook_density;          /* otherwise each stays as it was installed */
    enum config_density hook_density;
    bool replaces; /* the one that ran was told to leave */
    bool open_browser;
    bool debug;
};

/* What serve() returns when it was asked to start anew (SIGUSR2): what it runs may have been upgraded meanwhile. */
enum { SERVE_AGAIN = 1 };

/* Runs until it is told to stop (SIGTERM, SIGINT; a second SIGINT ends it at once) or to start anew. Returns 0 after a clean stop,
 * SERVE_AGAIN, or a negative errno with a sentence when it could not start. */
int serve(const struct serve_options *options, struct err *err);
