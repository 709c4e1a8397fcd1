#include "api/api.h"
#include "api/approvals.h"
#include "api/auth.h"
#include "api/board_inbox.h"
#include "api/hook_token.h"
#include "api/tty.h"
#include "base/jscan.h"
#include "core/input_box.h"
#include "loop/doing.h"
#include "net/access.h"
#include "net/assets.h"
#include "wire/board_terminal.h"
#include "wire/terminal_request.h"
#include "wire/tty_msg.h"

static const struct route routes[] = {
    {HTTP_GET, "/api/approvals", api_get_approvals},
    {HTTP_POST, "/api/approvals/:id", api_answer_approval},
    {HTTP_GET, "/api/away", api_get_away},
    {HTTP_PUT, "/api/away", api_put_away},
    {HTTP_GET, "/api/auth/status", api_get_auth_status},
    {HTTP_POST, "/api/auth/login", api_login},
    {HTTP_POST, "/api/auth/logout", api_logout},
    {HTTP_POST, "/api/auth/reload", api_reload_password},
    {HTTP_POST, "/api/auth/pair", api_pair_device},
    {HTTP_POST, "/api/auth/paired", api_claim_pairing},
    {HTTP_POST, "/api/auth/renew", api_renew_login},
    {HTTP_GET, "/api/auth/logins", api_get_logins},
    {HTTP_DELETE, "/api/auth/logins/:id", api_delete_login},
    {HTTP_GET, "/api/health", api_get_health},
    {HTTP_GET, "/api/hook-stats", api_get_hook_stats},
    {HTTP_POST, "/api/hook-stats/reset", api_reset_hook_stats},
    {HTTP_GET, "/api/mq-stats", api_get_mq_stats},
    {HTTP_GET, "/api/push", api_get_push},
    {HTTP_POST, "/api/push/subscriptions", api_post_push_subscription},
    {HTTP_DELETE, "/api/push/subscriptions/:id", api_delete_push_subscription},
    {HTTP_POST, "/api/push/test", api_test_push},
    {HTTP_POST, "/api/push/answer", api_answer_push},
    {HTTP_POST, "/api/reset", api_reset_browsers},
    {HTTP_GET, "/api/sessions", api_get_sessions},
    {HTTP_GET, "/api/sessions/:id", api_get_session},
    {HTTP_DELETE, "/api/sessions/:id", api_delete_session},
    {HTTP_GET, "/api/sessions/:id/source", api_get_source},
    {HTTP_PUT, "/api/sessions/:id/title", api_put_title},
    {HTTP_PUT, "/api/sessions/:id/label", api_put_label},
    {HTTP_PUT, "/api/sessions/:id/accent-color", api_put_accent_color},
    {HTTP_PUT, "/api/sessions/:id/character-model", api_put_character_model},
    {HTTP_PUT, "/api/sessions/:id/muted", api_put_muted},
    {HTTP_POST, "/api/sessions/:id/interrupt", api_interrupt_session},
    {HTTP_POST, "/api/sessions/:id/kill", api_kill_session},
    {HTTP_POST, "/api/sessions/:id/prompt", api_prompt_session},
    {HTTP_POST, "/api/sessions/:id/repair", api_repair_session},
    {HTTP_POST, "/api/sessions/:id/resume", api_resume_session},
    {HTTP_POST, "/api/sessions/:id/seen", api_seen_session},
    {HTTP_GET, "/api/sessions/:id/policies", api_get_policies},
    {HTTP_POST, "/api/sessions/:id/policies", api_post_policy},
    {HTTP_GET, "/api/rules", api_get_rules},
    {HTTP_DELETE, "/api/rules/:id", api_delete_rule},
    {HTTP_GET, "/api/shell-environment", api_get_shell_environment},
    {HTTP_POST, "/api/shell-environment", api_resolve_shell_environment},
    {HTTP_GET, "/api/terminals", api_get_terminals},
    {HTTP_POST, "/api/terminals", api_post_terminal},
    {HTTP_GET, "/api/terminals/:id", api_get_terminal},
    {HTTP_DELETE, "/api/terminals/:id", api_delete_terminal},
    {HTTP_POST, "/api/terminals/:id/keep", api_keep_terminal},
    {HTTP_GET, "/api/terminals/:id/screen", api_get_screen},
    {HTTP_GET, "/api/terminals/:id/snapshot", api_get_snapshot},
    {HTTP_POST, "/api/terminals/:id/write", api_write_terminal},
    {HTTP_GET, "/api/pty-stats", api_get_pty_stats},
    {HTTP_GET, "/api/teams/:id/config", api_get_team_config},
    {HTTP_POST, "/api/hooks", api_post_hook},
    {HTTP_GET, "/api/hooks/status", api_get_hook_setup},
    {HTTP_POST, "/api/hooks/install", api_install_hooks},
    {HTTP_POST, "/api/hooks/uninstall", api_uninstall_hooks},
};

