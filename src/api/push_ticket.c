/* "until.decisions.subscription.request.digest", then a dot and its HMAC in base64url. */
#include "api/push_ticket.h"

#include "base/base64url.h"
#include "base/cleanup.h"
#include "crypto/mac.h"
#include "crypto/secret.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static void seal(struct span text, const unsigned char *key, unsigned char ret[MAC_BYTES]) {
    mac_sha256(span_of((const char *)key, PUSH_TICKET_KEY_BYTES), text, ret);
}

void push_ticket_write(const struct push_ticket *t, const unsigned char key[PUSH_TICKET_KEY_BYTES],
                       struct buf *out) {
    unsigned char mac[MAC_BYTES];
    size_t from = out->n;
    (void)buf_printf(out, "%" PRId64 ".%u.%s.%s.%s", t->until_ms, t->decisions, t->sub, t->request,
                     t->digest);
    if (out->failed) return;
    seal(span_skip(buf_span(out), from), key, mac);
    (void)buf_append_char(out, '.');
    (void)base64url_put(out, mac, sizeof mac);
}

static bool read_word(struct span *rest, char *ret, size_t room) {
    struct span word = span_split(rest, '.');
    if (word.n == 0 || word.n >= room) return false;
    memcpy(ret, word.p, word.n);
    ret[word.n] = '\0';
    return true;
}

/* What comes behind the last dot. */
static struct span seal_of(struct span text) {
    const char *dot = text.n ? memrchr(text.p, '.', text.n) : NULL;
    return dot ? span_skip(text, (size_t)(dot + 1 - text.p)) : SPAN_NONE;
}

int push_ticket_read(struct span text, const unsigned char key[PUSH_TICKET_KEY_BYTES], int64_t now_ms,
                     struct push_ticket *ret) {
    unsigned char brought[MAC_BYTES], right[MAC_BYTES];
    struct span mac = seal_of(text);
    struct push_ticket t = {0};
    uint64_t until, decisions;
    if (text.n > PUSH_TICKET_TEXT_MAX || !mac.n || base64url_read(mac, brought, sizeof brought) != MAC_BYTES)
        return -EINVAL;
    struct span rest = span_take(text, text.n - mac.n - 1);
    seal(rest, key, right);
    if (!secret_eq(span_of((const char *)brought, MAC_BYTES), span_of((const char *)right, MAC_BYTES)))
        return -EINVAL;
    if (!span_u64(span_split(&rest, '.'), &until) || until > INT64_MAX ||
        !span_u64(span_split(&rest, '.'), &decisions) || !read_word(&rest, t.sub, sizeof t.sub) ||
        !read_word(&rest, t.request, sizeof t.request) || !read_word(&rest, t.digest, sizeof t.digest) ||
        rest.n)
        return -EINVAL;
    t.until_ms = (int64_t)until;
    t.decisions = (unsigned)decisions;
    if (now_ms >= t.until_ms) return -ETIME;
    *ret = t;
    return 0;
}
