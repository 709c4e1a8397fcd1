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
    char text[1024];
    (void)snprintf(text, sizeof text, "a%sb", sequence);
    check(text, text);
}

TEST(text_and_colours_pass) {
    check_kept("plain \xc3\xa9\xe4\xb8\xad\xf0\x9f\x90\x8e text\r\n\t\b\a");
    check_kept("\x1b[1;31mred\x1b[m\x1b[38;2;1;2;3m\x1b[38:5:7m\x1b[4:3m\x1b[38:2::1:2:3m\x1b[48;5;0m");
    check_kept(
        "\x1b[H\x1b[2J\x1b[3;4H\x1b[5A\x1b[K\x1b[1;10r\x1b[2 q\x1b[!p\x1b[s\x1b[u\x1b[4h\x1b[?1J\x1b[1\"q");
    check_kept(
        "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1000h\x1b[?1006h\x1b[?2026l\x1b[?1h\x1b=\x1b>\x1b(B\x1b)0\x1b#8\x1b"
        "7\x1b"
        "8\x1bM");
    check_kept(
        "\x1b[3@\x1b[2L\x1b[2M\x1b[P\x1b[4X\x1b[2S\x1b[T\x1b[2b\x1b[3g\x1bH\x1b[2I\x1b[Z\x1b[2'}\x1b[ @");
}

TEST(what_passes_is_written_anew) {
    check("\x1b[0m\x1b[00;01m\x1b[;5H\x1b[007A", "\x1b[m\x1b[0;1m\x1b[0;5H\x1b[7A");
    check("\x1b[99999999999999999999C\x1b[1;2;3;4H", "\x1b[9999C\x1b[1;2H");
    check("\x1b[?25;1000l\x1b[?0025h", "\x1b[?25l\x1b[?1000l\x1b[?25h");
    check("\xc2\x9b"
          "1m\xc2\x84\xc2\x85",
          "\x1b[1m\x1b"
          "D\x1b"
          "E");
    check("\x1b[1\r;3\n1m", "\r\n\x1b[1;31m"); /* controls act at once, wherever they stand */
    check("\x1b%G\x1b%@", "\x0f\x1b(B\x0f\x1b(B");
    check("\x1b-0\x1b~\x1b|", "\x1b)0\x0e\x1bo");
}

TEST(nothing_is_asked) {
    static const char *const asked[] = {
        "\x05",
        "\x1bZ",
        "\x1b[c",
        "\x1b[0c",
        "\x1b[>c",
        "\x1b[=c",
        "\x1b[5n",
        "\x1b[06n",
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
        "\x1b[021t",
        "\x1b[1;1;1;1;1;1*y",
        "\x1b[1$w",
        "\x1b[?1;1;0S",
        "\x1b[?4m",
        "\x1b]10;?\a",
        "\x1b]010;?\a",
        "\x1b]11;?\x1b\\",
        "\x1b]4;1;?\a",
        "\x1b]4;0;?;1;?\a",
        "\x1b]05;0;?\a",
        "\x1b]52;c;?\a",
        "\x1b]052;c;?\a",
        "\x1b]0000000000000052;c;?\a",
        "\x1b]1337;ReportCellSize\a",
        "\x1b]1337;ReportVariable=Zm9v\a",
        "\x1b]60\a",
        "\x1b]5522;type=read\x1b\\",
        "\x1b]99;i=1:p=?;\x1b\\",
        "\x1b]21;foreground=?\x1b\\",
        "\x1b]l\x1b\\",
        "\x1bP$qm\x1b\\",
        "\x1bP+q544e\x1b\\",
        "\x1bP>|\x1b\\",
        "\x1b_Gi=1,a=q;AAAA\x1b\\",
        "\x1b^x\x1b\\",
        "\x1bXx\x1b\\",
        "\xc2\x9b"
        "c",
        "\xc2\x9b"
        "6n",
        "\xc2\x9d"
        "11;?\xc2\x9c",
        "\xc2\x90$qm\xc2\x9c",
        "\xc2\x9a",
    };
    for (size_t i = 0; i < ARRAY_LEN(asked); i++)
        check_gone(asked[i]);
}

