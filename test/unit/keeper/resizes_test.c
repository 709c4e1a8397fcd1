#include "keeper/resizes.h"
#include "test.h"

static struct frame_size size(uint64_t offset, unsigned cols, unsigned rows) {
    return (struct frame_size){.offset = offset, .cols = (uint16_t)cols, .rows = (uint16_t)rows};
}

static struct resizes begin(void) {
    struct resizes r;
    struct frame_size first = size(0, 80, 24);
    resizes_init(&r, &first);
    return r;
}

static bool add(struct resizes *r, uint64_t offset, unsigned cols) {
    struct frame_size s = size(offset, cols, 24);
    return resizes_add(r, &s);
}

TEST(tells_them_in_order) {
    struct resizes r = begin();
    CHECK(add(&r, 10, 100));
    CHECK(add(&r, 20, 90));
    CHECK_INT(resizes_now(&r)->cols, 90);
    uint32_t serial = 0;
    static const unsigned cols[] = {80, 100, 90}, offsets[] = {0, 10, 20};
    for (size_t i = 0; i < 3; i++) {
        const struct resize *next = resizes_after(&r, serial);
        CHECK(next != NULL);
        CHECK_INT(next->size.cols, cols[i]);
        CHECK_INT(next->size.offset, offsets[i]);
        serial = next->serial;
    }
    CHECK(resizes_after(&r, serial) == NULL);
}

TEST(the_same_size_is_no_change) {
    struct resizes r = begin();
    CHECK(!add(&r, 5, 80));
    CHECK_INT(r.count, 1);
    struct frame_size pixels = size(5, 80, 24);
    pixels.xpixel = 8;
    CHECK(resizes_add(&r, &pixels));
}

TEST(knows_which_one_held_where) {
    struct resizes r = begin();
    add(&r, 10, 100);
    add(&r, 10, 110);
    add(&r, 20, 90);
    static const struct {
        uint64_t offset;
        unsigned cols;
    } cases[] = {{0, 80}, {9, 80}, {10, 110}, {19, 110}, {20, 90}, {UINT64_MAX, 90}};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        CHECK_INT(resizes_after(&r, resizes_at(&r, cases[i].offset) - 1)->size.cols, cases[i].cols);
}

TEST(ten_thousand_without_a_byte_between_leave_the_others_alone) {
    struct resizes r = begin();
    add(&r, 10, 100);
    for (unsigned i = 0; i < 10000; i++)
        add(&r, 20, 50 + i % 7);
    CHECK(add(&r, 30, 44));
    CHECK(r.count <= RESIZES_MAX);
    CHECK_INT(r.entries[0].size.cols, 80);
    CHECK_INT(r.entries[0].size.offset, 0);
    CHECK_INT(r.entries[1].size.cols, 100);
    CHECK_INT(resizes_now(&r)->cols, 44);
    CHECK_INT(resizes_after(&r, resizes_at(&r, 29) - 1)->size.cols, 50 + 9999 % 7);
}

TEST(when_full_the_oldest_become_one) {
    struct resizes r = begin();
    for (unsigned i = 1; i < 5000; i++)
        CHECK(add(&r, i, 10 + i));
    CHECK_INT(r.count, RESIZES_MAX);
    CHECK_INT(r.entries[0].size.offset, 0); /* there is a size for every byte */
    CHECK_INT(resizes_now(&r)->cols, 10 + 4999);
    for (unsigned i = 1; i < r.count; i++) {
        CHECK(r.entries[i].size.offset > r.entries[i - 1].size.offset);
        CHECK(r.entries[i].serial > r.entries[i - 1].serial);
    }
    /* One who was told an early one goes on with the first that is left. */
    CHECK(resizes_after(&r, 3) == &r.entries[0]);
}

TESTS(RUN(tells_them_in_order), RUN(the_same_size_is_no_change), RUN(knows_which_one_held_where),
      RUN(ten_thousand_without_a_byte_between_leave_the_others_alone), RUN(when_full_the_oldest_become_one))
