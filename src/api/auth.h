/*
 * Who is logged in, and how one gets there: the password, the tokens, and how often it may be tried. Comparing a password takes
 * long on purpose, so it is done elsewhere (ops->verify) and only so many wait for it. Loop thread.
 *
 * A program that logs in gets a whole token. A page asks for halves: a cookie, and a key for its origin's storage. A whole token
 * is never in a cookie, which goes to every port of the host, and never with a page.
 */
#pragma once

#include "api/pair_codes.h"
#include "base/clock_step.h"
#include "crypto/password.h"
#include "crypto/secret.h"
#include "net/http.h"
#include "net/throttle.h"
#include "net/tokens.h"

#include <sys/types.h>

/* Passwords that wait to be compared; more are refused. The last places are the owner's. */
enum { AUTH_WAITING_MAX = 16, AUTH_WAITING_OTHERS = 12 };

/* Holders of sockets: nobody (there is no password), a token's pass, the owner. */
#define AUTH_NOBODY ((uint64_t)0)
#define AUTH_OWNER UINT64_MAX

/* A password on its way to be compared. */
struct login {
    struct list link; /* the verifier's */
    struct http_exchange *x;
    struct peer_block from;
    bool split;              /* halves are asked for */
    struct token_from where; /* without the user */
    bool knows_user;
    uid_t user; /* of this machine; the verifier finds the name */
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
    struct clock_step step;
    const struct auth_ops *ops;
    void *user;
    char *hash;     /* of the password; NULL: there is none */
    uint64_t which; /* counts passwords */
    unsigned waiting;
    struct tokens tokens;
    struct throttle throttle;
    struct pair_codes pair_codes;
};

void auth_init(struct auth *a, const struct clock *clock, const struct auth_ops *ops, void *user);
void auth_fini(struct auth *a);

/* The time, when logins are looked at: if the clock was set, they are as old as they were. */
int64_t auth_now_ms(struct auth *a);

bool auth_has_password(const struct auth *a);
/* NULL: there is none. When it is another one than before, everybody is logged out. A text that is no hash is a password that
 * nobody knows. */
void auth_set_password_hash(struct auth *a, const char *hash);

/* The pass of what the request brings: the first that is valid of a cookie with its key, a bearer token, the query's; or 0. */
uint64_t auth_pass(struct auth *a, const struct http_exchange *x);

/* Is it the pass of a login that may change nothing? */
bool auth_is_look_only(const struct auth *a, uint64_t pass);

/* Lets in who brought the code of a pairing, with halves: answers the request. */
void auth_claim(struct auth *a, struct http_exchange *x, struct span code);

/* Answers the request, now or later. `split`: with halves, for a page. */
void auth_login(struct auth *a, struct http_exchange *x, struct span password, bool split);
/* Answers with other halves for those that the request brings. */
void auth_renew(struct auth *a, struct http_exchange *x);
/* Ends those whose time is up. */
void auth_sweep(struct auth *a);
/* Has the browser forget its half with the answer. */
void auth_drop_cookie(struct http_exchange *x);
void auth_verified(struct auth *a, struct login *login); /* frees it */
void auth_abandon(struct auth *a, struct login *login);  /* the same, without an answer: we are stopping */
