#include "net/access.h"

#include "test.h"

TEST(what_a_path_is) {
    CHECK_INT(access_kind(HTTP_GET, SPAN("/")), ACCESS_PAGE);
    CHECK_INT(access_kind(HTTP_GET, SPAN("/assets/x.js")), ACCESS_PAGE);
    CHECK_INT(access_kind(HTTP_GET, SPAN("/apical")), ACCESS_PAGE);
    CHECK_INT(access_kind(HTTP_GET, SPAN("/api")), ACCESS_API);
    CHECK_INT(access_kind(HTTP_GET, SPAN("/api/")), ACCESS_API);
    CHECK_INT(access_kind(HTTP_GET, SPAN("/api/sessions")), ACCESS_API);
    CHECK_INT(access_kind(HTTP_GET, SPAN("/api/auth")), ACCESS_API);
    CHECK_INT(access_kind(HTTP_GET, SPAN("/api/authority")), ACCESS_API);
    CHECK_INT(access_kind(HTTP_GET, SPAN("/api/auth/status")), ACCESS_AUTH);
    CHECK_INT(access_kind(HTTP_POST, SPAN("/api/auth/login")), ACCESS_AUTH);
    CHECK_INT(access_kind(HTTP_POST, SPAN("/api/auth/logout")), ACCESS_AUTH);
    CHECK_INT(access_kind(HTTP_POST, SPAN("/api/auth/renew")), ACCESS_API);
    CHECK_INT(access_kind(HTTP_GET, SPAN("/api/auth/logins")), ACCESS_API);
    CHECK_INT(access_kind(HTTP_DELETE, SPAN("/api/auth/logins/0")), ACCESS_API);
    CHECK_INT(access_kind(HTTP_GET, SPAN("/api/auth/whatever")), ACCESS_API);
    CHECK_INT(access_kind(HTTP_POST, SPAN("/api/auth/reload")), ACCESS_RELOAD);
    CHECK_INT(access_kind(HTTP_POST, SPAN("/api/hooks")), ACCESS_HOOK);
    CHECK_INT(access_kind(HTTP_POST, SPAN("/api/hooks/install")), ACCESS_API);
    CHECK_INT(access_kind(HTTP_GET, SPAN("/api/hooks")), ACCESS_API);
    CHECK_INT(access_kind(HTTP_GET, SPAN("/api/health")), ACCESS_HEALTH);
    CHECK_INT(access_kind(HTTP_DELETE, SPAN("/api/health")), ACCESS_API);
    CHECK_INT(access_kind(HTTP_GET, SPAN("/api/hook-stats")), ACCESS_API);
}

enum { PASSWORD = 1, OWNER = 2, STRANGER = 4, LOOPBACK = 8, LOGGED_IN = 16, HOOK_TOKEN = 32, ALL = 63 };

static enum access decide(enum access_kind kind, unsigned who) {
    const struct access_request r = {
        .kind = kind,
        .has_password = who & PASSWORD,
        .owner = who & OWNER,
        .stranger = who & STRANGER,
        .loopback = who & LOOPBACK,
        .logged_in = who & LOGGED_IN,
        .hook_token = who & HOOK_TOKEN,
    };
    return access_decide(&r);
}

TEST(the_owners_socket_needs_nothing) {
    for (int kind = ACCESS_PAGE; kind <= ACCESS_SOCKET; kind++)
        for (unsigned who = 0; who <= ALL; who++)
            CHECK_INT(decide((enum access_kind)kind, who | OWNER), ACCESS_SERVE);
}

TEST(without_a_password_it_is_the_users_own) {
    for (int kind = ACCESS_PAGE; kind <= ACCESS_SOCKET; kind++)
        for (unsigned who = 0; who <= ALL; who++) {
            if (who & (PASSWORD | OWNER)) continue;
            enum access expected = who & STRANGER   ? ACCESS_FOREIGN
                                   : who & LOOPBACK ? ACCESS_SERVE
                                                    : ACCESS_FAR;
            CHECK_INT(decide((enum access_kind)kind, who), expected);
        }
}

TEST(with_one_the_token_decides) {
    static const struct {
        enum access_kind kind;
        enum access refused;
    } rows[] = {{ACCESS_API, ACCESS_LOGIN}, {ACCESS_SOCKET, ACCESS_GO_AWAY}, {ACCESS_HEALTH, ACCESS_LITTLE}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        for (unsigned who = 0; who <= ALL; who++)
            if ((who & PASSWORD) && !(who & OWNER))
                CHECK_INT(decide(rows[i].kind, who), who & LOGGED_IN ? ACCESS_SERVE : rows[i].refused);
}

TEST(what_is_free) {
    for (unsigned who = 0; who <= ALL; who++)
        if (who & PASSWORD) {
            CHECK_INT(decide(ACCESS_PAGE, who), ACCESS_SERVE);
            CHECK_INT(decide(ACCESS_AUTH, who), ACCESS_SERVE);
        }
}

TEST(hooks_come_from_here_or_with_their_token) {
    CHECK_INT(decide(ACCESS_HOOK, PASSWORD | LOOPBACK), ACCESS_SERVE);
    CHECK_INT(decide(ACCESS_HOOK, PASSWORD | LOOPBACK | STRANGER), ACCESS_NO_HOOK);
    CHECK_INT(decide(ACCESS_HOOK, PASSWORD), ACCESS_NO_HOOK);
    CHECK_INT(decide(ACCESS_HOOK, PASSWORD | STRANGER), ACCESS_NO_HOOK);
    CHECK_INT(decide(ACCESS_HOOK, PASSWORD | STRANGER | HOOK_TOKEN), ACCESS_SERVE);
    CHECK_INT(decide(ACCESS_HOOK, PASSWORD | STRANGER | LOGGED_IN), ACCESS_SERVE);
    CHECK_INT(decide(ACCESS_API, PASSWORD | LOOPBACK | HOOK_TOKEN), ACCESS_LOGIN);
}

TEST(reloading_is_for_this_user) {
    CHECK_INT(decide(ACCESS_RELOAD, PASSWORD | LOOPBACK), ACCESS_SERVE);
    CHECK_INT(decide(ACCESS_RELOAD, PASSWORD | LOOPBACK | STRANGER), ACCESS_LOGIN);
    CHECK_INT(decide(ACCESS_RELOAD, PASSWORD), ACCESS_LOGIN);
    CHECK_INT(decide(ACCESS_RELOAD, PASSWORD | STRANGER | LOGGED_IN), ACCESS_SERVE);
}

TESTS(RUN(what_a_path_is), RUN(the_owners_socket_needs_nothing), RUN(without_a_password_it_is_the_users_own),
      RUN(with_one_the_token_decides), RUN(what_is_free), RUN(hooks_come_from_here_or_with_their_token),
      RUN(reloading_is_for_this_user))
