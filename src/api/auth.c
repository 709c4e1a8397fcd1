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

int64_t auth_now_ms(struct auth *a) {
    int64_t by_ms, now_ms = clock_step_now_ms(&a->step, a->clock, &by_ms);
    if (!by_ms) return now_ms;
    tokens_clock_set(&a->tokens, by_ms);
    a->ops->changed(a->user);
    return now_ms;
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
    pair_codes_clear(&a->pair_codes);
    if (!had) a->ops->close_sockets(a->user, AUTH_NOBODY);
    tokens_end_all(&a->tokens);
    a->ops->changed(a->user);
}

static struct credentials credentials(const struct http_exchange *x) {
    char name[CREDENTIALS_NAME_BYTES];
    credentials_cookie_name(http_host(x), http_is_secure(x), name);
    struct credentials_request r = {
        .cookie_name = name,
        .cookie = http_header(x, SPAN("cookie")),
        .key = http_header(x, SPAN(CREDENTIALS_KEY_HEADER)),
        .protocols = http_header(x, SPAN("sec-websocket-protocol")),
        .authorization = http_header(x, SPAN("authorization")),
    };
    (void)http_query(x, SPAN("token"), &r.query_token);
    return credentials_of(&r);
}

/* The halves that the request brings and that are good together; the pass, or 0. */
static uint64_t find_halves(struct auth *a, const struct credentials *c, struct token_pair *ret) {
    uint64_t pass = 0;
    for (size_t i = 0; i < c->cookie_count && c->key.n && pass == 0; i++) {
        *ret = (struct token_pair){.first = c->cookie[i], .key = c->key};
        pass = tokens_find(&a->tokens, *ret, auth_now_ms(a));
    }
    return pass;
}

uint64_t auth_pass(struct auth *a, const struct http_exchange *x) {
    struct credentials c = credentials(x);
    struct token_pair halves;
    uint64_t pass = find_halves(a, &c, &halves);
    for (size_t i = 0; i < c.count && pass == 0; i++)
        pass = tokens_find(&a->tokens, (struct token_pair){.first = c.token[i]}, auth_now_ms(a));
    return pass;
}

bool auth_is_look_only(const struct auth *a, uint64_t pass) {
    const struct token *one = pass && pass != AUTH_OWNER ? tokens_get(&a->tokens, pass) : NULL;
    return one && one->terms.look_only;
}

