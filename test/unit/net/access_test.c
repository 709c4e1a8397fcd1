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
    CHECK_INT(access_kind(HTTP_POST, SPAN("/api/auth/renew")), ACCESS_SELF);
    CHECK_INT(access_kind(HTTP_POST, SPAN("/api/auth/pair")), ACCESS_API);
    CHECK_INT(access_kind(HTTP_POST, SPAN("/api/auth/paired")), ACCESS_AUTH);
    CHECK_INT(access_kind(HTTP_POST, SPAN("/api/push/answer")), ACCESS_AUTH);
    CHECK_INT(access_kind(HTTP_DELETE, SPAN("/api/push/subscriptions/0")), ACCESS_SELF);
    CHECK_INT(access_kind(HTTP_GET, SPAN("/api/push")), ACCESS_API);
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

enum { PASSWORD = 1, LOGGED_IN = 2, HOOK_TOKEN = 4, ALL = 7 };

static const enum http_who everybody[] = {HTTP_STRANGER, HTTP_FAR, HTTP_USER, HTTP_OWNER};

static enum access decide(enum access_kind kind, enum http_who who, unsigned has) {
    const struct access_request r = {
        .kind = kind,
        .who = who,
        .has_password = has & PASSWORD,
        .logged_in = has & LOGGED_IN,
        .hook_token = has & HOOK_TOKEN,
    };
    return access_decide(&r);
}

TEST(the_owners_socket_needs_nothing) {
    for (int kind = ACCESS_PAGE; kind <= ACCESS_SOCKET; kind++)
        for (unsigned has = 0; has <= ALL; has++)
            CHECK_INT(decide((enum access_kind)kind, HTTP_OWNER, has), ACCESS_SERVE);
}

/* Whatever a request brings. */
TEST(without_a_password_it_is_the_users_own) {
    for (int kind = ACCESS_PAGE; kind <= ACCESS_SOCKET; kind++)
        for (unsigned has = 0; has <= ALL; has++) {
            if (has & PASSWORD) continue;
            CHECK_INT(decide((enum access_kind)kind, HTTP_USER, has), ACCESS_SERVE);
            CHECK_INT(decide((enum access_kind)kind, HTTP_FAR, has), ACCESS_FAR);
            CHECK_INT(decide((enum access_kind)kind, HTTP_STRANGER, has), ACCESS_FOREIGN);
        }
}

TEST(who_is_nothing_known_of_is_a_stranger) {
    const struct access_request r = {.kind = ACCESS_API};
    CHECK_INT(access_decide(&r), ACCESS_FOREIGN);
}

TEST(with_one_the_token_decides) {
    static const struct {
        enum access_kind kind;
        enum access refused;
    } rows[] = {{ACCESS_API, ACCESS_LOGIN}, {ACCESS_SOCKET, ACCESS_GO_AWAY}, {ACCESS_HEALTH, ACCESS_LITTLE}};
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        for (size_t who = 0; who < ARRAY_LEN(everybody); who++)
            for (unsigned has = PASSWORD; has <= ALL; has++)
                if ((has & PASSWORD) && everybody[who] != HTTP_OWNER)
                    CHECK_INT(decide(rows[i].kind, everybody[who], has),
                              has & LOGGED_IN ? ACCESS_SERVE : rows[i].refused);
}

TEST(what_is_free) {
    for (size_t who = 0; who < ARRAY_LEN(everybody); who++)
        for (unsigned has = PASSWORD; has <= ALL; has++)
            if (has & PASSWORD) {
                CHECK_INT(decide(ACCESS_PAGE, everybody[who], has), ACCESS_SERVE);
                CHECK_INT(decide(ACCESS_AUTH, everybody[who], has), ACCESS_SERVE);
            }
}

TEST(hooks_come_from_here_or_with_their_token) {
    CHECK_INT(decide(ACCESS_HOOK, HTTP_USER, PASSWORD), ACCESS_SERVE);
    CHECK_INT(decide(ACCESS_HOOK, HTTP_STRANGER, PASSWORD), ACCESS_NO_HOOK);
    CHECK_INT(decide(ACCESS_HOOK, HTTP_FAR, PASSWORD), ACCESS_NO_HOOK);
    CHECK_INT(decide(ACCESS_HOOK, HTTP_STRANGER, PASSWORD | HOOK_TOKEN), ACCESS_SERVE);
    CHECK_INT(decide(ACCESS_HOOK, HTTP_STRANGER, PASSWORD | LOGGED_IN), ACCESS_SERVE);
    CHECK_INT(decide(ACCESS_API, HTTP_USER, PASSWORD | HOOK_TOKEN), ACCESS_LOGIN);
}

TEST(reloading_is_for_this_user) {
    CHECK_INT(decide(ACCESS_RELOAD, HTTP_USER, PASSWORD), ACCESS_SERVE);
    CHECK_INT(decide(ACCESS_RELOAD, HTTP_STRANGER, PASSWORD), ACCESS_LOGIN);
    CHECK_INT(decide(ACCESS_RELOAD, HTTP_FAR, PASSWORD), ACCESS_LOGIN);
    CHECK_INT(decide(ACCESS_RELOAD, HTTP_STRANGER, PASSWORD | LOGGED_IN), ACCESS_SERVE);
}

TEST(who_may_not_even_speak) {
    CHECK(!access_any(HTTP_STRANGER, false));
    CHECK(!access_any(HTTP_FAR, false));
    CHECK(access_any(HTTP_USER, false));
    CHECK(access_any(HTTP_OWNER, false));
    for (size_t who = 0; who < ARRAY_LEN(everybody); who++)
        CHECK(access_any(everybody[who], true));
}

/* From another machine, with a login that may only look. */
TEST(who_may_only_look_changes_nothing) {
    for (int kind = ACCESS_PAGE; kind <= ACCESS_SOCKET; kind++)
        for (int changes = 0; changes <= 1; changes++) {
            const struct access_request r = {.kind = (enum access_kind)kind,
                                             .who = HTTP_FAR,
                                             .has_password = true,
                                             .logged_in = true,
                                             .look_only = true,
                                             .changes = changes};
            bool refused = (kind == ACCESS_API && changes) || kind == ACCESS_RELOAD || kind == ACCESS_HOOK;
            CHECK_INT(access_decide(&r), refused ? ACCESS_LOOK : ACCESS_SERVE);
        }
}

TESTS(RUN(who_may_only_look_changes_nothing), RUN(what_a_path_is), RUN(the_owners_socket_needs_nothing),
      RUN(without_a_password_it_is_the_users_own), RUN(with_one_the_token_decides), RUN(what_is_free),
      RUN(who_is_nothing_known_of_is_a_stranger), RUN(who_may_not_even_speak),
      RUN(hooks_come_from_here_or_with_their_token), RUN(reloading_is_for_this_user))
