/* What of a program's output may reach the terminal that somebody attached with. */
#include "cli/filter.h"
#include "test.h"

static void check_span(struct span bytes, struct span expected) {
    for (size_t piece = 1; piece <= bytes.n; piece++) {
        struct filter f = FILTER_INIT;
        struct buf out = BUF_INIT(1 << 20);
        for (struct span rest = bytes; rest.n; rest = span_skip(rest, piece))
            filter_feed(&f, span_take(rest, piece), &out);
        if (!span_eq(buf_span(&out), expected))
            fail_msg("in pieces of %zu: \"%.*s\" becomes \"%.*s\", not \"%.*s\"", piece, SPAN_ARG(bytes),
                     SPAN_ARG(buf_span(&out)), SPAN_ARG(expected));
        buf_fini(&out);
    }
}

static void check(const char *bytes, const char *expected) {
    check_span(span_str(bytes), span_str(expected));
}

/* Between two letters, so that what surrounds it is seen to be left alone. */
static void check_gone(const char *sequence) {
    char text[512], expected[] = "ab";
    (void)snprintf(text, sizeof text, "a%sb", sequence);
    check(text, expected);
}

static void check_kept(const char *sequence) {
    char text[512];
    (void)snprintf(text, sizeof text, "a%sb", sequence);
    check(text, text);
}

TEST(text_and_colours_pass) {
    check_kept("plain \xc3\xa9\xe4\xb8\xad\xf0\x9f\x90\x8e text\r\n\t\x7f\b");
    check_kept("\x1b[1;31mred\x1b[0m\x1b[38;2;1;2;3m\x1b[38:5:7m\x1b[4:3m");
    check_kept(
        "\x1b[H\x1b[2J\x1b[3;4H\x1b[5A\x1b[K\x1b[1;10r\x1b[2 q\x1b[!p\x1b[s\x1b[u\x1b[4h\x1b[22;0t\x1b[23t");
    check_kept(
        "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1000;1006h\x1b[?2026l\x1b[?1h\x1b=\x1b>\x1b(B\x1b)0\x1b#8\x1b"
        "7\x1b"
        "8\x1b"
        "c\x1bM");
    check_kept(
        "\x1b]0;a title\a\x1b]2;caf\xc3\xa9\x1b\\\x1b]8;;http://x/?a=1\x1b\\link\x1b]8;;\x1b\\\x1b]133;A\a");
    check_kept("\x1b]11;#123456\a\x1b]4;1;rgb:1/2/3\a\x1b]52;c;aGVsbG8=\a\x1b]104\a");
    check_kept("\x1bPq#0;2;0;0;0~~\x1b\\");
}

TEST(questions_do_not) {
    static const char *const asked[] = {
        "\x05",
        "\x1bZ",
        "\x1b[c",
        "\x1b[0c",
        "\x1b[>c",
        "\x1b[=c",
        "\x1b[5n",
        "\x1b[6n",
        "\x1b[?6n",
        "\x1b[?996n",
        "\x1b[x",
        "\x1b[?2026$p",
        "\x1b[20$p",
        "\x1b[>q",
        "\x1b[>0q",
        "\x1b[?u",
        "\x1b[14t",
        "\x1b[18t",
        "\x1b[21t",
        "\x1b[1;1;1;1;1;1*y",
        "\x1b[1$w",
        "\x1b[?1;1;0S",
        "\x1b]10;?\a",
        "\x1b]11;?\x1b\\",
        "\x1b]4;1;?\a",
        "\x1b]4;0;?;1;?\a",
        "\x1b]52;c;?\a",
        "\x1b]1337;ReportCellSize\a",
        "\x1bP$qm\x1b\\",
        "\x1bP+q544e\x1b\\",
        "\x1b_Gi=1,a=q;AAAA\x1b\\",
        "\xc2\x9b"
        "c",
        "\xc2\x9b"
        "6n",
        "\xc2\x9d"
        "11;?\xc2\x9c",
        "\xc2\x9a",
    };
    for (size_t i = 0; i < ARRAY_LEN(asked); i++)
        check_gone(asked[i]);
}

