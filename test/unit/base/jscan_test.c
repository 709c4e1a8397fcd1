#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jblock.h"
#include "test.h"

#include <errno.h>

/* Each test of the scanner runs once with every engine that this CPU has. */
static const enum jscan_engine engines[] = {JSCAN_SCALAR, JSCAN_SSE2, JSCAN_AVX2};
#define FOR_EACH_ENGINE(e)                                                                   \
    for (const enum jscan_engine *e UNUSED = engines; e < engines + ARRAY_LEN(engines); e++) \
        if (jscan_use(*e))

/* A copy on the heap of exactly the right size: the sanitizer sees a read past the end. */
static char *exact(struct span s) {
    char *p = malloc(s.n ? s.n : 1);
    assert_non_null(p);
    if (s.n) memcpy(p, s.p, s.n);
    return p;
}

static int scan_copy(struct span doc, const char *name, char *ret_value, size_t room) {
    char *copy = exact(doc);
    struct jmember wanted[] = {{.name = span_str(name)}};
    int r = jscan_object(span_of(copy, doc.n), wanted, 1);
    (void)snprintf(ret_value, room, "%.*s", SPAN_ARG(wanted[0].value));
    free(copy);
    return r;
}

TEST(finds_members_of_the_first_level_only) {
    static const struct {
        const char *doc, *name, *value;
    } cases[] = {
        {"{}", "a", ""},
        {" \t\r\n{ \n } \n", "a", ""},
        {"{\"a\":1}", "a", "1"},
        {"{\"a\":-1.5e+10}", "a", "-1.5e+10"},
        {"{ \"a\" : true , \"b\" : null }", "a", "true"},
        {"{ \"a\" : true , \"b\" : null }", "b", "null"},
        {"{\"a\":\"x\"}", "a", "\"x\""},
        {"{\"a\":\"\"}", "a", "\"\""},
        {"{\"a\":{},\"b\":[]}", "a", "{}"},
        {"{\"a\":{},\"b\":[]}", "b", "[]"},
        {"{\"x\":{\"a\":1},\"y\":[{\"a\":2}],\"a\":3}", "a", "3"},
        {"{\"x\":{\"a\":1},\"y\":[{\"a\":2}]}", "a", ""},
        {"{\"x\":\"\\\"a\\\":1,\",\"y\":2}", "a", ""},
        {"{\"x\":\"{[\",\"a\":\"}]\"}", "a", "\"}]\""},
        {"{\"a\":1,\"a\":2,\"b\":3,\"a\":[4]}", "a", "[4]"},
        {"{\"\\u0061\":7}", "a", "7"},
        {"{\"\\u0075u\\u0069d\":7}", "uuid", "7"},
        {"{\"a\\\"b\":7}", "a\"b", "7"},
        {"{\"a\\/b\":7}", "a/b", "7"},
        {"{\"\\ud83d\\ude00\":7}", "\xF0\x9F\x98\x80", "7"},
        {"{\"\xF0\x9F\x98\x80\":7}", "\xF0\x9F\x98\x80", "7"},
        {"{\"\\u00e9\":7}", "\xC3\xA9", "7"},
        {"{\"a\\\\\":7,\"a\":8}", "a", "8"},
        {"{\"\":5}", "", "5"},
        {"{\"ab\":1,\"abc\":2}", "a", ""},
        {"{\"a\":[[[[{\"b\":[]}]]]],\"b\":1}", "b", "1"},
    };
    FOR_EACH_ENGINE(e) {
        for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
            char value[64];
            int r = scan_copy(span_str(cases[i].doc), cases[i].name, value, sizeof value);
            if (r != (cases[i].value[0] != '\0')) fail_msg("engine %d: %s: %d", *e, cases[i].doc, r);
            CHECK_STR(value, cases[i].value);
        }
    }
}

