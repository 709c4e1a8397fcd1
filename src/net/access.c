#include "net/access.h"

enum access_kind access_kind(enum http_method method, struct span path) {
    if (!span_eq(path, SPAN("/api")) && !span_starts(path, SPAN("/api/"))) return ACCESS_PAGE;
    if (method == HTTP_POST && span_eq(path, SPAN("/api/auth/reload"))) return ACCESS_RELOAD;
    if (method == HTTP_GET && span_eq(path, SPAN("/api/auth/status"))) return ACCESS_AUTH;
    if (method == HTTP_POST && span_eq(path, SPAN("/api/auth/login"))) return ACCESS_AUTH;
    if (method == HTTP_POST && span_eq(path, SPAN("/api/auth/logout"))) return ACCESS_AUTH;
    if (method == HTTP_POST && span_eq(path, SPAN("/api/hooks"))) return ACCESS_HOOK;
    if (method == HTTP_GET && span_eq(path, SPAN("/api/health"))) return ACCESS_HEALTH;
    return ACCESS_API;
}

enum access access_decide(const struct access_request *r) {
    if (r->who == HTTP_OWNER) return ACCESS_SERVE;
    bool here = r->who == HTTP_USER;
    if (!r->has_password && !here) return r->who == HTTP_FAR ? ACCESS_FAR : ACCESS_FOREIGN;
    if (!r->has_password) return ACCESS_SERVE;
    switch (r->kind) {
    case ACCESS_PAGE:
    case ACCESS_AUTH: return ACCESS_SERVE;
    case ACCESS_RELOAD: return here || r->logged_in ? ACCESS_SERVE : ACCESS_LOGIN;
    case ACCESS_HOOK: return here || r->hook_token || r->logged_in ? ACCESS_SERVE : ACCESS_NO_HOOK;
    case ACCESS_HEALTH: return r->logged_in ? ACCESS_SERVE : ACCESS_LITTLE;
    case ACCESS_API: return r->logged_in ? ACCESS_SERVE : ACCESS_LOGIN;
    case ACCESS_SOCKET: return r->logged_in ? ACCESS_SERVE : ACCESS_GO_AWAY;
    }
    return ACCESS_LOGIN;
}

bool access_any(enum http_who who, bool has_password) {
    return has_password || who == HTTP_USER || who == HTTP_OWNER;
}
