/* The three engines against what is known of each line, and against jpush() wherever the 64-byte borders fall. */
#include "base/jline.h"

#include "base/cleanup.h"
#include "base/jpush.h"
#include "json_lines.h"
#include "test.h"

static const struct span wanted[] = {
    {"uuid", 4}, {"parentUuid", 10}, {"type", 4}, {"a", 1}, {"toolUseID", 9}};

enum { SHIFT_MAX = 130, LINE_BYTES = 4096 };

struct fixture {
    struct jline_names names;
    struct jpush exact;
};

static void cleanup_fixture(struct fixture *f) {
    jpush_fini(&f->exact);
}

static void setup(struct fixture *f) {
    f->names = jline_names_of(wanted, ARRAY_LEN(wanted));
    jpush_init(&f->exact, &f->names);
}

/* One engine's answer, about memory that ends where it may end, with this behind the line. */
static bool scan(const struct fixture *f, struct span line, char behind, struct jline *ret) {
    size_t n = line.n + 1;
    AUTO(free) char *text = malloc(n + JLINE_PADDING);
    CHECK(text != NULL);
    memset(text, behind, n + JLINE_PADDING);
    memcpy(text, line.p, line.n);
    text[line.n] = '\n';
    return jline_scan(&f->names, text, n, ret);
}

static void check_places(const struct fixture *f, struct span line, const struct jline *found) {
    for (size_t i = 0; i < f->names.n; i++) {
        const struct jpush_value *v = &f->exact.values[i];
        bool same =
            v->n ? found->at[i] == v->at && jscan_value(span_skip(line, v->at)) == v->n : !found->at[i];
        if (!same) fail_msg("member %zu of %.*s", i, SPAN_ARG(line));
    }
}

/* Whether the engines are sure; they must agree, and be right, whatever is behind the line. */
static bool check_line_before(struct fixture *f, struct span line, char behind) {
    jpush_begin(&f->exact);
    bool valid = jpush_feed(&f->exact, line) == 0 && jpush_end(&f->exact) == 0, sure = false;
    for (enum jscan_engine e = JSCAN_SCALAR; e <= JSCAN_AVX2; e++) {
        if (!jscan_use(e)) continue;
        struct jline found;
        bool is_sure = scan(f, line, behind, &found);
        CHECK_INT(found.n, line.n);
        if (is_sure && !valid) fail_msg("engine %d takes %.*s", (int)e, SPAN_ARG(line));
        if (e != JSCAN_SCALAR && is_sure != sure) fail_msg("engine %d differs: %.*s", (int)e, SPAN_ARG(line));
        if (is_sure) check_places(f, line, &found);
        sure = is_sure;
    }
    return sure;
}

static const char behinds[] = {'"', '\0', '\\', '0', '}', '\n', ','};

static bool check_line(struct fixture *f, struct span line) {
    bool sure = check_line_before(f, line, behinds[0]);
    for (size_t i = 1; i < ARRAY_LEN(behinds); i++)
        CHECK_INT(check_line_before(f, line, behinds[i]), sure);
    return sure;
}

TEST(sure_of_ordinary_lines_only) {
    AUTO(fixture) struct fixture f;
    setup(&f);
    for (size_t i = 0; i < ARRAY_LEN(json_lines); i++) {
        const struct json_line *l = &json_lines[i];
        if (check_line(&f, l->text) != (l->kind == LINE_PLAIN)) fail_msg("%.*s", SPAN_ARG(l->text));
    }
}

/* The line with a member in front whose string is made of `n` bytes of `fill`, which may be a pair. */
static struct span shifted(char out[LINE_BYTES], struct span line, size_t n, const char *fill) {
    size_t step = strlen(fill);
    int len = snprintf(out, LINE_BYTES, "{\"p\":\"");
    for (size_t i = 0; i < n; i++)
        out[len++] = n - i < step - i % step ? 'x' : fill[i % step];
    len += snprintf(out + len, 8, "\",");
    memcpy(out + len, line.p + 1, line.n - 1);
    return span_of(out, (size_t)len + line.n - 1);
}

static void check_shifted(struct fixture *f, struct span line, enum line_kind kind, const char *fill) {
    char text[LINE_BYTES];
    for (size_t n = 0; n <= SHIFT_MAX; n++) {
        struct span at = shifted(text, line, n, fill);
        bool sure = check_line_before(f, at, behinds[n % ARRAY_LEN(behinds)]);
        if (sure != (kind == LINE_PLAIN)) fail_msg("%.*s", SPAN_ARG(at));
    }
}

