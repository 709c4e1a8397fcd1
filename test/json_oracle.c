#include "json_oracle.h"

#include "base/cleanup.h"
#include "base/jscan.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MEMBERS_MAX = 32, /* of one object that are looked up */
    LEVELS_MAX = 24,  /* each level is scanned again, so this bounds the work */
    JANSSON_DEPTH = 2048,
};

#define EXPECT(condition, doc)                                 \
    do {                                                       \
        if (!(condition)) disagree(#condition, __LINE__, doc); \
    } while (0)

static NORETURN void disagree(const char *what, int line, struct span text) {
    (void)fprintf(stderr, "json_oracle.c:%d: not so: %s, engine %d, text:\n%.*s\n", line, what,
                  (int)jscan_engine(), SPAN_ARG(text));
    abort();
}

static void cleanup_json(json_t **json) {
    json_decref(*json);
}

static void compare(struct span raw, const json_t *json, int levels);

/* Step by step: every member's key is known, and for each name the last value is the one that jscan_object() found. */
static void compare_members(struct span raw, const json_t *json) {
    AUTO(arena) struct arena arena = ARENA_INIT(raw.n);
    struct span rest = raw, key, value;
    size_t members = 0;
    int r;
    for (; (r = jscan_member_next(&rest, &key, &value)) > 0; members++) {
        struct jmember member = {0};
        EXPECT(jscan_string(key, &arena, &member.name) == 0, raw);
        EXPECT(json_object_getn(json, member.name.p, member.name.n), raw);
        if (members >= MEMBERS_MAX || member.name.n > JSCAN_NAME_MAX) continue;
        EXPECT(jscan_object(raw, &member, 1) == 1 && member.value.p >= value.p, raw);
    }
    EXPECT(r == 0 && members >= json_object_size(json), raw);
}

static void compare_object(struct span raw, const json_t *json, int levels) {
    struct jmember wanted[MEMBERS_MAX + 1];
    size_t count = 0;
    for (void *it = json_object_iter((json_t *)json); it && count < MEMBERS_MAX;
         it = json_object_iter_next((json_t *)json, it)) {
        struct span name = span_str(json_object_iter_key(it));
        if (name.n <= JSCAN_NAME_MAX) wanted[count++].name = name;
    }
    wanted[count].name = SPAN("no such member in any document");

    EXPECT(jscan_object(raw, wanted, count + 1) == (int)count, raw);
    EXPECT(wanted[count].value.n == 0, raw);
    compare_members(raw, json);
    for (size_t i = 0; i < count; i++)
        compare(wanted[i].value, json_object_get(json, wanted[i].name.p), levels - 1);
}

static void compare_array(struct span raw, const json_t *json, int levels) {
    struct span rest = raw, element;
    for (size_t i = 0; i < json_array_size(json); i++) {
        EXPECT(jscan_array_next(&rest, &element) == 1, raw);
        compare(element, json_array_get(json, i), levels - 1);
    }
    EXPECT(jscan_array_next(&rest, &element) == 0, raw);
}

static void compare_string(struct span raw, const json_t *json) {
    AUTO(arena) struct arena arena = ARENA_INIT(raw.n);
    struct span text;
    EXPECT(jscan_string(raw, &arena, &text) == 0, raw);
    EXPECT(span_eq(text, span_of(json_string_value(json), json_string_length(json))), raw);
}

/* The raw text `raw` means what jansson read. */
static void compare(struct span raw, const json_t *json, int levels) {
    static const enum jkind kinds[] = {
        [JSON_OBJECT] = JKIND_OBJECT,  [JSON_ARRAY] = JKIND_ARRAY, [JSON_STRING] = JKIND_STRING,
        [JSON_INTEGER] = JKIND_NUMBER, [JSON_REAL] = JKIND_NUMBER, [JSON_TRUE] = JKIND_BOOL,
        [JSON_FALSE] = JKIND_BOOL,     [JSON_NULL] = JKIND_NULL,
    };
    int64_t integer;
    double real;
    bool yes;
    EXPECT(jscan_kind(raw) == kinds[json_typeof(json)], raw);
    if (levels == 0) return;
    switch (json_typeof(json)) {
    case JSON_OBJECT: compare_object(raw, json, levels); break;
    case JSON_ARRAY: compare_array(raw, json, levels); break;
    case JSON_STRING: compare_string(raw, json); break;
    case JSON_INTEGER: EXPECT(jscan_i64(raw, &integer) && integer == json_integer_value(json), raw); break;
    case JSON_REAL:
        EXPECT(!jscan_i64(raw, &integer), raw);
        if (raw.n > JSCAN_NUMBER_MAX) break;
        EXPECT(jscan_double(raw, &real) && real == json_real_value(json), raw);
        break;
    case JSON_TRUE:
    case JSON_FALSE: EXPECT(jscan_bool(raw, &yes) && yes == json_is_true(json), raw); break;
    case JSON_NULL: EXPECT(span_eq(raw, SPAN("null")), raw); break;
    }
}

/* What one engine makes of a document that may be anything. */
struct outcome {
    int found;
    struct jmember wanted[4];
    int elements, end; /* steps through it as an array */
    struct span last;
    int members, members_end; /* and as an object */
    struct span last_key, last_value;
};

static struct outcome scan(struct span doc) {
    struct outcome o = {.wanted = {JMEMBER("a"), JMEMBER("b"), JMEMBER("type"), JMEMBER("")}};
    o.found = jscan_object(doc, o.wanted, ARRAY_LEN(o.wanted));
    struct span rest = doc;
    while ((o.end = jscan_array_next(&rest, &o.last)) > 0)
        o.elements++;
    rest = doc;
    while ((o.members_end = jscan_member_next(&rest, &o.last_key, &o.last_value)) > 0)
        o.members++;
    return o;
}

static bool same_place(struct span a, struct span b) {
    return a.p == b.p && a.n == b.n;
}

static bool same(const struct outcome *a, const struct outcome *b) {
    bool equal = a->found == b->found && a->elements == b->elements && a->end == b->end &&
                 a->members == b->members && a->members_end == b->members_end;
    equal = equal && same_place(a->last, b->last) && same_place(a->last_key, b->last_key) &&
            same_place(a->last_value, b->last_value);
    for (size_t i = 0; i < ARRAY_LEN(a->wanted); i++)
        equal = equal && same_place(a->wanted[i].value, b->wanted[i].value);
    return equal;
}

/* jansson refuses these for its own reasons, not because of the grammar. */
static bool is_own_limit(const json_error_t *error) {
    enum json_error_code code = json_error_code(error);
    return code == json_error_numeric_overflow || code == json_error_null_byte_in_key ||
           code == json_error_stack_overflow;
}

static struct span trim(struct span s) {
    while (s.n && strchr(" \t\r\n", s.p[s.n - 1]) && s.p[s.n - 1])
        s.n--;
    while (s.n && strchr(" \t\r\n", s.p[0]) && s.p[0])
        s = span_skip(s, 1);
    return s;
}

/* jansson loses a NUL that follows a number ("[0\0]" passes), so documents with one are not shown to it. */
static json_t *load(struct span doc, bool *ret_comparable) {
    json_error_t error;
    *ret_comparable = true;
    if (doc.n == 0 || memchr(doc.p, '\0', doc.n)) return NULL;
    json_t *json = json_loadb(doc.p, doc.n, JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
    *ret_comparable = json || !is_own_limit(&error);
    return json;
}

void json_oracle(struct span doc) {
    bool comparable;
    AUTO(json) json_t *json = load(doc, &comparable);
    if (comparable) EXPECT((jvalid(doc, JANSSON_DEPTH) == 0) == (json != NULL), doc);

    static const enum jscan_engine engines[] = {JSCAN_SCALAR, JSCAN_SSE2, JSCAN_AVX2};
    struct outcome first;
    for (size_t i = 0; i < ARRAY_LEN(engines); i++) {
        if (!jscan_use(engines[i])) continue;
        struct outcome o = scan(doc);
        if (i == 0) first = o;
        EXPECT(same(&first, &o), doc);
        if (json) compare(trim(doc), json, LEVELS_MAX);
    }
}
