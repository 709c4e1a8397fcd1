#include "net/tokens_int.h"

#include "base/clock_step.h"
#include "base/mem.h"
#include "crypto/secret.h"

#include <stdlib.h>

void tokens_init(struct tokens *t, void (*ended)(void *user, uint64_t pass), void *user) {
    *t = (struct tokens){.by_hash = MAP_INIT, .ended = ended, .user = user};
    list_init(&t->by_age);
}

static struct token *oldest(const struct tokens *t) {
    return list_first(&t->by_age, struct token, link);
}

bool token_id_valid(struct span id) {
    if (id.n != TOKEN_ID_BYTES - 1) return false;
    for (size_t i = 0; i < id.n; i++)
        if (!((id.p[i] >= '0' && id.p[i] <= '9') || (id.p[i] >= 'a' && id.p[i] <= 'f'))) return false;
    return true;
}

const struct token *tokens_by_id(const struct tokens *t, struct span id) {
    list_for_each(node, &t->by_age) {
        const struct token *one = list_entry(node, struct token, link);
        if (span_eq_str(id, one->id)) return one;
    }
    return NULL;
}

const struct token *tokens_get(const struct tokens *t, uint64_t pass) {
    list_for_each(node, &t->by_age) {
        const struct token *one = list_entry(node, struct token, link);
        if (one->pass == pass) return one;
    }
    return NULL;
}

bool tokens_take(struct tokens *t, struct token *one) {
    struct span hash = span_str(one->first.hash), before = span_str(one->first.before);
    if (tokens_by_id(t, span_str(one->id)) || map_get(&t->by_hash, hash) || span_eq(hash, before) ||
        (before.n && map_get(&t->by_hash, before)))
        return false;
    one->pass = ++t->newest;
    list_append(&t->by_age, &one->link);
    (void)map_put(&t->by_hash, hash, one);
    if (before.n) (void)map_put(&t->by_hash, before, one);
    t->count++;
    return true;
}

void tokens_forget(struct tokens *t, struct token *one) {
    (void)map_remove(&t->by_hash, span_str(one->first.hash));
    if (one->first.before[0]) (void)map_remove(&t->by_hash, span_str(one->first.before));
    list_remove(&one->link);
    t->count--;
    free(one);
}

static void end(struct tokens *t, struct token *one) {
    uint64_t pass = one->pass;
    tokens_forget(t, one);
    t->ended(t->user, pass);
}

void tokens_fini(struct tokens *t) {
    for (struct token *one; (one = oldest(t));)
        tokens_forget(t, one);
    map_fini(&t->by_hash);
}

void tokens_clock_set(struct tokens *t, int64_t by_ms) {
    list_for_each(node, &t->by_age) {
        struct token *one = list_entry(node, struct token, link);
        int64_t *const times[] = {&one->created_ms, &one->used_ms, &one->renewed_ms,
                                  &one->first.before_until_ms, &one->key.before_until_ms};
        for (size_t i = 0; i < ARRAY_LEN(times); i++)
            clock_step_move(times[i], by_ms);
    }
}

bool token_is_over(const struct token *one, int64_t now_ms) {
    return now_ms >= token_until(one) || one->created_ms > now_ms + TOKENS_HURRY_MS;
}

int64_t token_until(const struct token *one) {
    return one->terms.paired ? one->renewed_ms + TOKENS_PAIRED_MS : one->created_ms + TOKENS_LIFE_MS;
}

bool token_name_valid(struct span name) {
    struct span bare = span_trim(name);
    return name.n > 0 && name.n < TOKEN_NAME_BYTES && bare.n == name.n && !span_eq(name, SPAN("-")) &&
           !memchr(name.p, '%', name.n) && user_agent_harmless(name);
}

uint64_t tokens_add(struct tokens *t, struct span id, struct token_pair pair, const struct token_from *from,
                    int64_t now_ms) {
    static const struct token_terms usual;
    return tokens_add_with(t, id, pair, from, &usual, now_ms);
}