TEST(wherever_the_borders_fall) {
    AUTO(fixture) struct fixture f;
    setup(&f);
    for (size_t i = 0; i < ARRAY_LEN(json_lines); i++) {
        const struct json_line *l = &json_lines[i];
        if (span_starts(l->text, SPAN("{\""))) check_shifted(&f, l->text, l->kind, "x");
    }
}

/* Everything that has more than one byte, once more, behind runs of backslashes and quotes that cross the borders. */
static const struct json_line long_lines[] = {
    {SPAN("{\"parentUuid\":\"00000000-0000-4000-8000-000000000001\",\"isSidechain\":false,\"type\":\"user\","
          "\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a \\\"b\\\"\\n\\\\\"}]},"
          "\"uuid\":\"00000000-0000-4000-8000-000000000002\"}"),
     LINE_PLAIN},
    {SPAN(
         "{\"toolUseID\":true,\"toolUseId\":false,\"uuid\":null,\"\":1,\"a\":-1.5e-10,\"b\":[],\"toolUseIDs\":2}"),
     LINE_PLAIN},
    {SPAN("{\"uuid\":1,\"\\u0070\\u0061\\u0072\\u0065\\u006e\\u0074\\u0055\\u0075\\u0069\\u0064\":2}"),
     LINE_EXACT},
    {SPAN("{\"uuid\":1,\"parentUui\\u0064\":2}"), LINE_EXACT},
    {SPAN("{\"uuid\":1,\"\\u0070arentUuid\":2,\"parentUuid\":3}"), LINE_EXACT},
    {SPAN(
         "{\"n\":[12345678,-0.125,1e10,0,true,false,null,[],{},\"\",[[{\"uuid\":{}}]]],\"uuid\":-1234567.5E+3}"),
     LINE_PLAIN},
    {SPAN("{\"uuid\":\"1\",\"a\":\"\\u0041\\\\\\\\\\\"\\ud83d\\ude00\\/\",\"uuid\":\"2\",\"uuid\":[\"3\"]}"),
     LINE_PLAIN},
    {SPAN("{\"uuid\":1,\"\\u0074ype\":\"escaped\",\"type\":2}"), LINE_EXACT},
    {SPAN("{\"uuid\":1,\"long and never wanted, but with an escape\\u0021 in it\":2}"), LINE_EXACT},
    {SPAN("{\"uuid\":1,\"a\":\"\\u004\",\"b\":1}"), LINE_BAD},
    {SPAN("{\"uuid\":1,\"a\":\"\\\\\\q\",\"b\":1}"), LINE_BAD},
    {SPAN("{\"uuid\":1,\"a\":[12,-,3]}"), LINE_BAD},
    {SPAN("{\"uuid\":1,\"a\":[true,falsy,3]}"), LINE_BAD},
    {SPAN("{\"uuid\":1,\"a\":{\"b\":[1,{\"c\":2]}}}"), LINE_BAD},
    {SPAN("{\"uuid\":1,\"a\":{\"b\":1,\"c\"}}"), LINE_BAD},
    {SPAN("{\"uuid\":123456789012345678901234567890.5e1234567890123456789012345678}"), LINE_PLAIN},
};

TEST(long_lines_wherever_the_borders_fall) {
    AUTO(fixture) struct fixture f;
    setup(&f);
    static const char *const fills[] = {"x", "\\\\", "\\\"", "\\u00e9", "\xC3\xA9", "{\xFF[,:]}"};
    for (size_t i = 0; i < ARRAY_LEN(long_lines); i++)
        for (size_t k = 0; k < ARRAY_LEN(fills); k++)
            check_shifted(&f, long_lines[i].text, long_lines[i].kind, fills[k]);
}

TEST(cut_anywhere_it_is_no_line) {
    AUTO(fixture) struct fixture f;
    setup(&f);
    for (size_t i = 0; i < ARRAY_LEN(long_lines); i++)
        for (size_t n = 0; n < long_lines[i].text.n; n++)
            CHECK(!check_line(&f, span_take(long_lines[i].text, n)));
}

TEST(any_byte_anywhere) {
    AUTO(fixture) struct fixture f;
    setup(&f);
    struct span line = SPAN(
        "{\"uuid\":\"1\",\"a\":[\"\\u0041\\\\\\\"\\/\",-12.5e3,true],\"type\":{\"b\":null},\"uuid\":\"2\"}");
    CHECK(check_line(&f, line));
    for (size_t at = 0; at < line.n; at++)
        for (int c = 0; c < 256; c++) {
            char text[128];
            memcpy(text, line.p, line.n);
            text[at] = (char)c;
            /* A line ends with its first '\n'. */
            struct span changed = span_of(text, c == '\n' ? at : line.n);
            (void)check_line_before(&f, changed, behinds[at % ARRAY_LEN(behinds)]);
        }
}