void auth_sweep(struct auth *a) {
    (void)tokens_sweep(&a->tokens, auth_now_ms(a));
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

/* For the list of logins. */
static void note_origin(struct login *l) {
    http_peer(l->x, l->where.address);
    user_agent_short(http_header(l->x, SPAN("user-agent")), l->where.agent);
    l->knows_user = http_peer_user(l->x, &l->user);
}

/* Whose tries these are: on this machine the user's, so that nobody can use up the owner's. */
static struct peer_block tries_of(const struct http_exchange *x) {
    char peer[HTTP_PEER_BYTES];
    uid_t user;
    bool ours = http_who(x) == HTTP_USER || http_who(x) == HTTP_OWNER;
    if (ours || http_peer_user(x, &user)) return peer_block_user(ours ? 0 : user, ours);
    http_peer(x, peer);
    return peer_block(span_str(peer));
}

void auth_login(struct auth *a, struct http_exchange *x, struct span password, bool split) {
    struct peer_block from = tries_of(x);
    unsigned places = peer_block_is_ours(&from) ? AUTH_WAITING_MAX : AUTH_WAITING_OTHERS;
    if (a->waiting >= places) {
        reply_wait(x, 503, 1, "Too many people log in at this moment: try again");
        return;
    }
    unsigned wait = throttle_try(&a->throttle, &from, clock_mono(a->clock));
    if (wait > 0) {
        char why[128];
        (void)snprintf(why, sizeof why, "Too many wrong passwords: wait %u second%s", wait,
                       wait == 1 ? "" : "s");
        reply_wait(x, 429, wait, why);
        return;
    }
    struct login *l = xcalloc(1, sizeof *l);
    *l = (struct login){.x = x, .from = from, .split = split, .which = a->which, .hash = xstrdup(a->hash)};
    list_init(&l->link);
    note_origin(l);
    l->password = str_dup(password);
    l->password_n = password.n;
    a->waiting++;
    a->ops->verify(a->user, l);
}

/* What is drawn for a login: its id, and its secrets. */
struct drawn {
    char id[SECRET_BYTES], first[SECRET_BYTES], key[SECRET_BYTES];
};

static bool draw(struct drawn *d, struct http_exchange *x) {
    if (secret_draw(d->id) == 0 && secret_draw(d->first) == 0 && secret_draw(d->key) == 0) return true;
    http_reply_error(x, 500, "The system has no randomness for a token");
    return false;
}

static void set_cookie(struct http_exchange *x, const char *value, int64_t life_ms) {
    char name[CREDENTIALS_NAME_BYTES], cookie[256];
    credentials_cookie_name(http_host(x), http_is_secure(x), name);
    (void)snprintf(cookie, sizeof cookie, "%s=%s; HttpOnly; SameSite=Strict; Path=/; Max-Age=%" PRId64 "%s",
                   name, value, life_ms / 1000, http_is_secure(x) ? "; Secure" : "");
    http_add_header(x, SPAN("Set-Cookie"), span_str(cookie));
    explicit_bzero(cookie, sizeof cookie);
}

void auth_drop_cookie(struct http_exchange *x) {
    set_cookie(x, "", 0);
}

static void reply_whole(struct http_exchange *x, const struct drawn *d) {
    AUTO(buf) struct buf body = BUF_INIT(1024);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kbool(&w, "success", true);
    jwrite_kcstr(&w, "token", d->first);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}

static void reply_halves(struct http_exchange *x, const struct drawn *d, int64_t life_ms) {
    set_cookie(x, d->first, life_ms);
    AUTO(buf) struct buf body = BUF_INIT(1024);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kbool(&w, "success", true);
    jwrite_kcstr(&w, "key", d->key);
    jwrite_ki64(&w, "renewAfter", TOKENS_RENEW_MS / 1000);
    jwrite_ki64(&w, "expiresIn", life_ms / 1000);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}

static void let_in(struct auth *a, struct login *l) {
    struct drawn d;
    if (!draw(&d, l->x)) return;
    throttle_pardon(&a->throttle, &l->from);
    struct token_pair pair = {.first = span_str(d.first), .key = l->split ? span_str(d.key) : SPAN_NONE};
    struct span id = span_take(span_str(d.id), TOKEN_ID_BYTES - 1);
    if (tokens_add(&a->tokens, id, pair, &l->where, auth_now_ms(a)) == 0) {
        http_reply_error(l->x, 503, "The login's number is taken: try again");
    } else {
        a->ops->changed(a->user);
        if (l->split)
            reply_halves(l->x, &d, TOKENS_LIFE_MS);
        else
            reply_whole(l->x, &d);
    }
    explicit_bzero(&d, sizeof d);
}

/* A code that nobody knows counts like a wrong password. */
void auth_claim(struct auth *a, struct http_exchange *x, struct span code) {
    struct peer_block from = tries_of(x);
    unsigned wait = throttle_try(&a->throttle, &from, clock_mono(a->clock));
    struct token_terms terms;
    struct drawn d;
    if (wait > 0) {
        reply_wait(x, 429, wait, "Too many wrong codes: wait a little");
        return;
    }
    if (!pair_codes_take(&a->pair_codes, code, auth_now_ms(a), &terms)) {
        http_reply_error(x, 401, "This code is used up or too old: ask for another one with ostler pair");
        return;
    }
    if (!draw(&d, x)) return;
    throttle_pardon(&a->throttle, &from);
    struct token_from where = {0};
    http_peer(x, where.address);
    user_agent_short(http_header(x, SPAN("user-agent")), where.agent);
    struct token_pair pair = {.first = span_str(d.first), .key = span_str(d.key)};
    if (tokens_add_with(&a->tokens, span_take(span_str(d.id), TOKEN_ID_BYTES - 1), pair, &where, &terms,
                        auth_now_ms(a)) == 0) {
        http_reply_error(x, 503, "The login's number is taken: ask for another code");
    } else {
        a->ops->changed(a->user);
        reply_halves(x, &d, TOKENS_PAIRED_MS);
    }
    explicit_bzero(&d, sizeof d);
}

void auth_renew(struct auth *a, struct http_exchange *x) {
    struct credentials c = credentials(x);
    struct token_pair old;
    struct drawn d;
    uint64_t pass = find_halves(a, &c, &old);
    if (pass == 0) {
        http_reply_error(x, 401, "Unauthorized");
        return;
    }
    if (!draw(&d, x)) return;
    struct token_pair pair = {.first = span_str(d.first), .key = span_str(d.key)};
    if (tokens_renew(&a->tokens, old, pair, auth_now_ms(a))) {
        a->ops->changed(a->user);
        reply_halves(x, &d, token_until(tokens_get(&a->tokens, pass)) - auth_now_ms(a));
    } else {
        AUTO(buf) struct buf body = BUF_INIT(1024);
        struct jwrite w = JWRITE_INIT(&body);
        jwrite_object(&w);
        jwrite_kbool(&w, "success", true);
        jwrite_ki64(&w, "renewAfter", TOKENS_OVERLAP_MS / 1000);
        jwrite_object_end(&w);
        api_reply_json(x, 200, &body);
    }
    explicit_bzero(&d, sizeof d);
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
