/* config.toml as people have it. */
#include "fixture.h"
#include "setup/codex_hooks.h"
#include "setup/toml.h"

#include <errno.h>

static const char *const files[] = {
    "",
    "model = \"gpt-5\"\napproval_policy = \"on-request\"\n",
    /* no final newline, tables, inline tables */
    "model = \"gpt-5\"\n\n[mcp_servers.docs]\ncommand = \"npx\"\nargs = [\"-y\", \"docs-mcp\"]\nenv = { TOKEN = \"x\", PATH = '/usr/bin' }",
    /* Windows' line ends */
    "# mine\r\nmodel = \"o4\"\r\n\r\n[projects.\"C:\\\\work\"]\r\ntrust_level = \"trusted\"\r\n",
    /* hooks of another tool, on our events */
    "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"notify-send done\"\n\n[[hooks.Stop]]\nmatcher = \"\"\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"/opt/x stop\"\n\n[hooks.state.\"/home/u/.codex/config.toml:stop:0:0\"]\ntrusted_hash = \"sha256:00\"\n",
    /* strings over several lines that look like something else */
    "instructions = \"\"\"\n[hooks]\nStop = [ { \\\"\"\"x\n# >>> ostler hooks >>>\n\"\"\"\nother = '''\n[[hooks.Stop]]\n'''\n",
    /* arrays over several lines with comments, dates, dotted keys */
    "notify = [\n  \"python3\", # the older way\n  \"/home/u/notify.py\",\n]\nsince = 1979-05-27 07:32:00Z\ntui.notifications = true\n[features]\nhooks = true\n",
    /* tabs and odd spacing */
    "\tmodel\t=\t\"x\"\n[ shell_environment_policy . set ]\n\t\"a.b\" = 1\n[[ things ]]\n[[things]] # two\n",
    "\n\n\n",
    "# only a comment",
    "[hooks]\n[hooks.state]\n\"/home/u/.codex/hooks.json:stop:0:0\" = { trusted_hash = \"sha256:aa\" }\n",
    /* lists in one piece */
    "[hooks]\nStop = [{ hooks = [{ type = \"command\", command = \"a\" }] }, {matcher = \"x\", hooks = []}]\nSessionEnd = []\nPreCompact = [ ]\nTaskCompleted = [1]\n",
    "a = 1\nhooks.SessionStart = [\n  { hooks = [\n    { type = \"command\", command = \"b\" },\n  ] }, # mine\n  # and more\n]\n[[hooks.Stop]]\nhooks = []\n",
    "profile = \"work\"\n[profiles.work]\nmodel = \"gpt-5\" # \"quoted\"\nmulti = \"\"\"a\"\"\"\"\"\nlist = [[1, 2], [\"]\"], {x = [1]}]\n\n\n",
};

TEST(codex_gets_its_bytes_back) {
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        fixture_round_trip(files[i], CLI_CODEX);
}

static void install(const char *text, struct buf *out) {
    struct settings_past past = {0};
    fixture_install(span_str(text), true, CLI_CODEX, DENSITY_LOW, &past, out);
    settings_past_fini(&past);
}

TEST(the_index_counts_what_comes_before) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    install(files[4], &out);
    CHECK(strstr(out.p, "[hooks.state.\"/home/u/.codex/config.toml:stop:2:0\"]\ntrusted_hash = \"sha256:"));
    CHECK(strstr(out.p, "[hooks.state.\"/home/u/.codex/config.toml:session_start:0:0\"]\n"));
    CHECK(strstr(out.p, "[[hooks.SessionEnd.hooks]]\ntype = \"command\"\ncommand = \"" HOOK_COMMAND
                        "\"\ntimeout = 3\n"));
}

