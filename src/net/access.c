#include "net/access.h"

enum access_kind access_kind(enum http_method method, struct span path) {
    if (!span_eq(path, SPAN("/api")) && !span_starts(path, SPAN("/api/"))) return ACCESS_PAGE;
    if (method == HTTP_POST && span_eq(path, SPAN("/api/auth/reload"))) return ACCESS_RELOAD;
    if (method == HTTP_GET && span_eq(path, SPAN("/api/auth/status"))) return ACCESS_AUTH;
    if (method == HTTP_POST && span_eq(path, SPAN("/api/auth/login"))) return ACCESS_AUTH;
    if (method == HTTP_POST && span_eq(path, SPAN("/api/auth/logout"))) return ACCESS_AUTH;
    if (method == HTTP_POST && span_eq(path, SPAN("/api/auth/paired")))
        return ACCESS_AUTH; /* it brings a code */
    if (method == HTTP_POST && span_eq(path, SPAN("/api/hooks"))) return ACCESS_HOOK;
    if (method == HTTP_POST && span_eq(path, SPAN("/api/push/answer")))
        return ACCESS_AUTH; /* it brings a ticket */
    if (method == HTTP_GET && span_eq(path, SPAN("/api/health"))) return ACCESS_HEALTH;
    if (method == HTTP_POST && span_eq(path, SPAN("/api/auth/renew"))) return ACCESS_SELF;
    if (method == HTTP_POST && span_eq(path, SPAN("/api/push/test"))) return ACCESS_SELF;
    if (span_starts(path, SPAN("/api/push/subscriptions"))) return ACCESS_SELF;
    return ACCESS_API;
}

enum access access_decide(const struct access_request *r) {
    if (r->who == HTTP_OWNER) return ACCESS_SERVE;
    bool here = r->who == HTTP_USER;
    if (!r->has_password && !here) return r->who == HTTP_FAR ? ACCESS_FAR : ACCESS_FOREIGN;
    if (!r->has_password) return ACCESS_SERVE;
    bool may_change = r->logged_in && !r->look_only;
    switch (r->kind) {
    case ACCESS_PAGE:
    case ACCESS_AUTH: return ACCESS_SERVE;
    case ACCESS_RELOAD: return here || may_change ? ACCESS_SERVE : r->logged_in ? ACCESS_LOOK : ACCESS_LOGIN;
    case ACCESS_HOOK:
        return here || r->hook_token || may_change ? ACCESS_SERVE
               : r->logged_in                      ? ACCESS_LOOK
                                                   : ACCESS_NO_HOOK;
    case ACCESS_HEALTH: return r->logged_in ? ACCESS_SERVE : ACCESS_LITTLE;
    case ACCESS_API:
        return !r->logged_in ? ACCESS_LOGIN : r->changes && !may_change ? ACCESS_LOOK : ACCESS_SERVE;
    case ACCESS_SELF: return r->logged_in ? ACCESS_SERVE : ACCESS_LOGIN;
    case ACCESS_SOCKET: return r->logged_in ? ACCESS_SERVE : ACCESS_GO_AWAY;
    }
    return ACCESS_LOGIN;
}

bool access_any(enum http_who who, bool has_password) {
    return has_password || who == HTTP_USER || who == HTTP_OWNER;
}
