/* How the daemon is reached: the address and its port, TLS, the owner's socket, and the names that are served. */
#pragma once

#include "base/err.h"
#include "base/path.h"
#include "net/guard.h"

struct serve_options;
struct tls;

struct reach {
    struct tls *tls;                                  /* NULL: plain HTTP */
    char **own_names;                                 /* of this machine, when other machines are served */
    char **server_names;                              /* configured */
    char **proxies;                                   /* configured: addresses and ranges */
    char **more_names;                                /* for a certificate of our own */
    bool has_password;                                /* configured */
    char *cert, *key;                                 /* configured; NULL: none */
    char cert_file[PATH_BYTES], key_file[PATH_BYTES]; /* those that are used; "" without TLS */
    char socket[PATH_BYTES];                          /* the owner's; "" when there is none */
    char url[128];                                    /* for a browser on this machine */
    char lan_url[128];                                /* for one elsewhere; "" when there is none */
};

/* What options and config.json say, looked at before anything is opened: files of TLS that do not work, and an address that
 * other machines reach without a password, are refused with a sentence. */
int reach_prepare(struct reach *r, const struct paths *paths, const struct serve_options *options,
                  struct err *err);
void reach_free(struct reach *r);

/* On a server that listens: TLS, the proxies, the owner's socket; fills in `guard`. */
int reach_open(struct reach *r, const struct paths *paths, const struct serve_options *options,
               struct http_server *http, struct guard *guard, struct err *err);
/* Says where it is. */
/* The owner's socket, unless it is there: on a disk that could not be written to it is made later. */
void reach_open_door(struct reach *r, const struct paths *paths, struct http_server *http);
void reach_announce(const struct reach *r);
