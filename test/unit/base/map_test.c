#include "base/map.h"
#include "test.h"

TEST(finds_what_was_put) {
    struct map m = MAP_INIT;
    int a, b;
    CHECK(map_get(&m, SPAN("a")) == NULL);
    CHECK(map_put(&m, SPAN("a"), &a) == NULL);
    CHECK(map_put(&m, SPAN("b"), &b) == NULL);
    CHECK(map_get(&m, SPAN("a")) == &a);
    CHECK(map_put(&m, SPAN("a"), &b) == &a);
    CHECK(map_get(&m, SPAN("a")) == &b);
    CHECK_INT(m.count, 2);
    map_fini(&m);
}

TEST(forgets_what_was_removed) {
    struct map m = MAP_INIT;
    int v;
    map_put(&m, SPAN("x"), &v);
    CHECK(map_remove(&m, SPAN("x")) == &v);
    CHECK(map_remove(&m, SPAN("x")) == NULL);
    CHECK(map_get(&m, SPAN("x")) == NULL);
    CHECK_INT(m.count, 0);
    map_fini(&m);
}

TEST(survives_many_keys_and_holes) {
    struct map m = MAP_INIT;
    static int values[5000];
    char key[16];
    for (int i = 0; i < 5000; i++) {
        (void)snprintf(key, sizeof key, "k%d", i);
        map_put(&m, span_str(key), &values[i]);
        if (i % 3 == 0) {
            (void)snprintf(key, sizeof key, "k%d", i / 2);
            map_remove(&m, span_str(key));
        }
    }
    size_t seen = 0;
    MAP_FOR_EACH(slot, &m) {
        seen++;
        CHECK(map_get(&m, span_of(slot->key, slot->key_len)) == slot->value);
    }
    CHECK_INT(seen, m.count);
    CHECK(map_get(&m, SPAN("k4999")) == &values[4999]);
    CHECK(map_get(&m, SPAN("k0")) == NULL);
    map_fini(&m);
}

TEST(keys_may_hold_any_byte) {
    struct map m = MAP_INIT;
    int a, b;
    map_put(&m, span_of("a\0b", 3), &a);
    map_put(&m, span_of("a\0c", 3), &b);
    CHECK(map_get(&m, span_of("a\0b", 3)) == &a);
    CHECK(map_get(&m, SPAN("a")) == NULL);
    map_fini(&m);
}

TESTS(RUN(finds_what_was_put), RUN(forgets_what_was_removed), RUN(survives_many_keys_and_holes),
      RUN(keys_may_hold_any_byte))
