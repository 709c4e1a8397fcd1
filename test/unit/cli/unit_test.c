#include "base/cleanup.h"
#include "cli/unit.h"
#include "test.h"

static void check_quoted(const char *word, const char *expected) {
    AUTO(buf) struct buf b = BUF_INIT(4096);
    unit_quote(span_str(word), &b);
    CHECK_SPAN(buf_span(&b), expected);
}

TEST(nothing_is_read_into_a_word) {
    check_quoted("/usr/bin/ostler", "\"/usr/bin/ostler\"");
    check_quoted("/with a blank/ostler", "\"/with a blank/ostler\"");
    check_quoted("/100%h/$HOME/o\"st\\ler", "\"/100%%h/$$HOME/o\\\"st\\\\ler\"");
    check_quoted("a\nExecStart=/bin/evil", "\"a\\x0aExecStart=/bin/evil\"");
}

TEST(the_unit) {
    AUTO(buf) struct buf b = BUF_INIT(64 << 10);
    const char *const env[] = {"PATH=/opt/$x:/50%", "OSTLER_HOME=/a b", NULL};
    unit_write(&(struct unit){.program = "/opt/o s/ostler", .environment = env}, &b);
    CHECK(span_starts(buf_span(&b), SPAN(UNIT_MARK)));
    static const char *const lines[] = {
        "\nExecStart=\"/opt/o s/ostler\" serve --no-open\n",
        "\nEnvironment=\"PATH=/opt/$x:/50%%\"\n", /* a dollar stays one here */
        "\nEnvironment=\"OSTLER_HOME=/a b\"\n",
        "\nKillMode=process\n",
        "\nRestart=on-failure\n",
        "\nWantedBy=default.target\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        if (!strstr(b.p, lines[i])) fail_msg("there is no \"%s\" in:\n%s", lines[i], b.p);
}

TESTS(RUN(nothing_is_read_into_a_word), RUN(the_unit))
