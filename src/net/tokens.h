/*
 * Who is logged in. Programs bring a whole token. Browsers bring two halves: a cookie, which they send to every port of the host,
 * and a key, which only pages of the origin can read; one alone is worth nothing. Only SHA-256s are kept, here and in the file:
 * who reads it cannot log in with it. Pure; the caller brings time and randomness, and keeps the file.
 *
 * Halves are renewed while they are in use. The old ones let in until the new ones were seen, for an answer may be lost, and a
 * moment longer, for what was under way.
 */
#pragma once

#include "base/buf.h"
#include "base/list.h"
#include "base/map.h"
#include "crypto/digest.h"
#include "net/addr.h"
#include "net/user_agent.h"

enum {
    TOKENS_MAX = 1000, /* then the oldest ends */
    TOKENS_LINE_BYTES = 704,
    TOKENS_FILE_BYTES = 256 + TOKENS_MAX * TOKENS_LINE_BYTES,
    TOKENS_HURRY_MS =
        10 * 60 * 1000, /* a token from further in the future is not believed: the clock was set back */
    TOKENS_RENEW_MS = 60 * 60 * 1000, /* how often a page should ask for new halves */
    TOKENS_OVERLAP_MS = 60 * 1000,    /* how long the old ones are good when the new ones are in use */
    TOKEN_ID_BYTES = 9,
    TOKEN_USER_BYTES = 33,
    TOKEN_NAME_BYTES = 41,
};
#define TOKENS_LIFE_MS ((int64_t)24 * 60 * 60 * 1000)
#define TOKENS_PAIRED_MS (90 * TOKENS_LIFE_MS) /* of a phone that was paired, since it was last renewed */

/* Where a login came from, for people who look at the list. */
struct token_from {
    char address[ADDR_TEXT_BYTES];
    char user[TOKEN_USER_BYTES]; /* of this machine; "" when it is not known */
    char agent[USER_AGENT_BYTES];
};

/* What it is good for. */
struct token_terms {
    bool paired;                 /* for TOKENS_PAIRED_MS at a time, instead of TOKENS_LIFE_MS in all */
    bool look_only;              /* it may change nothing */
    char name[TOKEN_NAME_BYTES]; /* that a person gave it; "": none */
};

/* The hash of what is brought. While it is being renewed there are two. */
struct token_secret {
    char hash[DIGEST_SHA256_HEX];
    char before[DIGEST_SHA256_HEX]; /* "": none */
    int64_t before_until_ms;        /* 0: until the new one is seen */
};

struct token {
    struct list link;          /* by_age */
    char id[TOKEN_ID_BYTES];   /* by which people name it; no secret */
    uint64_t pass;             /* its number in this process, never 0 */
    struct token_secret first; /* the whole token, or the cookie */
    struct token_secret key;   /* "": it is whole */
    int64_t created_ms, used_ms, renewed_ms;
    struct token_terms terms;
    struct token_from from;
};

struct tokens {
    struct map by_hash; /* of `first`, the one before too → struct token */
    struct list by_age; /* the oldest first */
    size_t count;
    uint64_t newest; /* the pass of the newest one */
    /* One has ended, however it did. */
    void (*ended)(void *user, uint64_t pass);
    void *user;
};

/* What is brought: a whole token, or a cookie and a key. */
struct token_pair {
    struct span first, key;
};

/* The clock was set, by so much: everybody stays logged in for as long as before. */
void tokens_clock_set(struct tokens *t, int64_t by_ms);

void tokens_init(struct tokens *t, void (*ended)(void *user, uint64_t pass), void *user);
void tokens_fini(struct tokens *t); /* ends none */

/* Is it good as an id, eight hexadecimal digits? */
bool token_id_valid(struct span id);

/* Lets who has this pair in, without a key: who has this whole token. Its pass, or 0 when there is one of that id. */
uint64_t tokens_add(struct tokens *t, struct span id, struct token_pair pair, const struct token_from *from,
                    int64_t now_ms);
uint64_t tokens_add_with(struct tokens *t, struct span id, struct token_pair pair,
                         const struct token_from *from, const struct token_terms *terms, int64_t now_ms);
/* When its time is up. */
int64_t token_until(const struct token *one);
/* Is it good as a name: short, harmless, not empty? */
bool token_name_valid(struct span name);
/* The pass, or 0 when nobody is let in with it, or no longer. */
uint64_t tokens_find(struct tokens *t, struct token_pair brought, int64_t now_ms);
/* NULL when it has ended. */
const struct token *tokens_get(const struct tokens *t, uint64_t pass);
const struct token *tokens_by_id(const struct tokens *t, struct span id);

/* Gives who brought `old`, which must be good, another pair. False when that was done a moment ago, by another tab for instance:
 * then everything is as it was. */
bool tokens_renew(struct tokens *t, struct token_pair old, struct token_pair pair, int64_t now_ms);

void tokens_end(struct tokens *t, uint64_t pass);
void tokens_end_all(struct tokens *t);
/* Ends those whose time is up. When the next one's is: INT64_MAX without any. */
int64_t tokens_sweep(struct tokens *t, int64_t now_ms);

/* As a file, which belongs to one password: read with another `key` it is nobody's. What is not understood is -EINVAL, and then
 * nobody is logged in. */
void tokens_write(const struct tokens *t, struct span key, struct buf *out);
int tokens_read(struct tokens *t, struct span text, struct span key, int64_t now_ms);