uint64_t tokens_add_with(struct tokens *t, struct span id, struct token_pair pair,
                         const struct token_from *from, const struct token_terms *terms, int64_t now_ms) {
    struct token *one = xcalloc(1, sizeof *one);
    *one = (struct token){
        .created_ms = now_ms, .used_ms = now_ms, .renewed_ms = now_ms, .terms = *terms, .from = *from};
    assert(token_id_valid(id));
    memcpy(one->id, id.p, id.n);
    digest_sha256(pair.first, one->first.hash);
    if (pair.key.n) digest_sha256(pair.key, one->key.hash);
    if (!tokens_take(t, one)) {
        free(one);
        return 0;
    }
    for (struct token *first; t->count > TOKENS_MAX && (first = oldest(t));)
        end(t, first);
    return one->pass;
}

/* ---- finding ---------------------------------------------------------------------------------------------------- */

static bool is_before(const struct token_secret *s, const char *hash, int64_t now_ms) {
    if (!s->before[0] || !secret_eq(span_str(s->before), span_str(hash))) return false;
    return s->before_until_ms == 0 ||
           (now_ms < s->before_until_ms && s->before_until_ms <= now_ms + TOKENS_OVERLAP_MS);
}

static bool is_now(const struct token_secret *s, const char *hash) {
    return secret_eq(span_str(s->hash), span_str(hash));
}

/* The new one is in use: the old one is good for a moment only. */
static void see(struct token_secret *s, const char *hash, int64_t now_ms) {
    if (s->before[0] && s->before_until_ms == 0 && is_now(s, hash))
        s->before_until_ms = now_ms + TOKENS_OVERLAP_MS;
}

/* What is brought, hashed. */
struct brought {
    char first[DIGEST_SHA256_HEX], key[DIGEST_SHA256_HEX];
};

/* The login that it lets into, or NULL. A half is no whole token, nor the other way round. */
static struct token *find(const struct tokens *t, struct token_pair pair, int64_t now_ms,
                          struct brought *ret) {
    struct brought b = {0};
    if (!secret_is_one(pair.first) || (pair.key.n && !secret_is_one(pair.key))) return NULL;
    digest_sha256(pair.first, b.first);
    struct token *one = map_get(&t->by_hash, span_str(b.first));
    if (!one || (pair.key.n > 0) != (one->key.hash[0] != '\0')) return NULL;
    if (!is_now(&one->first, b.first) && !is_before(&one->first, b.first, now_ms)) return NULL;
    if (pair.key.n) {
        digest_sha256(pair.key, b.key);
        if (!is_now(&one->key, b.key) && !is_before(&one->key, b.key, now_ms)) return NULL;
    }
    *ret = b;
    return one;
}

uint64_t tokens_find(struct tokens *t, struct token_pair brought, int64_t now_ms) {
    struct brought b;
    struct token *one = find(t, brought, now_ms, &b);
    if (!one) return 0;
    if (token_is_over(one, now_ms)) {
        end(t, one);
        return 0;
    }
    one->used_ms = now_ms;
    see(&one->first, b.first, now_ms);
    if (b.key[0]) see(&one->key, b.key, now_ms);
    return one->pass;
}

/* ---- renewing --------------------------------------------------------------------------------------------------- */

/* `old` is the one that was brought, which may itself be one from before: then nobody has the other, or has it no longer. */
static void renew(struct token_secret *s, const char *old, struct span now) {
    memcpy(s->before, old, sizeof s->before);
    digest_sha256(now, s->hash);
    s->before_until_ms = 0;
}

bool tokens_renew(struct tokens *t, struct token_pair old, struct token_pair pair, int64_t now_ms) {
    struct brought b;
    struct token *one = find(t, old, now_ms, &b);
    if (!one || token_is_over(one, now_ms) || !b.key[0] || !pair.key.n) return false;
    if (now_ms >= one->renewed_ms && now_ms < one->renewed_ms + TOKENS_OVERLAP_MS) return false;
    (void)map_remove(&t->by_hash, span_str(one->first.hash));
    if (one->first.before[0]) (void)map_remove(&t->by_hash, span_str(one->first.before));
    renew(&one->first, b.first, pair.first);
    renew(&one->key, b.key, pair.key);
    (void)map_put(&t->by_hash, span_str(one->first.hash), one);
    (void)map_put(&t->by_hash, span_str(one->first.before), one);
    one->renewed_ms = now_ms;
    return true;
}

/* ---- ending ----------------------------------------------------------------------------------------------------- */

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
        if (token_is_over(one, now_ms))
            end(t, one);
        else
            next = MIN(next, token_until(one));
    }
    return next;
}
