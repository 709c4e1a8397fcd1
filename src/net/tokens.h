/*
 * Who is logged in. Only the SHA-256 of a token is kept, here and in the file: who reads it cannot log in with it. Pure; the
 * caller brings time and randomness, and keeps the file.
 */
#pragma once

#include "base/buf.h"
#include "base/list.h"
#include "base/map.h"

enum {
    TOKENS_MAX = 1000, /* then the oldest ends */
    TOKENS_FILE_BYTES = 256 + TOKENS_MAX * 96,
    TOKENS_HURRY_MS =
        10 * 60 * 1000, /* a token from further in the future is not believed: the clock was set back */
};
#define TOKENS_LIFE_MS ((int64_t)24 * 60 * 60 * 1000)

struct tokens {
    struct map by_hash; /* → struct token */
    struct list by_age; /* the oldest first */
    uint64_t newest;    /* the pass of the newest one */
    /* One has ended, however it did. */
    void (*ended)(void *user, uint64_t pass);
    void *user;
};

void tokens_init(struct tokens *t, void (*ended)(void *user, uint64_t pass), void *user);
void tokens_fini(struct tokens *t); /* ends none */

/* Lets who has this token in. A pass is the token's number in this process, never 0. */
uint64_t tokens_add(struct tokens *t, struct span token, int64_t now_ms);
/* The pass, or 0 when nobody is let in with it, or no longer. */
uint64_t tokens_find(struct tokens *t, struct span token, int64_t now_ms);
void tokens_end(struct tokens *t, uint64_t pass);
void tokens_end_all(struct tokens *t);
/* Ends those whose time is up. When the next one's is: INT64_MAX without any. */
int64_t tokens_sweep(struct tokens *t, int64_t now_ms);

/* As a file, which belongs to one password: read with another `key` it is nobody's. What is not understood is -EINVAL, and then
 * nobody is logged in. */
void tokens_write(const struct tokens *t, struct span key, struct buf *out);
int tokens_read(struct tokens *t, struct span text, struct span key, int64_t now_ms);
