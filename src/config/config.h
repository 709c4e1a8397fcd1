/*
 * config.json in the configuration directory: what a person decided. Keys that ostler does not know stay in the file; one with
 * a value that makes no sense, or a file that is no JSON, is an error with its place and is never overwritten. Comments are fine.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/path.h"
#include "base/strv.h"
#include "core/enums.h"

/* X(constant, name in the file) */
#define CONFIG_DENSITY_MAP(X) \
    X(HIGH, "high")           \
    X(MEDIUM, "medium")       \
    X(LOW, "low")

#define CONFIG_DENSITY_X(c, s) DENSITY_##c,
enum config_density { CONFIG_DENSITY_MAP(CONFIG_DENSITY_X) DENSITY_N_ };

const char *config_density_to_str(enum config_density v);
bool config_density_from_str(struct span s, enum config_density *ret);

/* The keys, in the order of their table in config/keys.c, which has their defaults and their limits. */
#define CONFIG_KEYS                                                                                              \
    "port host hookDensity debug processCheckInterval sessionHistoryHours enabledClis passwordHash "             \
    "maxTerminals restAfterMinutes awayAfterMinutes shellEnvironmentSeconds trustedProxies serverNames tlsCert " \
    "tlsKey notify.command notifyDelay pushContact pushNetworks"

const char *config_key_name(size_t i); /* the i-th of them; NULL behind the last */

struct config {
    bool exists;                 /* there is a file: the machine was set up */
    uint16_t port;               /* "port": 3333 */
    char *host;                  /* "host": NULL is loopback */
    enum config_density density; /* "hookDensity": "medium" */
    bool debug;                  /* "debug": false */
    unsigned process_check_ms;   /* "processCheckInterval": 15000 */
    unsigned history_hours;      /* "sessionHistoryHours": 0, until they are closed */
    unsigned clis;               /* "enabledClis": bits 1 << enum cli; ["claude"] */
    char *password_hash;         /* "passwordHash": NULL is none */
    unsigned max_terminals;      /* "maxTerminals": 100 */
    unsigned rest_minutes;       /* "restAfterMinutes": 60; 0: never */
    unsigned away_minutes;       /* "awayAfterMinutes": 0, never by itself */
    unsigned shell_seconds;      /* "shellEnvironmentSeconds": 10; 0: the shell is not asked */
    char **trusted_proxies;      /* "trustedProxies": whose X-Forwarded-* is believed; none */
    char **server_names;         /* "serverNames": Host names that are served besides the loopback's; none */
    char *tls_cert, *tls_key;    /* "tlsCert", "tlsKey": files; NULL is none */
    char **notify_command;       /* "notify.command": the words of a command; none */
    unsigned notify_delay_ms;    /* "notifyDelay": 1500 */
    char *push_contact;          /* "pushContact": NULL is none */
    char **push_networks;        /* "pushNetworks": none */
};

/* The file's path. */
int config_path(const struct paths *paths, char ret[PATH_BYTES]);

/* What the file says, over the defaults. Without a file these are all there is. On an error `ret` has nothing to free. */
int config_load(const char *file, struct config *ret, struct err *err);
void config_fini(struct config *c);

static inline void cleanup_config(struct config *c) {
    config_fini(c);
}

/* A key as it is listed. Names and values are good until `each` returns. */
struct config_item {
    struct span name;
    struct span json;    /* its value: the file's, or the default */
    const char *initial; /* the default; NULL: ostler does not know the key */
    const char *about;   /* half a sentence; NULL likewise */
    bool from_file;
    bool secret; /* never to be shown */
};

/* All of ostler's keys, then those of the file that are somebody else's. Stops with what `each` returns other than 0. */
int config_each(const char *file, int (*each)(void *user, const struct config_item *item), void *user,
                struct err *err);

/* One key of a file as JSON text in `ret_json` (its default when the file is silent); -ENOENT for a key that is neither known nor
 * in the file. */
int config_get(const char *file, const char *key, struct buf *ret_json, struct err *err);

/* A key and its value as somebody types it: a number, true, a word, words with commas for lists, or JSON. An empty value, or none,
 * takes the key out of the file. */
struct config_change {
    const char *key, *value;
};

/* Makes all of these changes, or none. The rest of the file keeps its bytes; it is made (0600) if there is none. Only keys of
 * ostler's are set; any can be taken out. */
int config_change(const char *file, const struct config_change *changes, size_t n, struct err *err);
/* The same for one. */
int config_set(const char *file, const char *key, const char *value, struct err *err);

/* The pure parts: a file's text. `name` is what errors call it. */
int config_parse(struct span text, const char *name, struct config *ret, struct err *err);
int config_edit(struct span text, const char *name, const struct config_change *change, struct buf *out,
                struct err *err);
