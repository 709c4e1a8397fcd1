/*
 * The file is text: "ostler-tokens 1 KEY", then a line for each token, "HASH CREATED-MS", the oldest first. KEY is the SHA-256 of
 * what the password is stored as, so that a password that was changed while nobody looked ends them all the same.
 */
#include "net/tokens.h"

#include "base/mem.h"
#include "crypto/digest.h"
#include "crypto/secret.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define HEAD "ostler-tokens 1 "

struct token {
    struct list link; /* by_age */
    char hash[DIGEST_SHA256_HEX];
    uint64_t pass;
    int64_t created_ms;
};

void tokens_init(struct tokens *t, void (*ended)(void *user, uint64_t pass), void *user) {
    *t = (struct tokens){.by_hash = MAP_INIT, .ended = ended, .user = user};
    list_init(&t->by_age);
}

static struct token *oldest(const struct tokens *t) {
    return list_first(&t->by_age, struct token, link);
}

static void forget(struct tokens *t, struct token *one) {
    (void)map_remove(&t->by_hash, span_str(one->hash));
    list_remove(&one->link);
    free(one);
}

static void end(struct tokens *t, struct token *one) {
    uint64_t pass = one->pass;
    forget(t, one);
    t->ended(t->user, pass);
}

void tokens_fini(struct tokens *t) {
    for (struct token *one; (one = oldest(t));)
        forget(t, one);
    map_fini(&t->by_hash);
}

static bool is_over(int64_t created_ms, int64_t now_ms) {
    return now_ms >= created_ms + TOKENS_LIFE_MS || created_ms > now_ms + TOKENS_HURRY_MS;
}

static struct token *add(struct tokens *t, const char *hash, int64_t created_ms) {
    struct token *one = xcalloc(1, sizeof *one);
    memcpy(one->hash, hash, sizeof one->hash);
    one->pass = ++t->newest;
    one->created_ms = created_ms;
    list_append(&t->by_age, &one->link);
    (void)map_put(&t->by_hash, span_str(one->hash), one);
    return one;
}

uint64_t tokens_add(struct tokens *t, struct span token, int64_t now_ms) {
    char hash[DIGEST_SHA256_HEX];
    digest_sha256(token, hash);
    for (struct token *one; t->by_hash.count >= TOKENS_MAX && (one = oldest(t));)
        end(t, one);
    return add(t, hash, now_ms)->pass;
}

uint64_t tokens_find(struct tokens *t, struct span token, int64_t now_ms) {
    char hash[DIGEST_SHA256_HEX];
    if (!secret_is_one(token)) return 0;
    digest_sha256(token, hash);
    struct token *one = map_get(&t->by_hash, span_str(hash));
    if (!one) return 0;
    if (!is_over(one->created_ms, now_ms)) return one->pass;
    end(t, one);
    return 0;
}

void tokens_end(struct tokens *t, uint64_t pass) {
    list_for_each_safe(node, &t->by_age) {
        struct token *one = list_entry(node, struct token, link);
        if (one->pass == pass) end(t, one);
    }
}

void tokens_end_all(struct tokens *t) {
    for (struct token *one; (one = oldest(t));)
        end(t, one);
}

int64_t tokens_sweep(struct tokens *t, int64_t now_ms) {
    int64_t next = INT64_MAX;
    list_for_each_safe(node, &t->by_age) {
        struct token *one = list_entry(node, struct token, link);
        if (is_over(one->created_ms, now_ms))
            end(t, one);
        else
            next = MIN(next, one->created_ms + TOKENS_LIFE_MS);
    }
    return next;
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

void tokens_write(const struct tokens *t, struct span key, struct buf *out) {
    char hash[DIGEST_SHA256_HEX];
    digest_sha256(key, hash);
    (void)buf_printf(out, HEAD "%s\n", hash);
    list_for_each(node, &t->by_age) {
        const struct token *one = list_entry(node, struct token, link);
        (void)buf_printf(out, "%s %" PRId64 "\n", one->hash, one->created_ms);
    }
}

static int read_line(struct tokens *t, struct span line, int64_t now_ms) {
    struct span hash = span_split(&line, ' ');
    char text[DIGEST_SHA256_HEX] = "";
    uint64_t created;
    if (!secret_is_one(hash) || !span_u64(line, &created) || created > INT64_MAX / 2) return -EINVAL;
    memcpy(text, hash.p, hash.n);
    if (t->by_hash.count >= TOKENS_MAX || map_get(&t->by_hash, hash)) return -EINVAL;
    if (!is_over((int64_t)created, now_ms)) (void)add(t, text, (int64_t)created);
    return 0;
}

static int read_all(struct tokens *t, struct span text, struct span key, int64_t now_ms) {
    char hash[DIGEST_SHA256_HEX];
    struct span head = span_split(&text, '\n');
    if (!span_starts(head, SPAN(HEAD))) return -EINVAL;
    digest_sha256(key, hash);
    if (!span_eq(span_skip(head, sizeof HEAD - 1), span_str(hash))) return 0;
    while (text.n) {
        if (text.p[text.n - 1] != '\n') return -EINVAL; /* cut off */
        int r = read_line(t, span_split(&text, '\n'), now_ms);
        if (r < 0) return r;
    }
    return 0;
}

int tokens_read(struct tokens *t, struct span text, struct span key, int64_t now_ms) {
    int r = read_all(t, text, key, now_ms);
    for (struct token *one; r < 0 && (one = oldest(t));)
        forget(t, one);
    return r;
}