TEST(nothing_is_done_to_keys_window_or_machine) {
    static const char *const done[] = {
        "\x1b[>1u",
        "\x1b[<u",
        "\x1b[=5;1u",
        "\x1b[>4;2m",
        "\x1b[8;50;132t",
        "\x1b[3;0;0t",
        "\x1b[22;0t",
        "\x1b[23t",
        "\x1b[?9001h",
        "\x1b[?3h",
        "\x1b[?2048h",
        "\x1b[?2031h",
        "\x1b[5i",
        "\x1b[?5i",
        "\x1b G",
        "\x1b F",
        "\x1b[?03l",
        "\x1b[2h",
        "\x1b[12l",
        "\x1b[?2l",
        "\x1b[?5h",
        "\x1b[?69h",
        "\x1b[3J",
        "\x1b[03J",
        "\x1b[7 q",
        "\x1b[?1007h",
        "\x1b[1;2'|",
        "\x1b[1'z",
        "\x1b[1*x",
        "\x1b[1#q",
        "\x1bl",
        "\x1b#3",
        "\x1b#6",
        "\x1b(X",
        "\x1b[61\"p",
        "\x1b]0;title\a",
        "\x1b]2;caf\xc3\xa9\x1b\\",
        "\x1b]1;icon\a",
        "\x1b]7;file:///etc\a",
        "\x1b]9;told\a",
        "\x1b]777;notify;a;b\a",
        "\x1b]99;;told\x1b\\",
        "\x1b]9;4;1;50\a",
        "\x1b]52;c;aGVsbG8=\a",
        "\x1b]052;;aGVsbG8=\a",
        "\x1b]5522;type=write\a",
        "\x1b]1337;SetProfile=x\a",
        "\x1b]1337;File=name=eA==:eA==\a",
        "\x1b]6;1;bg;red;brightness;9\a",
        "\x1b]4;1;rgb:1/2/3\a",
        "\x1b]11;#123456\a",
        "\x1b]104\a",
        "\x1b]133;A\a",
        "\x1b]633;A\a",
        "\x1b]50;font\a",
        "\x1b]46;/tmp/log\a",
        "\x1bPq#0;2;0;0;0~~\x1b\\",
        "\x1bPtmux;\x1b\x1b]52;c;eA==\a\x1b\\",
    };
    for (size_t i = 0; i + 1 < ARRAY_LEN(done); i++)
        check_gone(done[i]);
    /* A string within a string ends the outer one, as it does on the screen; nothing of either passes. */
    check("a\x1bPtmux;\x1b\x1b]52;c;eA==\a\x1b\\b", "ab");
    check("\x1b[?25;9001;1000h", "\x1b[?25h\x1b[?1000h");
}

TEST(links_lead_to_pages) {
    check_kept("\x1b]8;;http://x/?a=1;b\x1b\\link\x1b]8;;\x1b\\");
    check_kept("\x1b]8;id=a-1;https://example.org/a%20b#c\x1b\\link\x1b]8;;\x1b\\");
    check_kept("\x1b]8;;mailto:a@b.c\x1b\\");
    check("\x1b]008;id=x;HTTPS://e.org\al", "\x1b]8;id=x;HTTPS://e.org\x1b\\l");
    check("\x1b]8;id=\"x;http://e\al", "\x1b]8;;http://e\x1b\\l");
    static const char *const others[] = {"file:///etc/passwd",
                                         "javascript:alert(1)",
                                         "ssh://host",
                                         "x-man-page://ls",
                                         "http:///x",
                                         "http://",
                                         "https://a@b/",
                                         "http://e/ x",
                                         "http://e/\xc3\xa9",
                                         "http://e/\"",
                                         "vscode://file",
                                         "mailto:",
                                         "//e.org",
                                         "e.org"};
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "\x1b]8;;%s\x1b\\link", others[i]);
        check(text, "\x1b]8;;\x1b\\link");
    }
    check_gone("\x1b]8;\a");
    check_gone("\x1b]8\a");
    check_gone("\x1b]8;id=x;\a");
}

TEST(broken_sequences_do_no_harm) {
    check("a\x1b[3\x1b[6nb", "ab");   /* begun anew */
    check("a\x1b[6\x18nb", "anb");    /* given up */
    check("a\x1b[\r6nb", "a\rb");     /* a control within */
    check("a\x1b[1;2?3nb", "ab");     /* a prefix in the wrong place */
    check("a\x1b[1$2mb", "ab");       /* a parameter behind an intermediate */
    check("a\x1b]0;t\x1b[6nb", "ab"); /* a string that a sequence ends */
    check("a\x1b]8;;http://e\x1b[1mb", "a\x1b]8;;http://e\x1b\\\x1b[1mb");
    check("a\x1b]11;?\x1b[1mb", "a\x1b[1mb");
    check("a\x1b]8;;http://e\x18z", "az");
    check("a\x1bP$q\x18z", "az");
    check("a\x1bPq12\x1az", "az");
    check("a\x1b\x1b\x1b[c\x1b", "a");
    check("a\x80\x9b"
          "6n\xff\xfe\xc0\x9bz",
          "a6nz"); /* bytes that are no UTF-8, not even C1 controls of eight bits */
    check("a\xc2\x1b[cb", "ab");
    check("a\xe2\x82\xc2\x9b"
          "cb",
          "ab");
    check("a\xef\xbb\xbf\xed\xa0\x80\xf4\x90\x80\x80z", "az");
    check("a\x1b[38;5mb\x1b[mc", "a\x1b[38;5mb\x1b[mc");
    check("a\x1b]52;c;", "a"); /* without an end */
    check_span(SPAN("a\0b\x7f\x11\x13\x01"), SPAN("ab"));
}

