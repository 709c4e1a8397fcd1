/*
 * Who is logged in, and how one gets there: the password, the tokens, and how often it may be tried. Comparing a password takes
 * long on purpose, so it is done elsewhere (ops->verify) and only so many wait for it. Loop thread.
 */
#pragma once

#include "base/clock.h"
#include "crypto/password.h"
#include "crypto/secret.h"
#include "net/http.h"
#include "net/throttle.h"
#include "net/tokens.h"

enum { AUTH_WAITING_MAX = 16 }; /* passwords that wait to be compared; more are refused */

/* Holders of sockets: nobody (there is no password), a token's pass, the owner. */
#define AUTH_NOBODY ((uint64_t)0)
#define AUTH_OWNER UINT64_MAX

/* A password on its way to be compared. */
struct login {
    struct list link; /* the verifier's */
    struct http_exchange *x;
    struct peer_block from;
    char *password;
    size_t password_n;
    char *hash;     /* what it is compared with: the password may change meanwhile */
    uint64_t which; /* auth->which at that time */
    bool right;     /* the answer */
};

struct auth_ops {
    /* Compares on another thread, one after the other; auth_verified() gets each back. */
    void (*verify)(void *user, struct login *login);
    /* Who is logged in has changed: it is to be kept. */
    void (*changed)(void *user);
    /* Ends the sockets of this holder. */
    void (*close_sockets)(void *user, uint64_t holder);
    /* Looks what the password is now, and tells auth_set_password_hash(). */
    int (*reload)(void *user, struct err *err);
};

struct auth {
    const struct clock *clock;
    const struct auth_ops *ops;
    void *user;
    char *hash;     /* of the password; NULL: there is none */
    uint64_t which; /* counts passwords */
    unsigned waiting;
    struct tokens tokens;
    struct throttle throttle;
};

void auth_init(struct auth *a, const struct clock *clock, const struct auth_ops *ops, void *user);
void auth_fini(struct auth *a);

bool auth_has_password(const struct auth *a);
/* NULL: there is none. When it is another one than before, everybody is logged out. A text that is no hash is a password that
 * nobody knows. */
void auth_set_password_hash(struct auth *a, const char *hash);

/* The pass of the first valid token that the request brings, or 0. */
uint64_t auth_pass(struct auth *a, const struct http_exchange *x);

/* Answers the request, now or later. */
void auth_login(struct auth *a, struct http_exchange *x, struct span password);
void auth_verified(struct auth *a, struct login *login); /* frees it */
void auth_abandon(struct auth *a, struct login *login);  /* the same, without an answer: we are stopping */
