#include "repair/ids.h"

#include "base/cleanup.h"
#include "test.h"

#include <errno.h>

#define UUID_TEXT "0123abcd-4567-4ef0-89ab-cdef01234567"

static void cleanup_ids(struct ids *ids) {
    ids_fini(ids);
}

static uint32_t intern(struct ids *ids, struct span raw) {
    uint32_t number = UINT32_MAX;
    CHECK_INT(ids_intern(ids, raw, false, &number), 0);
    return number;
}

#define ID(raw) intern(&ids, SPAN(raw))

TEST(the_same_string_in_other_spellings) {
    AUTO(ids) struct ids ids;
    ids_init(&ids, 1);
    uint32_t a = ID("\"a\"");
    CHECK_INT(ID("\"\\u0061\""), a);
    CHECK_INT(ID("\"\\u0061\""), a);
    CHECK(ID("\"A\"") != a && ID("\"a \"") != a && ID("\"aa\"") != a && ID("\"\\\\u0061\"") != a);
    CHECK_INT(ID("\"\\/\\n\""), ID("\"/\\u000A\""));
    CHECK_INT(ID("\"\\ud83d\\ude00\""), ID("\"\xF0\x9F\x98\x80\""));
    CHECK_INT(ID("\"\xFF\""), ID("\"\\ufffd\"")); /* as it is when the file is read as text */
    CHECK_INT(ID("\"\xFF\""), ID("\"\xC3\""));
    CHECK(ID("\"\\ud83d\"") != ID("\"\\ufffd\""));
    CHECK(ID("\"\\ud83d\"") != ID("\"\xED\xA0\xBD\""));
    CHECK(ID("\"a\\u0000\"") != a);
}

TEST(uuids_are_strings_like_others) {
    AUTO(ids) struct ids ids;
    ids_init(&ids, 2);
    uint32_t id = ID("\"" UUID_TEXT "\"");
    CHECK_INT(ids_at(&ids, id)->kind, ID_UUID);
    CHECK_INT(ID("\"" UUID_TEXT "\""), id);
    CHECK_INT(ID("\"\\u0030123abcd\\u002d4567-4ef0-89ab-cdef0123456\\u0037\""), id);
    static const char *const others[] = {
        "\"0123ABCD-4567-4ef0-89ab-cdef01234567\"",  "\"0123abcd-4567-4EF0-89ab-cdef01234567\"",
        "\"0123abcd-4567-4ef0-89ab-cdef01234568\"",  "\"0123abcd-4567-4ef0-89ab-cdef0123456\"",
        "\"0123abcd-4567-4ef0-89ab-cdef012345677\"", "\"0123abcd-4567-4ef0-89abacdef01234567\"",
        "\"{0123abcd-4567-4ef0-89ab-cdef0123456\"",  "\"0123abc`-4567-4ef0-89ab-cdef01234567\"",
        "\"0123abcg-4567-4ef0-89ab-cdef01234567\"",  "\"0123abc:-4567-4ef0-89ab-cdef01234567\"",
        "\"0123abc/-4567-4ef0-89ab-cdef01234567\"",  "\" 123abcd-4567-4ef0-89ab-cdef01234567\""};
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        uint32_t other = intern(&ids, span_str(others[i]));
        CHECK(other != id);
        for (size_t k = 0; k < i; k++)
            CHECK(intern(&ids, span_str(others[k])) != other);
    }
}

TEST(each_digit_of_a_uuid_counts) {
    AUTO(ids) struct ids ids;
    ids_init(&ids, 3);
    char text[] = "\"" UUID_TEXT "\"";
    uint32_t id = intern(&ids, span_str(text));
    for (size_t i = 1; i < sizeof text - 2; i++) {
        char was = text[i];
        if (was == '-') continue;
        for (const char *digit = "0123456789abcdef"; *digit; digit++) {
            text[i] = *digit;
            uint32_t other = intern(&ids, span_str(text));
            CHECK_INT(other == id, *digit == was);
            CHECK_INT(ids_at(&ids, other)->kind, ID_UUID);
            AUTO(buf) struct buf out = BUF_INIT(64);
            CHECK_INT(ids_write(&ids, other, &out), 0);
            CHECK_SPAN(buf_span(&out), text);
        }
        text[i] = was;
    }
}