TEST(nor_what_changes_keys_or_the_window) {
    static const char *const changes[] = {
        "\x1b[>1u",    "\x1b[<u",  "\x1b[=5;1u",  "\x1b[>4;2m",  "\x1b[?4m", "\x1b[8;50;132t", "\x1b[3;0;0t",
        "\x1b[?9001h", "\x1b[?3h", "\x1b[?2048h", "\x1b[?2031h", "\x1b[5i",  "\x1b G",         "\x1b[?03l"};
    for (size_t i = 0; i < ARRAY_LEN(changes); i++)
        check_gone(changes[i]);
    check("\x1b[?25;9001;1000h", "\x1b[?25;1000h");
    check("\x1b[?9001;25l", "\x1b[?25l");
}

TEST(broken_sequences_do_no_harm) {
    check("a\x1b[3\x1b[6nb", "ab");                                       /* begun anew */
    check("a\x1b[6\x18nb", "anb");                                        /* given up */
    check("a\x1b[\r6nb", "a\rb");                                         /* a control within */
    check("a\x1b[6\xc3\xa9n", "a\xc3\xa9n");                              /* no part of a sequence */
    check("a\x1b]0;t\x1b[6nb\x1b]0;u\ac", "a\x1b]0;t\x1b\\b\x1b]0;u\ac"); /* a string that a sequence ends */
    check("a\x1b]11;?\x1b[1mb", "a\x1b[1mb");
    check("a\x1bP$q\x18z", "az");
    check("a\x1bPq12\x1az", "a\x1bPq12\x1az");
    check("a\xc2\x1b[cb", "a\xef\xbf\xbd"
                          "b");
    check("a\xc2\xc2\x9b\x9a"
          "b",
          "a\xef\xbf\xbd\x9a"
          "b");
}

TEST(what_is_long_is_not_held) {
    struct buf text = BUF_INIT(1 << 20), long_csi = BUF_INIT(1 << 20);
    CHECK_INT(buf_printf(&text, "a\x1b]52;c;"), 0);
    CHECK_INT(buf_printf(&long_csi, "a\x1b["), 0);
    for (int i = 0; i < 300; i++) {
        CHECK_INT(buf_printf(&text, "aGVsbG8="), 0);
        CHECK_INT(buf_printf(&long_csi, "11111111;"), 0);
    }
    CHECK_INT(buf_printf(&text, "?\ab"), 0);
    CHECK_INT(buf_printf(&long_csi, "mb"), 0);
    struct filter f = FILTER_INIT;
    struct buf out = BUF_INIT(1 << 20);
    filter_feed(&f, buf_span(&text), &out);
    CHECK(span_eq(buf_span(&out), buf_span(&text)));
    buf_clear(&out);
    filter_feed(&f, buf_span(&long_csi), &out);
    CHECK_SPAN(buf_span(&out), "ab");
    buf_fini(&out);
    buf_fini(&text);
    buf_fini(&long_csi);
}

TEST(a_snapshot_does_not_reset_everything) {
    static const char snapshot[] = "\x18\x1b"
                                   "c\x1b[?25h\x1b]104\x1b\\\x1b]110\a\x1b]2;\x1b\\text\x1b]2;t\a";
    struct filter f = {.soft = true};
    struct buf out = BUF_INIT(1 << 20);
    filter_feed(&f, span_str(snapshot), &out);
    CHECK_SPAN(buf_span(&out), "\x18\x1b[?25htext\x1b]2;t\a");
    buf_clear(&out);
    filter_feed(&f, SPAN("\x1b]4;1;#000000\a\x1b]104\a"), &out);
    CHECK(f.colours);
    CHECK_SPAN(buf_span(&out), "\x1b]4;1;#000000\a\x1b]104\a");
    buf_fini(&out);
}

TESTS(RUN(text_and_colours_pass), RUN(questions_do_not), RUN(nor_what_changes_keys_or_the_window),
      RUN(broken_sequences_do_no_harm), RUN(what_is_long_is_not_held),
      RUN(a_snapshot_does_not_reset_everything))