enum { BODY_MAX = 4096 };

/* Routes whose bodies may be larger than that. What is typed or pasted takes up to six bytes of JSON for one. */
static const struct {
    api_handler *handle;
    size_t max;
} large_bodies[] = {
    {api_put_title, 64 << 10},
    {api_put_label, 64 << 10},
    {api_answer_approval, APPROVALS_BODY_MAX},
    {api_prompt_session, 6 * INPUT_BOX_TEXT_MAX + BODY_MAX},
    {api_post_hook, SIZE_MAX}, /* as HTTP does; it says itself what is too large */
    {api_post_terminal, 2 * TERMINAL_REQUEST_ENVIRONMENT_BYTES_MAX + (1 << 20)},
    {api_write_terminal, 6 * BOARD_TERMINAL_INPUT_MAX + BODY_MAX},
};

static size_t body_max(const struct route *route) {
    for (size_t i = 0; i < ARRAY_LEN(large_bodies) && route; i++)
        if (large_bodies[i].handle == route->handle) return large_bodies[i].max;
    return BODY_MAX;
}

bool api_body_member(struct http_exchange *x, const char *name, struct span *ret) {
    const struct http_request *req = http_request(x);
    struct jmember m[] = {{span_str(name), {0}}};
    if (jvalid(req->body, 32) < 0 || jscan_kind(span_trim(req->body)) != JKIND_OBJECT ||
        jscan_object(span_trim(req->body), m, ARRAY_LEN(m)) < 0) {
        http_reply_error(x, 400, "the body must be a JSON object");
        return false;
    }
    *ret = m[0].value;
    return true;
}

void api_reply_json(struct http_exchange *x, int status, struct buf *body) {
    if (body->failed)
        http_reply_error(x, 500, "the answer is too large");
    else
        http_reply(x, status, SPAN("application/json; charset=utf-8"), buf_span(body));
}

static const char *foreign_words(const struct api *api) {
    return http_knows_users(api->http)
               ? "this ostler belongs to another user of this machine: run your own"
               : "this system does not tell which user a connection is of, so that nobody is served here without a password: "
                 "ostler password set";
}

static const char far_words[] =
    "this ostler has no password and serves its own machine only: ostler password set";

/* Without passwords, who may look is decided by who is asking: on a shared machine the others have no business in here. */
static const char *on_enter(void *user, enum http_who who) {
    const struct api *api = user;
    if (access_any(who, auth_has_password(api->auth))) return NULL;
    return who == HTTP_FAR ? far_words : foreign_words(api);
}

/* Answers and returns false when the request may not be served, whoever asks. */
static bool guard(const struct api *api, struct http_exchange *x, bool upgrade) {
    char local[HTTP_PEER_BYTES];
    http_local(x, local);
    const struct guard_request r = {
        .method = http_request(x)->method,
        .upgrade = upgrade,
        .secure = http_is_secure(x),
        .owner = http_from_owner(x),
        .host = http_host(x),
        .header = http_header(x, SPAN("host")),
        .local = span_str(local),
        .has_origin = http_has_header(x, SPAN("origin")),
        .has_site = http_has_header(x, SPAN("sec-fetch-site")),
        .origin = http_header(x, SPAN("origin")),
        .site = http_joined_header(x, SPAN("sec-fetch-site")),
    };
    const char *why = NULL;
    int status = guard_check(&api->guard, &r, &why);
    if (status == 0) return true;
    http_reply_error(x, status, "%s", why);
    return false;
}

/* Who is it, and may they? `*ret_holder` gets whose the connection is, for sockets. */
static enum access decide(const struct api *api, struct http_exchange *x, enum access_kind kind,
                          uint64_t *ret_holder) {
    uint64_t pass = auth_pass(api->auth, x);
    struct access_request r = {
        .kind = kind,
        .has_password = auth_has_password(api->auth),
        .who = http_who(x),
        .logged_in = pass != 0,
        .look_only = auth_is_look_only(api->auth, pass),
        .changes = http_request(x)->method != HTTP_GET,
    };
    if (kind == ACCESS_HOOK && access_decide(&r) == ACCESS_NO_HOOK)
        r.hook_token = hook_token_matches(api->hook_token_file, http_header(x, SPAN("x-ostler-hook-token")));
    *ret_holder = http_from_owner(x) ? AUTH_OWNER : pass;
    return access_decide(&r);
}

