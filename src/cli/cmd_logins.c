#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "cli/client.h"
#include "cli/cmd.h"
#include "cli/screen.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>

enum {
    ID_WIDTH = 8,
    TIME_WIDTH = 5,
    AGENT_WIDTH = 28,
    FROM_WIDTH = 26,
    LIST_BYTES_MAX = 4 << 20,
    ANSWER_BYTES_MAX = 1 << 20
};

/* Who is logged in, as the daemon tells it. */
struct list {
    struct daemon_info daemon;
    struct buf body;
    struct arena arena;
    struct span logins; /* the array */
};

static void list_fini(struct list *l) {
    buf_fini(&l->body);
    arena_fini(&l->arena);
}

static int list_load(struct list *l, struct err *err) {
    *l = (struct list){.body = BUF_INIT(LIST_BYTES_MAX), .arena = ARENA_INIT(LIST_BYTES_MAX)};
    int r = client_find(&l->daemon, err);
    if (r == 0) r = client_call(&l->daemon, "GET", "/api/auth/logins", SPAN_NONE, &l->body, NULL, err);
    if (r < 0) return r;
    struct jmember m[] = {JMEMBER("logins")};
    if (jscan_object(span_trim(buf_span(&l->body)), m, ARRAY_LEN(m)) < 1 ||
        jscan_kind(m[0].value) != JKIND_ARRAY)
        return err_set(err, -EPROTO, "the daemon's answer is not understood: is it another version?");
    l->logins = m[0].value;
    return 0;
}

static struct span text(struct list *l, struct span value) {
    struct span s;
    return jscan_string(value, &l->arena, &s) == 0 ? s : SPAN_NONE;
}

/* ---- ls --------------------------------------------------------------------------------------------------------- */

static void print_row(struct list *l, struct span login, size_t agent_width) {
    struct jmember m[] = {JMEMBER("id"),   JMEMBER("createdAt"), JMEMBER("lastUsedAt"), JMEMBER("expiresAt"),
                          JMEMBER("kind"), JMEMBER("address"),   JMEMBER("user"),       JMEMBER("agent"),
                          JMEMBER("name"), JMEMBER("lookOnly")};
    int64_t created = 0, used = 0, expires = 0, now = usec_to_msec(clock_wall(&clock_system));
    if (jscan_object(login, m, ARRAY_LEN(m)) < 0) return;
    (void)(jscan_i64(m[1].value, &created) && jscan_i64(m[2].value, &used) &&
           jscan_i64(m[3].value, &expires));
    struct span user = text(l, m[6].value), agent = text(l, m[7].value), name = text(l, m[8].value);
    bool look_only = false;
    (void)jscan_bool(m[9].value, &look_only);
    struct span from =
        user.n ? arena_printf(&l->arena, "%.*s (%.*s)", SPAN_ARG(text(l, m[5].value)), SPAN_ARG(user))
               : text(l, m[5].value);
    screen_column(text(l, m[0].value), ID_WIDTH);
    screen_print(" %*s %*s %*s ", TIME_WIDTH, screen_age(now - created).text, TIME_WIDTH,
                 screen_age(now - used).text, TIME_WIDTH, screen_age(expires - now).text);
    screen_column(from, FROM_WIDTH);
    (void)putchar(' ');
    struct span what = agent.n                                       ? agent
                       : span_eq(text(l, m[4].value), SPAN("token")) ? SPAN("a program")
                                                                     : SPAN("a browser");
    if (name.n) what = arena_printf(&l->arena, "%.*s (%.*s)", SPAN_ARG(name), SPAN_ARG(what));
    if (look_only) what = arena_printf(&l->arena, "%.*s, only looks", SPAN_ARG(what));
    screen_column(what, MIN(what.n, agent_width));
    (void)putchar('\n');
}

/* Nobody: because nobody has to, or because nobody did. */
static int print_none(struct list *l) {
    AUTO(buf) struct buf body = BUF_INIT(ANSWER_BYTES_MAX);
    struct err err = {0};
    struct jmember m[] = {JMEMBER("passwordRequired")};
    bool required = true;
    if (client_call(&l->daemon, "GET", "/api/auth/status", SPAN_NONE, &body, NULL, &err) < 0)
        return cmd_fail(&cmd_logins, CMD_FAILED, "%s", err.msg);
    if (jscan_object(span_trim(buf_span(&body)), m, ARRAY_LEN(m)) > 0)
        (void)jscan_bool(m[0].value, &required);
    screen_print(
        required
            ? "Nobody is logged in.\n"
            : "There is no password, so nobody logs in: the board is for this user of this machine alone.\n");
    return CMD_OK;
}

static int print_list(struct list *l) {
    struct span rest = l->logins, one;
    size_t n = 0, fixed = ID_WIDTH + 3 * (TIME_WIDTH + 1) + FROM_WIDTH + 3, width = screen_width();
    for (; jscan_array_next(&rest, &one) == 1; n++) {
        if (n == 0)
            screen_print("%-*s %*s %*s %*s %-*s %s\n", ID_WIDTH, "ID", TIME_WIDTH, "SINCE", TIME_WIDTH,
                         "USED", TIME_WIDTH, "LEFT", FROM_WIDTH, "FROM", "WITH");
        print_row(l, one, width > fixed + AGENT_WIDTH ? width - fixed : AGENT_WIDTH);
    }
    return n ? CMD_OK : print_none(l);
}

