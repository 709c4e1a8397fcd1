#include "api/auth.h"

#include "api/api.h"
#include "base/cleanup.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "base/str.h"
#include "net/credentials.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int64_t now_ms(const struct auth *a) {
    return usec_to_msec(clock_wall(a->clock));
}

static void on_ended(void *user, uint64_t pass) {
    struct auth *a = user;
    a->ops->close_sockets(a->user, pass);
}

void auth_init(struct auth *a, const struct clock *clock, const struct auth_ops *ops, void *user) {
    *a = (struct auth){.clock = clock, .ops = ops, .user = user};
    tokens_init(&a->tokens, on_ended, a);
    throttle_init(&a->throttle, clock_mono(clock));
}

void auth_fini(struct auth *a) {
    tokens_fini(&a->tokens);
    throttle_fini(&a->throttle);
    free(a->hash);
}

bool auth_has_password(const struct auth *a) {
    return a->hash != NULL;
}

void auth_set_password_hash(struct auth *a, const char *hash) {
    bool had = auth_has_password(a);
    if (!str_set(&a->hash, span_str(hash))) return;
    a->which++;
    if (!had) a->ops->close_sockets(a->user, AUTH_NOBODY);
    tokens_end_all(&a->tokens);
    a->ops->changed(a->user);
}

uint64_t auth_pass(struct auth *a, const struct http_exchange *x) {
    struct span query = SPAN_NONE;
    (void)http_query(x, SPAN("token"), &query);
    struct credentials c =
        credentials_of(http_header(x, SPAN("cookie")), http_header(x, SPAN("authorization")), query);
    uint64_t pass = 0;
    for (size_t i = 0; i < c.count && pass == 0; i++)
        pass = tokens_find(&a->tokens, c.token[i], now_ms(a));
    return pass;
}

/* ---- logging in ------------------------------------------------------------------------------------------------- */

static void reply_wait(struct http_exchange *x, int status, unsigned seconds, const char *why) {
    AUTO(buf) struct buf body = BUF_INIT(1024);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kcstr(&w, "error", why);
    jwrite_ku64(&w, "retryAfter", seconds);
    jwrite_object_end(&w);
    char text[SPAN_DIGITS];
    http_add_header(x, SPAN("Retry-After"), span_digits(text, seconds));
    api_reply_json(x, status, &body);
}

static void login_free(struct login *l) {
    explicit_bzero(l->password, l->password_n);
    free(l->password);
    free(l->hash);
    free(l);
}

void auth_login(struct auth *a, struct http_exchange *x, struct span password) {
    if (a->waiting >= AUTH_WAITING_MAX) {
        reply_wait(x, 503, 1, "Too many people log in at this moment: try again");
        return;
    }
    char peer[HTTP_PEER_BYTES];
    http_peer(x, peer);
    struct peer_block from = peer_block(span_str(peer));
    unsigned wait = throttle_try(&a->throttle, &from, clock_mono(a->clock));
    if (wait > 0) {
        char why[128];
        (void)snprintf(why, sizeof why, "Too many wrong passwords: wait %u second%s", wait,
                       wait == 1 ? "" : "s");
        reply_wait(x, 429, wait, why);
        return;
    }
    struct login *l = xcalloc(1, sizeof *l);
    *l = (struct login){.x = x, .from = from, .which = a->which, .hash = xstrdup(a->hash)};
    list_init(&l->link);
    l->password = str_dup(password);
    l->password_n = password.n;
    a->waiting++;
    a->ops->verify(a->user, l);
}

static void let_in(struct auth *a, struct login *l) {
    char token[SECRET_BYTES];
    if (secret_draw(token) < 0) {
        http_reply_error(l->x, 500, "The system has no randomness for a token");
        return;
    }
    throttle_pardon(&a->throttle, &l->from);
    (void)tokens_add(&a->tokens, span_str(token), now_ms(a));
    a->ops->changed(a->user);
    char cookie[256];
    (void)snprintf(cookie, sizeof cookie,
                   CREDENTIALS_COOKIE "=%s; HttpOnly; SameSite=Strict; Path=/; Max-Age=%" PRId64 "%s", token,
                   TOKENS_LIFE_MS / 1000, http_is_secure(l->x) ? "; Secure" : "");
    http_add_header(l->x, SPAN("Set-Cookie"), span_str(cookie));
    AUTO(buf) struct buf body = BUF_INIT(1024);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kbool(&w, "success", true);
    jwrite_kcstr(&w, "token", token);
    jwrite_object_end(&w);
    api_reply_json(l->x, 200, &body);
    explicit_bzero(token, sizeof token);
}

void auth_verified(struct auth *a, struct login *l) {
    a->waiting--;
    if (l->which != a->which)
        http_reply_error(l->x, 401, "The password has just been changed: try again");
    else if (!l->right)
        http_reply_error(l->x, 401, "Wrong password");
    else
        let_in(a, l);
    login_free(l);
}

void auth_abandon(struct auth *a, struct login *l) {
    a->waiting--;
    http_reply_error(l->x, 503, "The daemon is stopping");
    login_free(l);
}
