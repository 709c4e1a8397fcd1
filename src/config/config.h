/*
 * config.json in the configuration directory: what a person decided. Keys that ostler does not know stay in the file; one with
 * a value that makes no sense, or a file that is no JSON, is an error with its place and is never overwritten.
 */
#pragma once

#include "base/err.h"
#include "base/path.h"
#include "base/strv.h"
#include "core/enums.h"

#include <stdbool.h>
#include <stdint.h>

enum config_density { DENSITY_HIGH, DENSITY_MEDIUM, DENSITY_LOW };

struct config {
    bool exists;                 /* there is a file: the machine was set up */
    uint16_t port;               /* "port": 3333 */
    char *host;                  /* "host": NULL is loopback */
    enum config_density density; /* "hookDensity": "medium" */
    bool debug;                  /* "debug": false */
    unsigned process_check_ms;   /* "processCheckInterval": 15000 */
    unsigned history_hours;      /* "sessionHistoryHours": 24 */
    unsigned clis;               /* "enabledClis": bits 1 << enum cli; ["claude"] */
    char *password_hash;         /* "passwordHash": NULL is none */
    unsigned max_terminals;      /* "maxTerminals": 100 */
    char **trusted_proxies;      /* "trustedProxies": whose X-Forwarded-* is believed; none */
    char **server_names;         /* "serverNames": Host names that are served besides the loopback's; none */
    char *tls_cert, *tls_key;    /* "tlsCert", "tlsKey": files; NULL is none */
};

/* The file's path. */
int config_path(const struct paths *paths, char ret[PATH_BYTES]);

/* What the file says, over the defaults. Without a file these are all there is. */
int config_load(const char *file, struct config *ret, struct err *err);
void config_fini(struct config *c);

/* One key of a file as JSON text in `ret_json` (its default when the file is silent); -ENOENT for a key that is neither known nor
 * in the file. */
struct buf;
int config_get(const char *file, const char *key, struct buf *ret_json, struct err *err);

/* Sets a key to a value as somebody types it: a number, true, a word, words with commas for lists, or JSON. The rest of the file
 * keeps its bytes; it is made (0600) if there is none. An empty value takes the key out. */
int config_set(const char *file, const char *key, const char *value, struct err *err);
