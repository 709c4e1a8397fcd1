/*
 * Who is logged in, as text: "ostler-tokens 3 KEY", then a line for each login, the oldest first:
 *
 *   ID CREATED USED RENEWED FIRST BEFORE UNTIL KEY BEFORE UNTIL ADDRESS USER TERMS NAME AGENT…
 *
 * Times are in milliseconds, secrets are hashes, "-" is nothing. KEY in the head is the SHA-256 of what the password is stored as,
 * so that a password that was changed while nobody looked ends them all the same. TERMS is "usual", "paired" or "look"; NAME has a %
 * for each blank. Version 2 had neither of them. Files of version 1 are nobody's: their tokens
 * had been sent as cookies to whichever port of this machine a browser visited.
 */
#include "net/tokens_int.h"

#include "base/mem.h"
#include "crypto/secret.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define HEAD "ostler-tokens 3 "
#define HEAD_2 "ostler-tokens 2 "
#define OLD_HEAD "ostler-tokens 1 "

static const char *or_dash(const char *text) {
    return text[0] ? text : "-";
}

static void write_secret(const struct token_secret *s, struct buf *out) {
    (void)buf_printf(out, " %s %s %" PRId64, or_dash(s->hash), or_dash(s->before), s->before_until_ms);
}

/* A name is one word here. */
static void write_terms(const struct token_terms *terms, struct buf *out) {
    char name[TOKEN_NAME_BYTES];
    memcpy(name, terms->name, sizeof name);
    for (char *c = name; *c; c++)
        if (*c == ' ') *c = '%';
    (void)buf_printf(out, " %s %s",
                     terms->look_only ? "look"
                     : terms->paired  ? "paired"
                                      : "usual",
                     or_dash(name));
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
        (void)buf_printf(out, " %s %s", or_dash(one->from.address), or_dash(one->from.user));
        write_terms(&one->terms, out);
        (void)buf_printf(out, " %s\n", or_dash(one->from.agent));
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

static bool read_terms(struct span *line, struct token_terms *ret) {
    struct span kind = span_split(line, ' '), name = span_split(line, ' ');
    ret->look_only = span_eq(kind, SPAN("look"));
    ret->paired = ret->look_only || span_eq(kind, SPAN("paired"));
    if (!ret->paired && !span_eq(kind, SPAN("usual"))) return false;
    if (!read_text(name, sizeof ret->name, ret->name)) return false;
    for (char *c = ret->name; *c; c++)
        if (*c == '%') *c = ' ';
    return !ret->name[0] || token_name_valid(span_str(ret->name));
}

static bool read_token(struct span line, int version, struct token *ret) {
    struct span id = span_split(&line, ' ');
    if (!token_id_valid(id)) return false;
    memcpy(ret->id, id.p, id.n);
    return read_time(&line, &ret->created_ms) && read_time(&line, &ret->used_ms) &&
           read_time(&line, &ret->renewed_ms) && read_secret(&line, &ret->first) && ret->first.hash[0] &&
           read_secret(&line, &ret->key) &&
           read_text(span_split(&line, ' '), sizeof ret->from.address, ret->from.address) &&
           read_text(span_split(&line, ' '), sizeof ret->from.user, ret->from.user) &&
           (version < 3 || read_terms(&line, &ret->terms)) &&
           read_text(line, sizeof ret->from.agent, ret->from.agent);
}

static int read_line(struct tokens *t, struct span line, int version, int64_t now_ms) {
    struct token *one = xcalloc(1, sizeof *one);
    bool good = read_token(line, version, one) && t->count < TOKENS_MAX;
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
    int version = span_starts(head, SPAN(HEAD_2)) ? 2 : 3;
    if (version == 3 && !span_starts(head, SPAN(HEAD))) return -EINVAL;
    digest_sha256(key, hash);
    if (!span_eq(span_skip(head, sizeof HEAD - 1), span_str(hash))) return 0;
    while (text.n) {
        if (text.p[text.n - 1] != '\n') return -EINVAL; /* cut off */
        int r = read_line(t, span_split(&text, '\n'), version, now_ms);
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
