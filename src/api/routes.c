#include "api/api.h"
#include "api/tty.h"
#include "net/assets.h"
#include "platform/sock.h"
#include "wire/tty_msg.h"

#include <errno.h>
#include <unistd.h>

static const struct route routes[] = {
    {HTTP_GET, "/api/health", api_get_health},
    {HTTP_GET, "/api/hook-stats", api_get_hook_stats},
    {HTTP_POST, "/api/hook-stats/reset", api_reset_hook_stats},
    {HTTP_GET, "/api/mq-stats", api_get_mq_stats},
    {HTTP_POST, "/api/reset", api_reset_browsers},
    {HTTP_GET, "/api/sessions", api_get_sessions},
    {HTTP_GET, "/api/sessions/:id", api_get_session},
    {HTTP_DELETE, "/api/sessions/:id", api_delete_session},
    {HTTP_GET, "/api/sessions/:id/source", api_get_source},
    {HTTP_PUT, "/api/sessions/:id/title", api_put_title},
    {HTTP_PUT, "/api/sessions/:id/label", api_put_label},
    {HTTP_PUT, "/api/sessions/:id/accent-color", api_put_accent_color},
    {HTTP_PUT, "/api/sessions/:id/character-model", api_put_character_model},
    {HTTP_POST, "/api/sessions/:id/kill", api_kill_session},
    {HTTP_POST, "/api/sessions/:id/repair", api_repair_session},
    {HTTP_POST, "/api/sessions/:id/resume", api_resume_session},
    {HTTP_GET, "/api/terminals", api_get_terminals},
    {HTTP_POST, "/api/terminals", api_post_terminal},
    {HTTP_GET, "/api/terminals/:id", api_get_terminal},
    {HTTP_DELETE, "/api/terminals/:id", api_delete_terminal},
    {HTTP_GET, "/api/terminals/:id/screen", api_get_screen},
    {HTTP_GET, "/api/terminals/:id/snapshot", api_get_snapshot},
    {HTTP_GET, "/api/pty-stats", api_get_pty_stats},
    {HTTP_GET, "/api/teams/:id/config", api_get_team_config},
    {HTTP_POST, "/api/hooks", api_post_hook},
    {HTTP_GET, "/api/hooks/status", api_get_hook_setup},
    {HTTP_POST, "/api/hooks/install", api_install_hooks},
    {HTTP_POST, "/api/hooks/uninstall", api_uninstall_hooks},
};

void api_reply_json(struct http_exchange *x, int status, struct buf *body) {
    if (body->failed)
        http_reply_error(x, 500, "the answer is too large");
    else
        http_reply(x, status, SPAN("application/json; charset=utf-8"), buf_span(body));
}

/* Without passwords, who may look is decided by who is asking: on a shared machine the others have no business in here.
 * One that sent something and went away at once is not us: we wait for answers. What the kernel does not tell is let
 * through; Host and Origin are checked all the same. */
static bool is_stranger(void *user UNUSED, int fd) {
    uid_t peer;
    int r = sock_peer_user(fd, &peer);
    return r == -ENOENT || (r == 0 && peer != geteuid() && peer != 0);
}

/* Answers and returns false when the request may not be served. */
static bool admit(const struct api *api, struct http_exchange *x, bool upgrade) {
    if (http_from_stranger(x) && !api->has_password) {
        http_reply_error(x, 403, "this ostler belongs to another user of this machine: run your own");
        return false;
    }
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
        .origin = http_header(x, SPAN("origin")),
        .site = http_header(x, SPAN("sec-fetch-site")),
    };
    const char *why = NULL;
    int status = guard_check(&api->guard, &r, &why);
    if (status == 0) return true;
    http_reply_error(x, status, "%s", why);
    return false;
}

static void serve_page(struct http_exchange *x) {
    if (http_request(x)->method == HTTP_GET) {
        assets_serve(x);
        return;
    }
    http_add_header(x, SPAN("Allow"), SPAN("GET, HEAD"));
    http_reply_error(x, 405, "only GET works here; the API is under /api");
}

static void on_request(void *user, struct http_exchange *x) {
    struct api *api = user;
    if (!admit(api, x, false)) return;
    const struct http_request *req = http_request(x);
    const struct route *route;
    struct route_params params;
    char allow[64];
    switch (route_match(routes, ARRAY_LEN(routes), req->method, req->path, &route, &params, allow)) {
    case ROUTE_FOUND: route->handle(api, x, &params); break;
    case ROUTE_WRONG_METHOD:
        http_add_header(x, SPAN("Allow"), span_str(allow));
        http_reply_error(x, 405, "this path takes %s", allow);
        break;
    case ROUTE_UNKNOWN_PATH:
        if (span_eq(req->path, SPAN("/api")) || span_starts(req->path, SPAN("/api/")))
            http_reply_error(x, 404, "no such route; docs/protocol.md lists them");
        else
            serve_page(x);
        break;
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

static const struct ws_channel *on_upgrade(void *user, struct http_exchange *x, struct ws *ws,
                                           void **ret_user, struct span *ret_protocol) {
    struct api *api = user;
    if (!admit(api, x, true)) return NULL;
    struct span path = http_request(x)->path;
    struct route_params params;
    if (match_tty(path, &params)) {
        struct tty_visit visit = tty_visit(x, &params);
        visit.binary = choose_protocol(x, SPAN(TTY_MSG_PROTOCOL), ret_protocol);
        return tty_connect(api->ttys, ws, &visit, ret_user);
    }
    if (!span_eq(path, SPAN("/ws")) && !span_eq(path, SPAN("/")) && !span_eq(path, SPAN("/ws/dashboard"))) {
        http_reply_error(x, 404, "no such WebSocket; the board's is /ws");
        return NULL;
    }
    uint64_t since;
    struct span text;
    bool continues = http_query(x, SPAN("since"), &text) && span_u64(text, &since);
    bool v1 = choose_protocol(x, SPAN(BOARD_MSG_PROTOCOL), ret_protocol);
    return board_connect(api->board, ws, v1 ? BOARD_V1 : BOARD_PLAIN, continues ? &since : NULL, ret_user);
}

const struct http_ops api_http_ops = {.stranger = is_stranger, .request = on_request, .upgrade = on_upgrade};