TEST(a_list_in_one_piece_gets_ours_last) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    AUTO(buf) struct buf moved = BUF_INIT(1 << 20);
    install("[hooks]\nStop = [{ hooks = [{ command = \"a\" }] }]\n", &out);
    CHECK(strstr(
        out.p,
        "Stop = [{ hooks = [{ command = \"a\" }] }, { hooks = [{ type = \"command\", command = \"" HOOK_COMMAND
        "\", timeout = 5 }] }]\n"));
    CHECK(strstr(out.p, "config.toml:stop:1:0\"]") && !strstr(out.p, "[[hooks.Stop]]"));
    fixture_check_found(buf_span(&out), CLI_CODEX, DENSITY_LOW);
    /* Another command: the old hash goes with it. */
    struct settings_wish other = fixture_wish(CLI_CODEX, DENSITY_LOW);
    other.command = SPAN("/new/ostler-hook");
    struct settings_past past = {0};
    CHECK_INT(settings_install(buf_span(&out), true, &other, &past, &moved, NULL), 0);
    CHECK(!strstr(moved.p, HOOK_COMMAND));
    const char *first = strstr(moved.p, "config.toml:stop:1:0\"]");
    CHECK(first && !strstr(first + 1, "config.toml:stop:1:0\"]"));
    settings_past_fini(&past);
}

/* A group that came before ours moves it: then it is not trusted, and installing again mends that. */
TEST(a_moved_place_is_noticed) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    AUTO(buf) struct buf moved = BUF_INIT(1 << 20);
    AUTO(setup_found) struct setup_found found = SETUP_FOUND_INIT;
    install("", &out);
    (void)buf_printf(&moved, "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"x\"\n%s", out.p);
    CHECK_INT(codex_hooks_find(buf_span(&moved), "/home/u/.codex/config.toml", &found, NULL), 0);
    for (size_t i = 0; i < found.n; i++)
        CHECK_INT(found.events[i].untrusted, strcmp(found.events[i].kind->name, "Stop") == 0);
    install(moved.p, &out);
    fixture_check_found(buf_span(&out), CLI_CODEX, DENSITY_LOW);
}

TEST(another_path_of_the_file_is_not_trusted) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    AUTO(setup_found) struct setup_found found = SETUP_FOUND_INIT;
    install("", &out);
    CHECK_INT(codex_hooks_find(buf_span(&out), "/elsewhere/config.toml", &found, NULL), 0);
    CHECK(found.n == 5 && found.events[0].untrusted);
}

/* Codex writes into the file, too: between our lines as well, where its tables happen to come last. */
TEST(what_others_put_between_our_lines_stays) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    AUTO(buf) struct buf mixed = BUF_INIT(1 << 20);
    AUTO(buf) struct buf again = BUF_INIT(1 << 20);
    install("model = \"x\"\n", &out);
    const char *end = strstr(out.p, "# <<<");
    (void)buf_append(&mixed, out.p, (size_t)(end - out.p));
    (void)buf_printf(&mixed, "[projects.\"/w\"]\ntrust_level = \"trusted\"\n%s[later]\nkey = 1\n", end);
    buf_clear(&out);
    CHECK_INT(codex_hooks_remove(buf_span(&mixed), &out, NULL), 0);
    CHECK_STR(out.p, "model = \"x\"\n\n[projects.\"/w\"]\ntrust_level = \"trusted\"\n[later]\nkey = 1\n");
    install(mixed.p, &again);
    fixture_check_found(buf_span(&again), CLI_CODEX, DENSITY_LOW);
    CHECK(strstr(again.p, "trusted\"\n# >>>"));
    CHECK(strstr(again.p, "# <<< ostler hooks <<<\n[later]"));
}

TEST(what_follows_a_file_without_a_last_newline_keeps_its_line) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    AUTO(buf) struct buf back = BUF_INIT(1 << 20);
    install("a = 1", &out);
    (void)buf_append_span(&out, SPAN("[b]\n"));
    CHECK_INT(codex_hooks_remove(buf_span(&out), &back, NULL), 0);
    CHECK_STR(back.p, "a = 1\n[b]\n");
}

TEST(a_lost_fence_is_no_trouble) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    AUTO(buf) struct buf bare = BUF_INIT(1 << 20);
    AUTO(buf) struct buf back = BUF_INIT(1 << 20);
    install("", &out);
    struct span left = buf_span(&out);
    while (left.n) {
        struct span line = span_split(&left, '\n');
        if (!span_starts(line, SPAN("#"))) (void)buf_printf(&bare, "%.*s\n", SPAN_ARG(line));
    }
    CHECK_INT(codex_hooks_remove(buf_span(&bare), &back, NULL), 0);
    CHECK_INT(back.n, 0);
}