/* A member behind `levels` levels in all. */
static struct span nested(char out[LINE_BYTES], unsigned levels, bool objects) {
    int n = snprintf(out, LINE_BYTES, "{\"a\":");
    for (unsigned i = 1; i < levels; i++)
        n += snprintf(out + n, 8, "%s", objects ? "{\"a\":" : "[");
    n += snprintf(out + n, 8, "0");
    for (unsigned i = 1; i < levels; i++)
        out[n++] = objects ? '}' : ']';
    n += snprintf(out + n, 16, ",\"uuid\":1}");
    return span_of(out, (size_t)n);
}

TEST(of_more_than_64_levels_it_is_not_sure) {
    AUTO(fixture) struct fixture f;
    setup(&f);
    char text[LINE_BYTES];
    for (unsigned levels = 1; levels < 140; levels++)
        for (int objects = 0; objects < 2; objects++) {
            CHECK_INT(check_line(&f, nested(text, levels, objects)), levels <= 64);
            CHECK_SPAN(buf_span(&f.exact.values[0].text), "1");
        }
}

TEST(long_numbers) {
    AUTO(fixture) struct fixture f;
    setup(&f);
    char text[LINE_BYTES], digits[512];
    for (size_t n = 1; n < 200; n++) {
        memset(digits, '7', n);
        digits[n] = '\0';
        (void)snprintf(text, sizeof text, "{\"uuid\":%s,\"a\":1}", digits);
        CHECK(check_line(&f, span_str(text)));
        /* Of long ones with more than digits it need not be sure. */
        (void)snprintf(text, sizeof text, "{\"uuid\":-0.%se-%s,\"a\":1}", digits, digits);
        bool sure = check_line(&f, span_str(text));
        if (n < 20) CHECK(sure);
        CHECK_INT(f.exact.values[0].n, 2 * n + 5);
        (void)snprintf(text, sizeof text, "{\"uuid\":0%s}", digits);
        CHECK(!check_line(&f, span_str(text)));
        (void)snprintf(text, sizeof text, "{\"uuid\":%s.}", digits);
        CHECK(!check_line(&f, span_str(text)));
    }
}

TEST(keys_of_every_length) {
    AUTO(fixture) struct fixture f;
    setup(&f);
    char text[LINE_BYTES], key[256];
    for (size_t n = 0; n < 200; n++) {
        memset(key, 'k', n);
        key[n] = '\0';
        (void)snprintf(text, sizeof text, "{\"%s\":1,\"uuid\":2,\"%suuid\":3,\"uuid%s\":4}", key, key, key);
        CHECK(check_line(&f, span_str(text)));
        CHECK_SPAN(buf_span(&f.exact.values[0].text), n ? "2" : "4");
        /* An escape might spell a name; in a key that is too long for that it need not be seen. */
        (void)snprintf(text, sizeof text, "{\"%s\\u006b\":1,\"uuid\":2}", key);
        bool behind = check_line(&f, span_str(text));
        (void)snprintf(text, sizeof text, "{\"\\u006b%s\":1,\"uuid\":2}", key);
        bool before = check_line(&f, span_str(text));
        if (n + 6 <= 6 * JLINE_NAME_MAX) CHECK(!behind && !before);
    }
}

TEST(one_line_of_many) {
    AUTO(fixture) struct fixture f;
    setup(&f);
    static const char text[] = "{\"uuid\":1}\n\n{\"uuid\":}\n{\"type\":2}\n" /* and padding */
                               "                                                                ";
    for (enum jscan_engine e = JSCAN_SCALAR; e <= JSCAN_AVX2; e++) {
        if (!jscan_use(e)) continue;
        struct jline l;
        size_t n = sizeof text - 1 - JLINE_PADDING;
        CHECK(jline_scan(&f.names, text, n, &l));
        CHECK_INT(l.n, 10);
        CHECK_INT(l.at[0], 8);
        CHECK(!jline_scan(&f.names, text + 11, n - 11, &l));
        CHECK_INT(l.n, 0);
        CHECK(!jline_scan(&f.names, text + 12, n - 12, &l));
        CHECK_INT(l.n, 9);
        CHECK_INT(l.at[0], 0);
        CHECK(jline_scan(&f.names, text + 22, n - 22, &l));
        CHECK_INT(l.n, 10);
        CHECK(l.at[0] == 0 && l.at[2] == 8);
    }
}

TESTS(RUN(sure_of_ordinary_lines_only), RUN(wherever_the_borders_fall),
      RUN(long_lines_wherever_the_borders_fall), RUN(cut_anywhere_it_is_no_line), RUN(any_byte_anywhere),
      RUN(of_more_than_64_levels_it_is_not_sure), RUN(long_numbers), RUN(keys_of_every_length),
      RUN(one_line_of_many))