/* What is said to those that may not. */
static void refuse(const struct api *api, struct http_exchange *x, enum access access) {
    if (access == ACCESS_FOREIGN)
        http_reply_error(x, 403, "%s", foreign_words(api));
    else if (access == ACCESS_FAR)
        http_reply_error(x, 403, far_words);
    else if (access == ACCESS_LOOK)
        http_reply_error(x, 403,
                         "this login may only look: pair the device again to change anything from it");
    else if (access == ACCESS_NO_HOOK)
        http_reply_error(x, 401,
                         "hooks from elsewhere need the header X-Ostler-Hook-Token: it is in hook.token");
    else
        http_reply_error(x, 401, "Unauthorized");
}

/* Answers and returns false when the request is refused; otherwise `*ret` is how it is served. Whoever has no business here at all
 * is told so before anything else. */
static bool admit(const struct api *api, struct http_exchange *x, enum access_kind kind, enum access *ret,
                  uint64_t *ret_holder) {
    *ret = decide(api, x, kind, ret_holder);
    bool away = *ret == ACCESS_FOREIGN || *ret == ACCESS_FAR;
    if (!away && !guard(api, x, kind == ACCESS_SOCKET)) return false;
    if (*ret == ACCESS_SERVE || *ret == ACCESS_LITTLE || *ret == ACCESS_GO_AWAY) return true;
    refuse(api, x, *ret);
    return false;
}

static bool is_api(struct span path) {
    return span_eq(path, SPAN("/api")) || span_starts(path, SPAN("/api/"));
}

/* What a request leads to: a route, or (NULL) the board's files. Answers and returns false when it is neither. */
static bool find(struct http_exchange *x, const struct route **ret, struct route_params *ret_params) {
    const struct http_request *req = http_request(x);
    char allow[64];
    *ret = NULL;
    switch (route_match(routes, ARRAY_LEN(routes), req->method, req->path, ret, ret_params, allow)) {
    case ROUTE_FOUND: return true;
    case ROUTE_WRONG_METHOD:
        http_add_header(x, SPAN("Allow"), span_str(allow));
        http_reply_error(x, 405, "this path takes %s", allow);
        return false;
    case ROUTE_UNKNOWN_PATH: break;
    }
    if (is_api(req->path)) {
        http_reply_error(x, 404, "no such route; docs/protocol.md lists them");
        return false;
    }
    if (req->method == HTTP_GET) return true;
    http_add_header(x, SPAN("Allow"), SPAN("GET, HEAD"));
    http_reply_error(x, 405, "only GET works here; the API is under /api");
    return false;
}

/* Nothing is read for who may not, or for nothing. */
static bool on_head(void *user, struct http_exchange *x, size_t *ret_max) {
    const struct http_request *req = http_request(x);
    enum access access;
    uint64_t holder;
    const struct route *route;
    struct route_params params;
    if (!admit(user, x, access_kind(req->method, req->path), &access, &holder) || !find(x, &route, &params))
        return false;
    *ret_max = body_max(route);
    return true;
}

static void on_request(void *user, struct http_exchange *x) {
    struct api *api = user;
    const struct http_request *req = http_request(x);
    enum access access;
    uint64_t holder;
    const struct route *route;
    struct route_params params;
    if (!admit(api, x, access_kind(req->method, req->path), &access, &holder)) return;
    if (access == ACCESS_LITTLE) {
        api_get_life(api, x, NULL);
    } else if (find(x, &route, &params)) {
        if (route) {
            doing(route->pattern);
            route->handle(api, x, &params);
        } else {
            assets_serve(x);
        }
    }
}

/* Does the client offer this subprotocol? Then it is chosen. */
static bool choose_protocol(struct http_exchange *x, struct span wanted, struct span *ret_protocol) {
    struct span offered = http_header(x, SPAN("sec-websocket-protocol"));
    while (offered.n) {
        if (!span_eq(span_trim(span_split(&offered, ',')), wanted)) continue;
        *ret_protocol = wanted;
        return true;
    }
    return false;
}

