#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "test.h"

#include <float.h>
#include <math.h>

#define WRITER(w, b)                         \
    AUTO(buf) struct buf b = BUF_INIT(4096); \
    struct jwrite w = JWRITE_INIT(&b)

TEST(puts_commas_where_they_belong) {
    WRITER(w, b);
    jwrite_object(&w);
    jwrite_kstr(&w, "s", SPAN("x"));
    jwrite_kcstr(&w, "none", NULL);
    jwrite_key(&w, "list");
    jwrite_array(&w);
    jwrite_i64(&w, 1);
    jwrite_array(&w);
    jwrite_array_end(&w);
    jwrite_object(&w);
    jwrite_object_end(&w);
    jwrite_bool(&w, true);
    jwrite_cstr(&w, "c");
    jwrite_array_end(&w);
    jwrite_ki64(&w, "i", -5);
    jwrite_ku64(&w, "u", 5);
    jwrite_kbool(&w, "b", false);
    jwrite_knull(&w, "n");
    jwrite_key_span(&w, SPAN("raw"));
    jwrite_raw(&w, SPAN("{\"k\":1}"));
    jwrite_object_end(&w);
    CHECK_STR(
        b.p,
        "{\"s\":\"x\",\"none\":null,\"list\":[1,[],{},true,\"c\"],\"i\":-5,\"u\":5,\"b\":false,\"n\":null,"
        "\"raw\":{\"k\":1}}");
    CHECK(!b.failed);
}

TEST(leaves_nulls_out_when_asked_to) {
    WRITER(w, b);
    w.omit_null = true;
    jwrite_object(&w);
    jwrite_kcstr(&w, "none", NULL);
    jwrite_kcstr(&w, "s", "x");
    jwrite_knull(&w, "n");
    jwrite_ki64(&w, "i", 1);
    jwrite_object_end(&w);
    CHECK_STR(b.p, "{\"s\":\"x\",\"i\":1}");
}

TEST(escapes_strings) {
    static const struct {
        struct span text;
        const char *json;
    } cases[] = {
        {{"", 0}, "\"\""},
        {{"plain text, longer than sixteen bytes", 37}, "\"plain text, longer than sixteen bytes\""},
        {{"\"\\/", 3}, "\"\\\"\\\\/\""},
        {{"\b\f\n\r\t", 5}, "\"\\b\\f\\n\\r\\t\""},
        {{"\0\x01\x1f\x7f", 4}, "\"\\u0000\\u0001\\u001f\x7f\""},
        {{"\xC3\xA9\xE2\x80\xA8\xF0\x9F\x98\x80", 9}, "\"\xC3\xA9\xE2\x80\xA8\xF0\x9F\x98\x80\""},
        {{"a\xFFz", 3}, "\"a\xEF\xBF\xBDz\""},
        {{"\xC3", 1}, "\"\xEF\xBF\xBD\""},
        {{"\xED\xA0\x80", 3}, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {{"0123456789abcdef\n0123456789abcdef\"", 34}, "\"0123456789abcdef\\n0123456789abcdef\\\"\""},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        WRITER(w, b);
        jwrite_str(&w, cases[i].text);
        CHECK_STR(b.p, cases[i].json);
        CHECK_INT(jvalid(buf_span(&b), 1), 0);
    }
}

TEST(escapes_keys_as_well) {
    WRITER(w, b);
    jwrite_object(&w);
    jwrite_key(&w, "a\"\n");
    jwrite_null(&w);
    jwrite_object_end(&w);
    CHECK_STR(b.p, "{\"a\\\"\\n\":null}");
}

TEST(writes_integers) {
    WRITER(w, b);
    jwrite_array(&w);
    jwrite_i64(&w, 0);
    jwrite_i64(&w, INT64_MAX);
    jwrite_i64(&w, INT64_MIN);
    jwrite_u64(&w, UINT64_MAX);
    jwrite_array_end(&w);
    CHECK_STR(b.p, "[0,9223372036854775807,-9223372036854775808,18446744073709551615]");
}

TEST(writes_reals_that_read_back) {
    static const double values[] = {0.0,     -0.0,    1.0,     0.1,    1.0 / 3,   1e21,
                                    -1.5e-7, DBL_MAX, DBL_MIN, 5e-324, 0.1 + 0.2, 123456789012345680.0};
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        WRITER(w, b);
        jwrite_double(&w, values[i]);
        double back = 77;
        CHECK(jscan_double(buf_span(&b), &back));
        CHECK(memcmp(&back, &values[i], sizeof back) == 0);
    }
    WRITER(w, b);
    jwrite_array(&w);
    jwrite_double(&w, 0.1);
    jwrite_double(&w, 0.1 + 0.2);
    jwrite_double(&w, (double)NAN);
    jwrite_double(&w, (double)INFINITY);
    jwrite_array_end(&w);
    CHECK_STR(b.p, "[0.1,0.30000000000000004,null,null]");
}

TEST(overflow_shows_in_the_buffer) {
    AUTO(buf) struct buf b = BUF_INIT(8);
    struct jwrite w = JWRITE_INIT(&b);
    jwrite_str(&w, SPAN("much too long for eight"));
    CHECK(b.failed);
    CHECK(b.n <= 8);
}

TESTS(RUN(puts_commas_where_they_belong), RUN(leaves_nulls_out_when_asked_to), RUN(escapes_strings),
      RUN(escapes_keys_as_well), RUN(writes_integers), RUN(writes_reals_that_read_back),
      RUN(overflow_shows_in_the_buffer))
