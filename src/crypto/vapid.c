#include "crypto/vapid.h"

#include "base/base64url.h"
#include "base/cleanup.h"
#include "base/jwrite.h"

#include <errno.h>

static void put_claims(struct span origin, struct span subject, int64_t expires_s, struct buf *out) {
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_kstr(&w, "aud", origin);
    jwrite_ki64(&w, "exp", expires_s);
    jwrite_kstr(&w, "sub", subject);
    jwrite_object_end(&w);
}

int vapid_header(const struct p256 *key, struct span origin, struct span subject, int64_t expires_s,
                 struct buf *out) {
    static const char head[] = "{\"typ\":\"JWT\",\"alg\":\"ES256\"}";
    AUTO(buf) struct buf claims = BUF_INIT(VAPID_HEADER_MAX);
    AUTO(buf) struct buf token = BUF_INIT(VAPID_HEADER_MAX);
    unsigned char signature[P256_SIGNATURE_BYTES];
    put_claims(origin, subject, expires_s, &claims);
    (void)base64url_put(&token, head, sizeof head - 1);
    (void)buf_append_char(&token, '.');
    (void)base64url_put(&token, claims.p, claims.n);
    if (claims.failed || token.failed) return -ENOBUFS;
    int r = p256_sign(key, buf_span(&token), signature);
    if (r < 0) return r;
    (void)buf_printf(out, "vapid t=%.*s.", SPAN_ARG(buf_span(&token)));
    (void)base64url_put(out, signature, sizeof signature);
    (void)buf_append_span(out, SPAN(", k="));
    (void)base64url_put(out, p256_point(key), P256_POINT_BYTES);
    return out->failed ? -ENOBUFS : 0;
}