TEST(numbers_by_what_they_are_worth) {
    AUTO(ids) struct ids ids;
    ids_init(&ids, 4);
    uint32_t one = ID("1");
    CHECK(ID("1.0") == one && ID("1e0") == one && ID("10E-1") == one && ID("0.1e+1") == one);
    CHECK(ID("\"1\"") != one && ID("-1") != one && ID("true") != one && ID("1.0000000000000002") != one);
    CHECK_INT(ID("9007199254740993"), ID("9007199254740992"));
    CHECK_INT(ID("1e400"), ID("123e4567"));
    CHECK(ID("-1e400") != ID("1e400") && ID("1e308") != ID("1e400"));
    CHECK_INT(ID("0.1"), ID("0.1000000000000000055511151231257827"));
    CHECK(ID("5e-324") != ID_FALSY && ID("5e-324") == ID("4e-324"));
}

TEST(what_javascript_takes_for_false) {
    AUTO(ids) struct ids ids;
    ids_init(&ids, 5);
    static const char *const falsy[] = {"null", "false", "\"\"",   "0",       "-0",        "0.0",
                                        "0e9",  "-0.0",  "1e-400", "-1e-400", "0.000e+99", ""};
    for (size_t i = 0; i < ARRAY_LEN(falsy); i++)
        CHECK_INT(intern(&ids, span_str(falsy[i])), ID_FALSY);
    static const char *const truthy[] = {"\"0\"", "\"false\"", "\" \"", "\"\\u0000\"",
                                         "{}",    "[]",        "true",  "-1"};
    for (size_t i = 0; i < ARRAY_LEN(truthy); i++)
        CHECK(intern(&ids, span_str(truthy[i])) != ID_FALSY);
    CHECK_INT(ID("true"), ID("true"));
    CHECK(ID("true") != ID("\"true\""));
}

TEST(objects_are_never_the_same) {
    AUTO(ids) struct ids ids;
    ids_init(&ids, 6);
    CHECK(ID("{}") != ID("{}") && ID("[]") != ID("[]") && ID("{\"a\":1}") != ID("{\"a\":1}"));
    CHECK(!ids_can_refer(&ids, ID("{}")) && !ids_can_refer(&ids, ID("[1]")));
    CHECK(ids_can_refer(&ids, ID("\"x\"")) && ids_can_refer(&ids, ID("7")) &&
          ids_can_refer(&ids, ID("true")));
    AUTO(buf) struct buf out = BUF_INIT(64);
    CHECK_INT(ids_write(&ids, ID("{}"), &out), -EINVAL);
}

TEST(what_was_cut_equals_nothing) {
    AUTO(ids) struct ids ids;
    ids_init(&ids, 7);
    uint32_t whole = ID("\"a\""), cut;
    CHECK_INT(ids_intern(&ids, SPAN("\"a"), true, &cut), 0);
    CHECK(cut != whole && cut != ID_FALSY && !ids_can_refer(&ids, cut));
    CHECK_INT(ID("\"a\""), whole);
}

/* A string of `n` bytes with its quotes; of the largest ones only the beginning is ever kept, so they equal nothing. */
static void check_large(size_t n, char fill, bool known) {
    AUTO(ids) struct ids ids;
    ids_init(&ids, 8);
    AUTO(free) char *raw = malloc(n);
    CHECK(raw != NULL);
    memset(raw, fill, n);
    raw[0] = raw[n - 1] = '"';
    uint32_t first = intern(&ids, span_of(raw, n)), second = intern(&ids, span_of(raw, n));
    CHECK_INT(first == second, known);
    CHECK_INT(ids_can_refer(&ids, first), known);
}

