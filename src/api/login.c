/* /api/auth/…: logging in and out. */
#include "api/api.h"
#include "api/auth.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "net/credentials.h"

static void reply_success(struct http_exchange *x) {
    http_reply_static(x, 200, SPAN("application/json; charset=utf-8"), SPAN("{\"success\":true}"));
}

void api_get_auth_status(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    bool required = auth_has_password(api->auth);
    AUTO(buf) struct buf body = BUF_INIT(256);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kbool(&w, "passwordRequired", required);
    jwrite_kbool(&w, "authenticated", !required || http_from_owner(x) || auth_pass(api->auth, x) != 0);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}

void api_login(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    struct span raw, password;
    if (!auth_has_password(api->auth)) {
        reply_success(x);
        return;
    }
    if (!api_body_member(x, "password", &raw)) return;
    if (jscan_string(raw, http_request(x)->arena, &password) < 0 || password.n == 0) {
        http_reply_error(x, 400, "Password is required");
        return;
    }
    auth_login(api->auth, x, password);
}

/* Without a body it is this one's. False, and answered, when it is not understood. */
static bool wants_everywhere(struct http_exchange *x, bool *ret) {
    struct span raw;
    *ret = false;
    if (span_trim(http_request(x)->body).n == 0) return true;
    if (!api_body_member(x, "everywhere", &raw)) return false;
    if (raw.n == 0 || jscan_bool(raw, ret)) return true;
    http_reply_error(x, 400, "everywhere must be true or false");
    return false;
}

void api_logout(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    struct auth *auth = api->auth;
    bool everywhere;
    if (!wants_everywhere(x, &everywhere)) return;
    uint64_t pass = auth_pass(auth, x);
    if (everywhere && pass == 0 && !http_from_owner(x) && auth_has_password(auth)) {
        http_reply_error(x, 401, "Unauthorized");
        return;
    }
    if (everywhere)
        tokens_end_all(&auth->tokens);
    else if (pass)
        tokens_end(&auth->tokens, pass);
    if (everywhere || pass) auth->ops->changed(auth->user);
    http_add_header(x, SPAN("Set-Cookie"),
                    SPAN(CREDENTIALS_COOKIE "=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"));
    reply_success(x);
}

void api_reload_password(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    struct err err = {0};
    if (api->auth->ops->reload(api->auth->user, &err) < 0)
        http_reply_error(x, 500, "%s", err.msg);
    else
        api_get_auth_status(user, x, params);
}
