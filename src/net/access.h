/* Who may do what: one decision, for every route and socket. Pure. What kind of request it is and whether Host and Origin are
 * right is for guard.h, before this. */
#pragma once

#include "net/http.h"

enum access_kind {
    ACCESS_PAGE,   /* the board's files; the login page is one of them */
    ACCESS_AUTH,   /* how one logs in and out, and whether one is */
    ACCESS_RELOAD, /* POST /api/auth/reload: a look at a file that only the owner can write */
    ACCESS_HOOK,   /* POST /api/hooks: agents have no password */
    ACCESS_HEALTH, /* GET /api/health: is it up? */
    ACCESS_API,    /* everything else under /api */
    ACCESS_SELF,   /* what concerns only the login that asks: its halves, its notifications */
    ACCESS_SOCKET, /* a WebSocket */
};

struct access_request {
    enum access_kind kind;
    bool has_password; /* there is one to know */
    enum http_who who;
    bool logged_in;  /* brought a valid token */
    bool look_only;  /* of a login that may change nothing */
    bool changes;    /* any method but those that only look */
    bool hook_token; /* brought the hooks' */
};

enum access {
    ACCESS_SERVE,
    ACCESS_LITTLE,  /* serve, but tell nothing that is not for everybody */
    ACCESS_LOGIN,   /* 401 */
    ACCESS_FOREIGN, /* 403: nobody says that it is this user's */
    ACCESS_FAR,     /* 403: from another machine, while there is no password that it could know */
    ACCESS_NO_HOOK, /* 401: hooks from there need their token */
    ACCESS_LOOK,    /* 403: this login may only look */
    ACCESS_GO_AWAY, /* accept the socket and close it with 4001: browsers do not show an HTTP status */
};

enum { ACCESS_CLOSE_CODE = 4001 };

enum access access_decide(const struct access_request *r);
/* Is there anything for this one at all? Then a connection may say what it wants. */
bool access_any(enum http_who who, bool has_password);

/* What a request that is no upgrade is after. */
enum access_kind access_kind(enum http_method method, struct span path);
