/*
 * Who is logged in, as text: "ostler-tokens 2 KEY", then a line for each login, the oldest first:
 *
 *   ID CREATED USED RENEWED FIRST BEFORE UNTIL KEY BEFORE UNTIL ADDRESS USER AGENT…
 *
 * Times are in milliseconds, secrets are hashes, "-" is nothing. KEY in the head is the SHA-256 of what the password is stored as,
 * so that a password that was changed while nobody looked ends them all the same. Files of version 1 are nobody's: their tokens
 * had been sent as cookies to whichever port of this machine a browser visited.
 */
#include "net/tokens_int.h"

#include "base/mem.h"
#include "crypto/secret.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define HEAD "ostler-tokens 2 "
#define OLD_HEAD "ostler-tokens 1 "

static const char *or_dash(const char *text) {
    return text[0] ? text : "-";
}

static void write_secret(const struct token_secret *s, struct buf *out) {
    (void)buf_printf(out, " %s %s %" PRId64, or_dash(s->hash), or_dash(s->before), s->before_until_ms);
}

void tokens_write(const struct tokens *t, struct span key, struct buf *out) {
    char hash[DIGEST_SHA256_HEX];
    digest_sha256(key, hash);
    (void)buf_printf(out, HEAD "%s\n", hash);
    list_for_each(node, &t->by_age) {
        const struct token *one = list_entry(node, struct token, link);
        (void)buf_printf(out, "%s %" PRId64 " %" PRId64 " %" PRId64, one->id, one->created_ms, one->used_ms,
                         one->renewed_ms);
        write_secret(&one->first, out);
        write_secret(&one->key, out);
        (void)buf_printf(out, " %s %s %s\n", or_dash(one->from.address), or_dash(one->from.user),
                         or_dash(one->from.agent));
    }
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static bool read_time(struct span *line, int64_t *ret) {
    uint64_t n;
    if (!span_u64(span_split(line, ' '), &n) || n > INT64_MAX / 2) return false;
    *ret = (int64_t)n;
    return true;
}

static bool read_hash(struct span *line, char ret[DIGEST_SHA256_HEX]) {
    struct span hash = span_split(line, ' ');
    if (span_eq(hash, SPAN("-"))) return true;
    if (!secret_is_one(hash)) return false;
    memcpy(ret, hash.p, hash.n);
    return true;
}

static bool read_secret(struct span *line, struct token_secret *ret) {
    return read_hash(line, ret->hash) && read_hash(line, ret->before) &&
           read_time(line, &ret->before_until_ms) && (ret->hash[0] || !ret->before[0]) &&
           (ret->before[0] || ret->before_until_ms == 0);
}

/* Words for people: what is no harmless text was not written by us. */
static bool read_text(struct span text, size_t room, char *ret) {
    if (span_eq(text, SPAN("-"))) return true;
    if (text.n == 0 || text.n >= room || !user_agent_harmless(text)) return false;
    memcpy(ret, text.p, text.n);
    return true;
}

static bool read_token(struct span line, struct token *ret) {
    struct span id = span_split(&line, ' ');
    if (!token_id_valid(id)) return false;
    memcpy(ret->id, id.p, id.n);
    return read_time(&line, &ret->created_ms) && read_time(&line, &ret->used_ms) &&
           read_time(&line, &ret->renewed_ms) && read_secret(&line, &ret->first) && ret->first.hash[0] &&
           read_secret(&line, &ret->key) &&
           read_text(span_split(&line, ' '), sizeof ret->from.address, ret->from.address) &&
           read_text(span_split(&line, ' '), sizeof ret->from.user, ret->from.user) &&
           read_text(line, sizeof ret->from.agent, ret->from.agent);
}

static int read_line(struct tokens *t, struct span line, int64_t now_ms) {
    struct token *one = xcalloc(1, sizeof *one);
    bool good = read_token(line, one) && t->count < TOKENS_MAX;
    if (!good || token_is_over(one, now_ms) || !tokens_take(t, one)) {
        good = good && token_is_over(one, now_ms);
        free(one);
    }
    return good ? 0 : -EINVAL;
}

static int read_all(struct tokens *t, struct span text, struct span key, int64_t now_ms) {
    char hash[DIGEST_SHA256_HEX];
    struct span head = span_split(&text, '\n');
    if (span_starts(head, SPAN(OLD_HEAD))) return 0;
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
    for (struct token *one; r < 0 && (one = list_first(&t->by_age, struct token, link));)
        tokens_forget(t, one);
    return r;
}