/* A worker's socket? */
static bool match_tty(struct span path, struct route_params *ret) {
    static const struct route tty = {HTTP_GET, "/ws/session/:id/worker/:wid", NULL};
    const struct route *route;
    char allow[64];
    return route_match(&tty, 1, HTTP_GET, path, &route, ret, allow) == ROUTE_FOUND;
}

static bool query_number(const struct http_exchange *x, struct span name, uint64_t *ret) {
    struct span text;
    return http_query(x, name, &text) && span_u64(text, ret);
}

static struct tty_visit tty_visit(const struct http_exchange *x, const struct route_params *params) {
    struct tty_visit v = {.session = params->value[0], .worker = params->value[1]};
    uint64_t exact = 0, cols = 0, rows = 0;
    v.has_place = query_number(x, SPAN("epoch"), &v.epoch) && query_number(x, SPAN("offset"), &v.offset);
    v.exact = query_number(x, SPAN("exact"), &exact) && exact;
    if (query_number(x, SPAN("cols"), &cols) && query_number(x, SPAN("rows"), &rows) && cols <= VT_COLS_MAX &&
        rows <= VT_ROWS_MAX) {
        v.cols = (unsigned)cols;
        v.rows = (unsigned)rows;
    }
    return v;
}

/* A socket of somebody who has to log in first. It is opened nevertheless: a browser tells its page nothing else. */
static void away_opened(void *user UNUSED, struct ws *ws) {
    ws_close(ws, ACCESS_CLOSE_CODE, SPAN("Unauthorized"));
}

static void away_message(void *user UNUSED, struct span message UNUSED, bool binary UNUSED) {}

static struct ws_frame *away_next(void *user UNUSED) {
    return NULL;
}

static void away_closed(void *user UNUSED) {}

static const struct ws_channel away = {
    .max_message = 1024,
    .opened = away_opened,
    .message = away_message,
    .next = away_next,
    .closed = away_closed,
};

static const struct ws_channel *connect_tty(const struct api *api, struct http_exchange *x, struct ws *ws,
                                            const struct route_params *params, bool binary, void **ret_user) {
    struct tty_visit visit = tty_visit(x, params);
    visit.binary = binary;
    if (ws_is_look_only(ws)) visit.cols = visit.rows = 0; /* it has no say in the terminal's size */
    return tty_connect(api->ttys, ws, &visit, ret_user);
}

static const struct ws_channel *connect_board(const struct api *api, const struct http_exchange *x,
                                              struct ws *ws, bool v1, void **ret_user) {
    uint64_t since;
    bool continues = query_number(x, SPAN("since"), &since);
    return board_connect(api->board, ws, v1 ? BOARD_V1 : BOARD_PLAIN, continues ? &since : NULL, ret_user);
}

static const struct ws_channel *on_upgrade(void *user, struct http_exchange *x, struct ws *ws,
                                           void **ret_user, struct span *ret_protocol) {
    struct api *api = user;
    enum access access;
    uint64_t holder;
    if (!admit(api, x, ACCESS_SOCKET, &access, &holder)) return NULL;
    struct span path = http_request(x)->path;
    struct route_params params;
    bool tty = match_tty(path, &params);
    if (!tty && !span_eq(path, SPAN("/ws")) && !span_eq(path, SPAN("/")) &&
        !span_eq(path, SPAN("/ws/dashboard"))) {
        http_reply_error(x, 404, "no such WebSocket; the board's is /ws");
        return NULL;
    }
    /* Also for who is sent away: browsers give up on a socket that does not choose one of those they offered. */
    bool ours = choose_protocol(x, tty ? SPAN(TTY_MSG_PROTOCOL) : SPAN(BOARD_MSG_PROTOCOL), ret_protocol);
    if (access == ACCESS_GO_AWAY) return &away;
    ws_set_holder(ws, holder);
    bool look_only = auth_is_look_only(api->auth, holder);
    ws_set_look_only(ws, look_only);
    if (tty) return connect_tty(api, x, ws, &params, ours, ret_user);
    const struct ws_channel *channel = connect_board(api, x, ws, ours, ret_user);
    char by[APPROVALS_BY_BYTES];
    approvals_by(api, x, by);
    client_set_name(*ret_user, by, look_only);
    return channel;
}

const struct http_ops api_http_ops = {
    .enter = on_enter, .head = on_head, .request = on_request, .upgrade = on_upgrade};