TEST(large_ids) {
    check_large(ID_VALUE_MAX, 'x', true);
    check_large(ID_VALUE_MAX, '\xFF', true); /* three times as much when read */
    check_large(ID_VALUE_MAX + 1, 'x', false);
    check_large((size_t)ID_VALUE_MAX * 5, '\xFF', false);
}

static const char *spell(char out[64], uint32_t i) {
    switch (i % 4) {
    case 0: (void)snprintf(out, 64, "%u", i + 1); break;
    case 1: (void)snprintf(out, 64, "\"%u\"", i); break;
    case 2: (void)snprintf(out, 64, "\"%08x-0000-4000-8000-%012x\"", i, i * 7); break;
    default: (void)snprintf(out, 64, "\"a long name that is no uuid %u\"", i); break;
    }
    return out;
}

TEST(many_thousands) {
    enum { MANY = 100000 };
    AUTO(ids) struct ids ids;
    ids_init(&ids, 9);
    AUTO(free) uint32_t *numbers = calloc(MANY, sizeof *numbers);
    CHECK(numbers != NULL);
    char text[64];
    for (uint32_t i = 0; i < MANY; i++) {
        numbers[i] = intern(&ids, span_str(spell(text, i)));
        CHECK_INT(numbers[i], ids.count); /* a new one */
        if (i % 1000 == 0) (void)ID("{}");
    }
    for (uint32_t i = 0; i < MANY; i++)
        CHECK_INT(intern(&ids, span_str(spell(text, i))), numbers[i]);
}

TEST(written_so_that_they_are_the_same) {
    AUTO(ids) struct ids ids;
    ids_init(&ids, 10);
    static const char *const values[][2] = {
        {"\"a\"", "\"a\""},
        {"\"\\u0061\\n\"", "\"a\\u000a\""},
        {"\"\\ud83d\"", "\"\\ud83d\""},
        {"\"\xFF\"", "\"\xEF\xBF\xBD\""},
        {"\"" UUID_TEXT "\"", "\"" UUID_TEXT "\""},
        {"\"0123ABCD-4567-4ef0-89ab-cdef01234567\"", "\"0123ABCD-4567-4ef0-89ab-cdef01234567\""},
        {"1.0", "1"},
        {"-2.50", "-2.5"},
        {"0.1", "0.1"},
        {"1e400", "1e999"},
        {"-1e400", "-1e999"},
        {"12345678901234567890", "1.2345678901234567e+19"},
        {"true", "true"},
        {"5e-324", NULL},
        {"1.7976931348623157e308", NULL},
        {"0.30000000000000004", NULL},
        {"2.2250738585072011e-308", NULL},
        {"9007199254740993", NULL},
    };
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        AUTO(buf) struct buf out = BUF_INIT(256);
        uint32_t id = intern(&ids, span_str(values[i][0]));
        CHECK_INT(ids_write(&ids, id, &out), 0);
        if (values[i][1]) CHECK_SPAN(buf_span(&out), values[i][1]);
        CHECK_INT(intern(&ids, buf_span(&out)), id);
    }
    AUTO(buf) struct buf out = BUF_INIT(64);
    CHECK_INT(ids_write(&ids, ID_FALSY, &out), 0);
    CHECK_SPAN(buf_span(&out), "null");
}

TESTS(RUN(the_same_string_in_other_spellings), RUN(uuids_are_strings_like_others),
      RUN(each_digit_of_a_uuid_counts), RUN(numbers_by_what_they_are_worth),
      RUN(what_javascript_takes_for_false), RUN(objects_are_never_the_same), RUN(what_was_cut_equals_nothing),
      RUN(large_ids), RUN(many_thousands), RUN(written_so_that_they_are_the_same))