TEST(switched_off_in_codex_stays_off) {
    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    AUTO(buf) struct buf off = BUF_INIT(1 << 20);
    AUTO(setup_found) struct setup_found found = SETUP_FOUND_INIT;
    install("", &out);
    const char *row = strstr(out.p, "config.toml:stop:0:0\"]\n") + strlen("config.toml:stop:0:0\"]\n");
    (void)buf_append(&off, out.p, (size_t)(row - out.p));
    (void)buf_printf(&off, "enabled = false\n%s", row);
    install(off.p, &out);
    CHECK_INT(codex_hooks_find(buf_span(&out), "/home/u/.codex/config.toml", &found, NULL), 0);
    for (size_t i = 0; i < found.n; i++)
        CHECK_INT(found.events[i].disabled, strcmp(found.events[i].kind->name, "Stop") == 0);
}

TEST(what_cannot_be_added_to_is_refused) {
    static const struct {
        const char *text, *place;
    } cases[] = {
        {"hooks = { Stop = [] }\n", "line 1, column 1: hooks are written here in one piece"},
        {"a = 1\n[hooks]\nStop = { hooks = [] }\n", "line 3, column 1: hooks are written here in one piece"},
        {"[hooks]\nstate = {}\n", "line 2, column 1: hooks are written here in one piece"},
        {"a = \"x\nb = 1\n", "line 1, column 5: this string has no end"},
        {"a = [1,\n", "line 1, column 5: this bracket is not closed"},
        {"{\"a\": 1}\n", "line 1, column 1: a name is missing"},
        {"a = 1\r", "line 1, column 6: a carriage return stands alone"},
        {"a 1\n", "line 1, column 3: an equals sign is missing"},
        {"a =\n", "line 1, column 4: a value is missing"},
        {"[a\n", "line 1, column 3: a ] is missing"},
        {"a = 1 b = 2\n", "line 1, column 9: something follows"},
        {"a = {b = 1 c = 2}\n", "line 1, column 14: a comma or a } is missing"},
        {"# >>> ostler hooks >>>\n", "line 1, column 1: ostler's block has no last line"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        AUTO(buf) struct buf out = BUF_INIT(1 << 20);
        struct settings_past past = {0};
        struct err err = {0};
        struct settings_wish wish = fixture_wish(CLI_CODEX, DENSITY_LOW);
        CHECK_INT(settings_install(span_str(cases[i].text), true, &wish, &past, &out, &err), -EINVAL);
        if (!span_starts(span_str(err.msg), span_str(cases[i].place)))
            fail_msg("%s, not %s", err.msg, cases[i].place);
        settings_past_fini(&past);
    }
}

TEST(names_have_parts) {
    AUTO(arena) struct arena arena = ARENA_INIT(4096);
    struct span name = SPAN("a . \"b.c\\\"\".'d e'"), part;
    CHECK(toml_name_next(&name, &arena, &part));
    CHECK_SPAN(part, "a");
    CHECK(toml_name_next(&name, &arena, &part));
    CHECK_SPAN(part, "b.c\"");
    CHECK(toml_name_next(&name, &arena, &part));
    CHECK_SPAN(part, "d e");
    CHECK(!toml_name_next(&name, &arena, &part));
}

TESTS(RUN(codex_gets_its_bytes_back), RUN(the_index_counts_what_comes_before),
      RUN(a_list_in_one_piece_gets_ours_last), RUN(a_moved_place_is_noticed),
      RUN(another_path_of_the_file_is_not_trusted), RUN(what_others_put_between_our_lines_stays),
      RUN(what_follows_a_file_without_a_last_newline_keeps_its_line), RUN(a_lost_fence_is_no_trouble),
      RUN(switched_off_in_codex_stays_off), RUN(what_cannot_be_added_to_is_refused), RUN(names_have_parts))