TEST(what_is_long_is_swallowed_whole) {
    static const char *const begins[] = {"\x1b]52;c;", "\x1b]4;1;", "\x1b]0;",       "\x1bPq",
                                         "\x1b_G",     "\x1b^",     "\x1b]8;;file:", "\x1b[?"};
    static const char *const ends[] = {"?\a", "?\x1b\\", "\a", "\x1b\\", "\x1b\\", "\x1b\\", "\x1b\\", "c"};
    for (size_t i = 0; i < ARRAY_LEN(begins); i++) {
        struct buf text = BUF_INIT(1 << 22), out = BUF_INIT(1 << 20);
        struct filter f = FILTER_INIT;
        CHECK_INT(buf_printf(&text, "a%s", begins[i]), 0);
        for (int n = 0; n < 20000; n++)
            CHECK_INT(buf_printf(&text, "1111111;"), 0);
        CHECK_INT(buf_printf(&text, "%sb", ends[i]), 0);
        filter_feed(&f, buf_span(&text), &out);
        bool is_link = strstr(begins[i], "]8;") != NULL;
        CHECK_SPAN(buf_span(&out), is_link ? "a\x1b]8;;\x1b\\b" : "ab");
        buf_fini(&text);
        buf_fini(&out);
    }
}

/* Each of the numbers that OSC has had, written in every way. */
TEST(no_command_but_a_link) {
    for (unsigned number = 0; number < 10000; number++) {
        if (number == 8) continue;
        char text[64];
        struct buf out = BUF_INIT(1 << 12);
        struct filter f = FILTER_INIT;
        (void)snprintf(text, sizeof text, "\x1b]%u;?\a\x1b]00%u;c;http://e\x1b\\", number, number);
        filter_feed(&f, span_str(text), &out);
        if (out.n) fail_msg("OSC %u", number);
        buf_fini(&out);
    }
}

/* Each control sequence that there can be with one prefix and one intermediate: what passes is what is listed. */
TEST(no_control_sequence_that_is_not_listed) {
    static const char expected[] = "@ABCDEFGHIJKLMPSTXZ`abdefgmrsu|?J?K| @ A q|!p|\"q|'}'~|";
    struct buf passed = BUF_INIT(1 << 12);
    static const char *const prefixes[] = {"", "<", "=", ">", "?"};
    for (int between = 0x1f; between <= 0x2f; between++)
        for (size_t p = 0; p < ARRAY_LEN(prefixes); p++) {
            bool any = false;
            for (char last = '@'; last < 0x7f; last++) {
                char text[16], mark[2] = {between > 0x1f ? (char)between : '\0', '\0'};
                struct buf out = BUF_INIT(64);
                struct filter f = FILTER_INIT;
                (void)snprintf(text, sizeof text, "\x1b[%s%s%c", prefixes[p], mark, last);
                filter_feed(&f, span_str(text), &out);
                if (out.n) CHECK_INT(buf_printf(&passed, "%s%s%c", prefixes[p], mark, last), 0);
                any |= out.n > 0;
                buf_fini(&out);
            }
            if (any) CHECK_INT(buf_append_char(&passed, '|'), 0);
        }
    CHECK_STR(passed.p, expected);
    buf_fini(&passed);
}

TEST(a_reset_leaves_what_was_there_before) {
    struct filter f = {.soft = true, .cols = 20};
    struct buf out = BUF_INIT(1 << 20);
    filter_feed(&f,
                SPAN("\x18\x1b"
                     "c\x1b[?25h\x1b]104\x1b\\\x1b]2;\x1b\\text\x1b]2;t\a"),
                &out);
    CHECK_SPAN(buf_span(&out), "\x1b[?25htext");
    f.soft = false;
    buf_clear(&out);
    filter_feed(&f,
                SPAN("\x1b"
                     "c"),
                &out);
    CHECK(!memmem(out.p, out.n,
                  "\x1b"
                  "c",
                  2));
    CHECK(memmem(out.p, out.n, "\x1b[?1000l", 8) && span_ends(buf_span(&out), SPAN("\x1b[H\x1b[2J")));
    CHECK(!memmem(out.p, out.n, "\x1b[3g", 4));
    filter_feed(&f, SPAN("\x1b[3g"), &out);
    CHECK(f.tabs);
    buf_clear(&out);
    filter_feed(&f,
                SPAN("\x1b"
                     "c"),
                &out);
    CHECK(memmem(out.p, out.n, "\x1b[3g\x1b[9G\x1bH\x1b[17G\x1bH\r", 18));
    CHECK(!f.tabs);
    buf_fini(&out);
}

TESTS(RUN(text_and_colours_pass), RUN(what_passes_is_written_anew), RUN(nothing_is_asked),
      RUN(nothing_is_done_to_keys_window_or_machine), RUN(links_lead_to_pages),
      RUN(broken_sequences_do_no_harm), RUN(what_is_long_is_swallowed_whole), RUN(no_command_but_a_link),
      RUN(no_control_sequence_that_is_not_listed), RUN(a_reset_leaves_what_was_there_before))
