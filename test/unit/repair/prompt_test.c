#include "repair/prompt.h"
#include "test.h"

#define AT "\"timestamp\":\"2026-02-03T04:05:06.789Z\""
#define IN "\"cwd\":\"/p/alpha\""
#define USER(content) \
    "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":" content "}," IN "," AT "}"

enum { ARENA_BYTES = 1 << 20 };

static void check(const char *line, const char *text) {
    struct arena arena = ARENA_INIT(ARENA_BYTES);
    struct prompt p;
    bool found = prompt_of_line(span_str(line), &arena, &p);
    if (found != (text != NULL)) fail_msg("%s: %s", line, found ? "a prompt" : "no prompt");
    if (text) {
        CHECK_SPAN(p.text, text);
        CHECK_SPAN(p.cwd, "/p/alpha");
        CHECK_INT(p.at_ms, 1770091506789);
    }
    arena_fini(&arena);
}

TEST(words_as_a_string) {
    check(USER("\"Mend the fence\""), "Mend the fence");
    check("  {" AT "," IN ",\"message\":{\"content\":\"hi\"},\"isMeta\":true,\"type\":\"user\"}\r", "hi");
}

TEST(words_in_blocks) {
    check(USER("[{\"type\":\"text\",\"text\":\"one\"},{\"type\":\"text\",\"text\":\"two\"}]"), "one two");
    check(
        USER(
            "[{\"type\":\"image\",\"source\":{}},{\"text\":\"look\",\"type\":\"text\"},{\"type\":\"text\"}]"),
        "look");
    check(USER("[7,null,\"x\",{\"type\":\"text\",\"text\":5},{\"type\":\"text\",\"text\":\"y\"}]"), "y");
}

TEST(white_space_becomes_single_blanks) {
    check(USER("\"  a\\n\\n\\tb\\r\\n  c \""), "a b c");
    check(USER("\"\\u00a0a\\u2003\\u2028b\\ufeff\\u3000c\\u200b\""),
          "a b c\xE2\x80\x8B"); /* U+200B is none */
    check(
        USER(
            "[{\"type\":\"text\",\"text\":\" a \"},{\"type\":\"text\",\"text\":\"  \"},{\"type\":\"text\",\"text\":\"b\"}]"),
        "a b");
}

TEST(escapes_are_decoded) {
    check(
        "{\"t\\u0079pe\":\"\\u0075ser\",\"message\":{\"content\":\"a\\\"\\u00e9\\ud83d\\ude00\"},\"cwd\":\"\\/p\\/alpha\"," AT
        "}",
        "a\"\xC3\xA9\xF0\x9F\x98\x80");
}

TEST(what_is_no_prompt) {
    check(USER("\"\""), NULL);
    check(USER("\" \\n \""), NULL);
    check(USER("[]"), NULL);
    check(USER("null"), NULL);
    check(USER("{\"type\":\"text\",\"text\":\"x\"}"), NULL);
    check(USER("[{\"type\":\"tool_result\",\"content\":\"ok\",\"text\":\"x\"}]"), NULL);
    check("{\"type\":\"assistant\",\"message\":{\"content\":\"x\"}," IN "," AT "}", NULL);
    check("{\"type\":\"user\",\"message\":\"x\"," IN "," AT "}", NULL);
    check("{\"type\":\"user\",\"message\":{\"content\":\"x\"}," AT "}", NULL);
    check("{\"type\":\"user\",\"message\":{\"content\":\"x\"},\"cwd\":\"\"," AT "}", NULL);
    check("{\"type\":\"user\",\"message\":{\"content\":\"x\"}," IN "}", NULL);
    check("{\"type\":\"user\",\"message\":{\"content\":\"x\"}," IN ",\"timestamp\":\"soon\"}", NULL);
    check("{\"type\":\"user\",\"message\":{\"content\":\"x\"}," IN ",\"timestamp\":1770091506789}", NULL);
    check("{\"type\":\"user\",\"message\":{\"content\":\"x\"}," IN "," AT, NULL);
    check("[" USER("\"x\"") "]", NULL);
    check("", NULL);
}

TEST(a_long_prompt_is_cut_between_characters) {
    enum { PAIRS = PROMPT_BYTES_MAX };
    char *line = malloc(PAIRS * 2 + 512);
    CHECK(line != NULL);
    int n = snprintf(line, 512, "{\"type\":\"user\"," IN "," AT ",\"message\":{\"content\":\"x");
    for (int i = 0; i < PAIRS; i++) {
        line[n++] = '\xC3';
        line[n++] = '\xA9';
    }
    n += snprintf(line + n, 8, "\"}}");
    struct arena arena = ARENA_INIT(ARENA_BYTES);
    struct prompt p;
    CHECK(prompt_of_line(span_of(line, (size_t)n), &arena, &p));
    CHECK_INT(p.text.n, PROMPT_BYTES_MAX - 1);
    CHECK_INT((unsigned char)p.text.p[p.text.n - 1], 0xA9);
    arena_fini(&arena);
    free(line);
}

TEST(a_directory_with_an_endless_name_is_none) {
    char line[PROMPT_CWD_BYTES_MAX + 512], name[PROMPT_CWD_BYTES_MAX + 2];
    memset(name, 'd', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    (void)snprintf(line, sizeof line,
                   "{\"type\":\"user\",\"message\":{\"content\":\"x\"},\"cwd\":\"%s\"," AT "}", name);
    check(line, NULL);
}

TEST(without_memory_there_is_no_prompt) {
    struct arena arena = ARENA_INIT(4);
    struct prompt p;
    CHECK(!prompt_of_line(SPAN(USER("\"Mend the fence\"")), &arena, &p));
    arena_fini(&arena);
}

TESTS(RUN(words_as_a_string), RUN(words_in_blocks), RUN(white_space_becomes_single_blanks),
      RUN(escapes_are_decoded), RUN(what_is_no_prompt), RUN(a_long_prompt_is_cut_between_characters),
      RUN(a_directory_with_an_endless_name_is_none), RUN(without_memory_there_is_no_prompt))