static int run_ls(int argc, char **argv) {
    bool json = false;
    int option, status;
    while ((option = cmd_option(&cmd_logins, argc, argv, &status)) != -1)
        json |= option == 'j';
    if (status >= 0) return status;
    struct list list;
    struct err err = {0};
    if (list_load(&list, &err) < 0) {
        status = cmd_fail(&cmd_logins, CMD_FAILED, "%s", err.msg);
    } else if (json) {
        screen_json(list.logins);
        status = CMD_OK;
    } else {
        status = print_list(&list);
    }
    list_fini(&list);
    return status;
}

/* ---- revoke ----------------------------------------------------------------------------------------------------- */

static int tell(bool json, struct span id, const char *wrong) {
    if (!json && wrong) return cmd_fail(&cmd_logins, CMD_FAILED, "%.*s: %s", SPAN_ARG(id), wrong);
    if (!json) {
        screen_text(id);
        screen_print(" is revoked.\n");
        return CMD_OK;
    }
    AUTO(buf) struct buf line = BUF_INIT(8192);
    struct jwrite w = JWRITE_INIT(&line);
    jwrite_object(&w);
    jwrite_kstr(&w, "id", id);
    if (wrong) jwrite_kcstr(&w, "error", wrong);
    jwrite_object_end(&w);
    screen_json(buf_span(&line));
    return wrong ? CMD_FAILED : CMD_OK;
}

static int revoke_one(const struct daemon_info *daemon, const char *id, bool json) {
    AUTO(buf) struct buf path = BUF_INIT(4096), body = BUF_INIT(ANSWER_BYTES_MAX);
    struct err err = {0};
    int code = 0;
    (void)buf_printf(&path, "/api/auth/logins/");
    client_path_append(&path, span_str(id));
    if (path.failed || id[0] == '\0') return tell(json, span_str(id), "that is no login's ID");
    int r = client_call(daemon, "DELETE", path.p, SPAN_NONE, &body, &code, &err);
    if (r < 0 && code == 404)
        return tell(json, span_str(id), "there is no such login; ostler logins lists them");
    return tell(json, span_str(id), r < 0 ? err.msg : NULL);
}

static int revoke_all(struct list *l, bool json) {
    AUTO(buf) struct buf body = BUF_INIT(ANSWER_BYTES_MAX);
    struct err err = {0};
    struct span rest = l->logins, one;
    if (client_call(&l->daemon, "POST", "/api/auth/logout", SPAN("{\"everywhere\":true}"), &body, NULL,
                    &err) < 0)
        return cmd_fail(&cmd_logins, CMD_FAILED, "%s", err.msg);
    size_t n = 0;
    for (; jscan_array_next(&rest, &one) == 1; n++) {
        struct jmember m[] = {JMEMBER("id")};
        if (json && jscan_object(one, m, ARRAY_LEN(m)) > 0) (void)tell(true, text(l, m[0].value), NULL);
    }
    if (!json) screen_print("%s revoked.\n", screen_count(n, "login is", "logins are").text);
    return CMD_OK;
}

static int run_revoke(int argc, char **argv) {
    bool all = false, json = false;
    int option, status;
    while ((option = cmd_option(&cmd_logins, argc, argv, &status)) != -1) {
        all |= option == 'a';
        json |= option == 'j';
    }
    if (status >= 0) return status;
    if (all == (optind < argc))
        return cmd_fail(&cmd_logins, CMD_USAGE,
                        all ? "--all takes no IDs" : "which one? ostler logins lists them");
    struct list list;
    struct err err = {0};
    status = CMD_OK;
    if (list_load(&list, &err) < 0)
        status = cmd_fail(&cmd_logins, CMD_FAILED, "%s", err.msg);
    else if (all)
        status = revoke_all(&list, json);
    else
        for (int i = optind; i < argc; i++)
            if (revoke_one(&list.daemon, argv[i], json) != CMD_OK) status = CMD_FAILED;
    list_fini(&list);
    return status;
}

static const struct cmd_opt options[] = {
    {"all", 'a', .help = "all of them"},
    {"json", 'j',
     .help =
         "for programs: the list, as GET /api/auth/logins has it; or one object a line, {id} or {id, error}"},
    {0},
};

static const struct cmd_action actions[] = {
    {"ls", NULL, NULL, "j", "who is logged in, the oldest first", run_ls},
    {"revoke", "[ID…]", NULL, "aj", "log them out, at once", run_revoke},
    {0},
};

const struct cmd cmd_logins = {
    .name = "logins",
    .group = CMD_SETUP,
    .summary = "who is logged in to the board, and an end to it",
    .about =
        "Lists who is logged in to the board, as ostler logins ls does: since when, when it was used last, how long it is "
        "still good, from where (with the user, when it was from this machine) and with what. Revoking one closes its boards "
        "and terminals at once, and its token or cookie is worth nothing any more.",
    .options = options,
    .actions = actions,
    .otherwise = "ls",
    .examples = "ostler logins\n"
                "ostler logins revoke 3f9a01bc\n"
                "ostler logins revoke --all",
};
