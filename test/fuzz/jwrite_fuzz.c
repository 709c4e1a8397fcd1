/* Any bytes as a string and as a number: what jwrite makes of them reads back, valid text as itself. */
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/utf8.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EXPECT(condition)          \
    do {                           \
        if (!(condition)) abort(); \
    } while (0)

static void check_string(struct span text) {
    AUTO(buf) struct buf out = BUF_INIT(6 * text.n + 16);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_str(&w, text);
    EXPECT(!out.failed && jvalid(buf_span(&out), 1) == 0);

    json_t *json = json_loadb(out.p, out.n, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);
    EXPECT(json_is_string(json));
    struct span back = span_of(json_string_value(json), json_string_length(json)), ours;
    AUTO(arena) struct arena arena = ARENA_INIT(out.n);
    EXPECT(jscan_string(buf_span(&out), &arena, &ours) == 0 && span_eq(ours, back));
    EXPECT(utf8_valid(back));
    EXPECT(span_eq(back, text) == utf8_valid(text));
    json_decref(json);
}

static void check_key(struct span text) {
    AUTO(buf) struct buf out = BUF_INIT(6 * text.n + 64);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_object(&w);
    jwrite_kbool(&w, "first", false);
    jwrite_key_span(&w, text);
    jwrite_bool(&w, true);
    jwrite_object_end(&w);
    EXPECT(!out.failed && jvalid(buf_span(&out), 1) == 0);

    struct jmember member = {.name = text};
    int found = jscan_object(buf_span(&out), &member, 1);
    if (text.n > JSCAN_NAME_MAX || !utf8_valid(text))
        EXPECT(found >= 0);
    else
        EXPECT(found == 1 && span_eq(member.value, SPAN("true")));
}

static void check_numbers(const uint8_t bytes[8]) {
    AUTO(buf) struct buf out = BUF_INIT(64);
    struct jwrite w = JWRITE_INIT(&out);
    int64_t integer, integer_back = 0;
    memcpy(&integer, bytes, sizeof integer);
    jwrite_i64(&w, integer);
    EXPECT(jscan_i64(buf_span(&out), &integer_back) && integer_back == integer);

    buf_clear(&out);
    w = JWRITE_INIT(&out);
    double real, real_back = 0;
    memcpy(&real, bytes, sizeof real);
    jwrite_double(&w, real);
    EXPECT(jvalid(buf_span(&out), 1) == 0);
    EXPECT(jscan_double(buf_span(&out), &real_back) == (bool)isfinite(real));
    if (isfinite(real)) EXPECT(memcmp(&real, &real_back, sizeof real) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = span_of((const char *)data, size);
    check_string(text);
    check_key(text);
    if (size >= 8) check_numbers(data);
    return 0;
}