TEST(refuses_what_is_no_balanced_object) {
    static const char *const docs[] = {
        "",
        " ",
        "x",
        "1",
        "[]",
        "[{}]",
        "\"{}\"",
        "{",
        "}",
        "{]",
        "{\"a\":[}",
        "{\"a\":[1}",
        "{\"a\":{]}",
        "{\"a\":1]",
        "{\"a\":1",
        "{\"a\":",
        "{\"a\"",
        "{\"a",
        "{\"",
        "{\"a\":\"x",
        "{\"a\":\"x\\",
        "{\"a\":\"x\\\"}",
        "{}{}",
        "{} x",
        "{}}",
        "{\"a\":1}]",
        "{,}",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{\"a\":}",
        "{a:1}",
        "{\"a\":1 2}",
        "{\"a\":1\"x\"}",
        "{\"a\":\"x\"\"y\"}",
        "{\"a\":1,,\"b\":2}",
        "{\"a\":[[]}",
        "{\"a\":{\"b\":1}",
        "{\\\"a\":1}",
        "{\"a\":1\\}",
        "{\"a\":@}",
    };
    FOR_EACH_ENGINE(e) {
        for (size_t i = 0; i < ARRAY_LEN(docs); i++) {
            char value[64];
            int r = scan_copy(span_str(docs[i]), "a", value, sizeof value);
            if (r != -EINVAL) fail_msg("engine %d: %s: %d", *e, docs[i], r);
            CHECK_STR(value, "");
        }
    }
    struct jmember a = JMEMBER("a");
    CHECK_INT(jscan_object(SPAN_NONE, &a, 1), -EINVAL);
    CHECK_INT(jscan_object(span_of("{\"a\":1}\0", 8), &a, 1), -EINVAL);
}

TEST(counts_each_wanted_member_once) {
    struct jmember wanted[] = {JMEMBER("a"), JMEMBER("b"), JMEMBER("c")};
    CHECK_INT(jscan_object(SPAN("{\"b\":1,\"b\":2,\"c\":3,\"d\":4}"), wanted, ARRAY_LEN(wanted)), 2);
    CHECK_INT(wanted[0].value.n, 0);
    CHECK_SPAN(wanted[1].value, "2");
    CHECK_SPAN(wanted[2].value, "3");
    CHECK_INT(jscan_object(SPAN("{\"a\":1}"), wanted, ARRAY_LEN(wanted)), 1);
    CHECK_INT(wanted[1].value.n, 0);
    CHECK_INT(jscan_object(SPAN("{\"a\":1}"), NULL, 0), 0);
}

TEST(every_prefix_of_a_document_is_refused) {
    struct span doc =
        SPAN("{\"a\":{\"x\":[1,2,{\"y\":\"\\\\\\\"\"}]},\"padding\":\"------------------------------"
             "------------------------------------\",\"b\":[[],{}],\"c\":\"end\\\\\"}");
    FOR_EACH_ENGINE(e) {
        char value[64];
        for (size_t n = 0; n < doc.n; n++)
            if (scan_copy(span_take(doc, n), "c", value, sizeof value) != -EINVAL)
                fail_msg("engine %d took %zu bytes", *e, n);
        CHECK_INT(scan_copy(doc, "c", value, sizeof value), 1);
        CHECK_STR(value, "\"end\\\\\"");
    }
}

/* A run of backslashes of every length, ending at every place around a block border: the quote behind an even run
 * ends the string, the one behind an odd run does not. */
TEST(backslash_runs_cross_block_borders) {
    FOR_EACH_ENGINE(e) {
        for (size_t pad = 0; pad < 2 * JBLOCK_BYTES; pad++) {
            for (size_t run = 0; run < 70; run++) {
                char doc[600], value[512], expect[512];
                char filler[2 * JBLOCK_BYTES + 1] = "", slashes[80] = "";
                memset(filler, 'x', pad);
                memset(slashes, '\\', run);
                const char *tail = run % 2 ? "\",\\\"a\\\":1" : "";
                (void)snprintf(expect, sizeof expect, "\"%s%s%s\"", filler, slashes, tail);
                (void)snprintf(doc, sizeof doc, "{\"s\":%s,\"a\":2}", expect);
                CHECK_INT(scan_copy(span_str(doc), "s", value, sizeof value), 1);
                CHECK_STR(value, expect);
                CHECK_INT(scan_copy(span_str(doc), "a", value, sizeof value), 1);
                CHECK_STR(value, "2");
            }
        }
    }
}

TEST(alignment_does_not_matter) {
    static const char doc[] =
        "{\"deep\":{\"a\":[\"}\",{\"b\":\"\\\"]\"}],\"c\":{}},\"text\":\"0123456789012345678901234567"
        "89012345678901234567890123456789\",\"a\":[1,{\"a\":2}]}";
    char *area = malloc(sizeof doc + JBLOCK_BYTES);
    FOR_EACH_ENGINE(e) {
        for (size_t shift = 0; shift < JBLOCK_BYTES; shift++) {
            memcpy(area + shift, doc, sizeof doc);
            struct jmember a = JMEMBER("a");
            CHECK_INT(jscan_object(span_of(area + shift, sizeof doc - 1), &a, 1), 1);
            CHECK_SPAN(a.value, "[1,{\"a\":2}]");
        }
        for (size_t spaces = 0; spaces < 2 * JBLOCK_BYTES; spaces++) {
            char padded[512], value[64];
            (void)snprintf(padded, sizeof padded, "%*s%s", (int)spaces, "", doc);
            CHECK_INT(scan_copy(span_str(padded), "a", value, sizeof value), 1);
            CHECK_STR(value, "[1,{\"a\":2}]");
        }
    }
    free(area);
}

TEST(deep_nesting_is_only_a_number) {
    enum { DEPTH = 100000 };
    AUTO(buf) struct buf b = BUF_INIT(4 * DEPTH);
    (void)buf_append_span(&b, SPAN("{\"deep\":"));
    for (int i = 0; i < DEPTH; i++)
        (void)buf_append_char(&b, '[');
    for (int i = 0; i < DEPTH; i++)
        (void)buf_append_char(&b, ']');
    (void)buf_append_span(&b, SPAN(",\"a\":1}"));
    FOR_EACH_ENGINE(e) {
        struct jmember wanted[] = {JMEMBER("deep"), JMEMBER("a")};
        CHECK_INT(jscan_object(buf_span(&b), wanted, 2), 2);
        CHECK_INT(wanted[0].value.n, 2 * DEPTH);
        CHECK_SPAN(wanted[1].value, "1");
    }
}

/* What jblock promises, byte by byte and without tricks. */
static void classify_plainly(struct jblock_carry *carry, const char *p, struct jblock *ret) {
    *ret = (struct jblock){0};
    for (size_t i = 0; i < JBLOCK_BYTES; i++) {
        uint64_t bit = UINT64_C(1) << i;
        bool escaped = carry->escaped;
        carry->escaped = p[i] == '\\' && !escaped;
        if (escaped) continue;
        if (p[i] == '"') {
            ret->quote |= bit;
            carry->string = ~carry->string;
        } else if (strchr("{[", p[i]) && !carry->string) {
            ret->open |= bit;
            ret->opens++;
        } else if (strchr("}]", p[i]) && !carry->string) {
            ret->close |= bit;
            ret->closes++;
        }
    }
}

TEST(engines_classify_blocks_as_promised) {
    static const char alphabet[] = "\\\\\\\"\"{}[] a,:\n|;=\xC3\xDB\xFB\xFD\xDC\xA2";
    uint64_t seed = 1;
    for (int round = 0; round < 2000; round++) {
        char text[JBLOCK_BATCH * JBLOCK_BYTES];
        for (size_t i = 0; i < sizeof text; i++) {
            seed = seed * 6364136223846793005U + 1442695040888963407U;
            text[i] = alphabet[(seed >> 33) % (sizeof alphabet - 1)];
        }
        struct jblock expect[JBLOCK_BATCH], got[JBLOCK_BATCH];
        struct jblock_carry expect_carry = {0};
        for (size_t i = 0; i < JBLOCK_BATCH; i++)
            classify_plainly(&expect_carry, text + i * JBLOCK_BYTES, &expect[i]);
        FOR_EACH_ENGINE(e) {
            struct jblock_carry carry = {0};
            CHECK_INT(jblock_classify(&carry, span_of(text, sizeof text), JBLOCK_BATCH, got), JBLOCK_BATCH);
            for (size_t i = 0; i < JBLOCK_BATCH; i++) {
                CHECK_INT(got[i].quote, expect[i].quote);
                CHECK_INT(got[i].open, expect[i].open);
                CHECK_INT(got[i].close, expect[i].close);
                CHECK_INT(got[i].opens, expect[i].opens);
                CHECK_INT(got[i].closes, expect[i].closes);
            }
            CHECK_INT(carry.string, expect_carry.string);
            CHECK_INT(carry.escaped, expect_carry.escaped);
        }
    }
}

TEST(forcing_an_engine_holds) {
    CHECK(jscan_use(JSCAN_SCALAR));
    CHECK_INT(jscan_engine(), JSCAN_SCALAR);
    if (JBLOCK_X86) CHECK(jscan_use(JSCAN_SSE2));
    if (JBLOCK_X86) CHECK_INT(jscan_engine(), JSCAN_SSE2);
}

TESTS(RUN(finds_members_of_the_first_level_only), RUN(refuses_what_is_no_balanced_object),
      RUN(counts_each_wanted_member_once), RUN(every_prefix_of_a_document_is_refused),
      RUN(backslash_runs_cross_block_borders), RUN(alignment_does_not_matter),
      RUN(deep_nesting_is_only_a_number), RUN(engines_classify_blocks_as_promised),
      RUN(forcing_an_engine_holds))
