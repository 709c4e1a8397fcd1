/* /api/auth/…: logging in and out, and who is. */
#include "api/api.h"
#include "api/auth.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"

static void reply_success(struct http_exchange *x) {
    http_reply_static(x, 200, SPAN("application/json; charset=utf-8"), SPAN("{\"success\":true}"));
}

/* A member of the body that is true or false, and false when it is absent. False, and answered, when it is not understood. */
static bool body_flag(struct http_exchange *x, const char *name, bool *ret) {
    struct span raw;
    *ret = false;
    if (!api_body_member(x, name, &raw)) return false;
    if (raw.n == 0 || jscan_bool(raw, ret)) return true;
    http_reply_error(x, 400, "%s must be true or false", name);
    return false;
}

void api_get_auth_status(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    bool required = auth_has_password(api->auth);
    AUTO(buf) struct buf body = BUF_INIT(256);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_kbool(&w, "passwordRequired", required);
    uint64_t pass = auth_pass(api->auth, x);
    jwrite_kbool(&w, "authenticated", !required || http_from_owner(x) || pass != 0);
    if (auth_is_look_only(api->auth, pass)) jwrite_kbool(&w, "lookOnly", true);
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
    bool split = false;
    if (!body_flag(x, "split", &split) || !api_body_member(x, "password", &raw)) return;
    if (jscan_string(raw, http_request(x)->arena, &password) < 0 || password.n == 0) {
        http_reply_error(x, 400, "Password is required");
        return;
    }
    /* Browsers say so of pages alone, and of ours it can only be one that was loaded before an upgrade. */
    if (!split && span_ieq(http_header(x, SPAN("sec-fetch-site")), SPAN("same-origin"))) {
        http_reply_error(x, 409, "This page is older than the daemon: reload it");
        return;
    }
    auth_login(api->auth, x, password, split);
}

void api_logout(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    struct auth *auth = api->auth;
    bool everywhere = false;
    bool has_body = span_trim(http_request(x)->body).n > 0; /* without one it is this one's */
    if (has_body && !body_flag(x, "everywhere", &everywhere)) return;
    uint64_t pass = auth_pass(auth, x);
    if (everywhere && pass == 0 && !http_from_owner(x) && auth_has_password(auth)) {
        http_reply_error(x, 401, "Unauthorized");
        return;
    }
    if (everywhere && auth_is_look_only(auth, pass)) {
        http_reply_error(x, 403, "this login may only look");
        return;
    }
    if (everywhere)
        tokens_end_all(&auth->tokens);
    else if (pass)
        tokens_end(&auth->tokens, pass);
    if (everywhere || pass) auth->ops->changed(auth->user);
    auth_drop_cookie(x);
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

void api_renew_login(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    auth_renew(api->auth, x);
}

static void write_login(struct jwrite *w, const struct token *one, uint64_t pass) {
    jwrite_object(w);
    jwrite_kcstr(w, "id", one->id);
    jwrite_kcstr(w, "kind", one->key.hash[0] ? "browser" : "token");
    jwrite_ki64(w, "createdAt", one->created_ms);
    jwrite_ki64(w, "lastUsedAt", one->used_ms);
    jwrite_ki64(w, "expiresAt", token_until(one));
    jwrite_kcstr(w, "name", one->terms.name[0] ? one->terms.name : NULL);
    jwrite_kbool(w, "paired", one->terms.paired);
    jwrite_kbool(w, "lookOnly", one->terms.look_only);
    jwrite_kcstr(w, "address", one->from.address);
    jwrite_kcstr(w, "user", one->from.user[0] ? one->from.user : NULL);
    jwrite_kcstr(w, "agent", one->from.agent[0] ? one->from.agent : NULL);
    jwrite_kbool(w, "current", one->pass == pass);
    jwrite_object_end(w);
}

void api_get_logins(void *user, struct http_exchange *x, const struct route_params *params UNUSED) {
    const struct api *api = user;
    uint64_t pass = auth_pass(api->auth, x);
    AUTO(buf) struct buf body = BUF_INIT(API_BODY_MAX);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    jwrite_key(&w, "logins");
    jwrite_array(&w);
    auth_sweep(api->auth);
    list_for_each(node, &api->auth->tokens.by_age)
        write_login(&w, list_entry(node, struct token, link), pass);
    jwrite_array_end(&w);
    jwrite_object_end(&w);
    api_reply_json(x, 200, &body);
}

void api_delete_login(void *user, struct http_exchange *x, const struct route_params *params) {
    const struct api *api = user;
    struct auth *auth = api->auth;
    uint64_t pass = auth_pass(auth, x); /* first: a token whose time is up ends as it is looked for */
    const struct token *one = tokens_by_id(&auth->tokens, params->value[0]);
    if (!one) {
        http_reply_error(x, 404, "Login not found");
        return;
    }
    if (one->pass == pass) auth_drop_cookie(x);
    tokens_end(&auth->tokens, one->pass);
    auth->ops->changed(auth->user);
    reply_success(x);
}
