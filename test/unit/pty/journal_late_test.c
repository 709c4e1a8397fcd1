#include "base/cleanup.h"
#include "pty/journal_late.h"
#include "term/redact_screen.h"
#include "term/tape.h"
#include "test.h"

#include <errno.h>

enum { BEGIN = 1000, UNKNOWN_KIND = 9 };

static void put_output(struct buf *file, uint64_t offset, struct span bytes) {
    CHECK_INT(tape_put(file, &(struct tape_record){.kind = TAPE_OUTPUT, .offset = offset, .bytes = bytes}),
              0);
}

/* "a", half of "é", a resize, the other half and "b". */
static void make_segment(struct buf *file) {
    CHECK_INT(tape_begin(file, (struct tape_place){7, BEGIN}), 0);
    put_output(file, BEGIN, SPAN("a\xC3"));
    CHECK_INT(tape_put(file, &(struct tape_record){.kind = TAPE_RESIZED, .offset = BEGIN + 2, .cols = 80}),
              0);
    put_output(file, BEGIN + 2,
               SPAN("\xA9"
                    "b"));
}

static void add(struct buf *late, uint64_t offset, const char *before, const char *after) {
    struct redact_late l = {.offset = offset, .n = (uint8_t)strlen(before)};
    memcpy(l.before, before, l.n);
    memcpy(l.after, after, l.n);
    (void)buf_append(late, &l, sizeof l);
}

/* What the segment's records say, without the resizes. */
static void check_output(const struct buf *file, const char *expected) {
    AUTO(buf) struct buf output = BUF_INIT(1 << 12);
    struct tape_reader r;
    struct tape_record record;
    CHECK_INT(tape_open(&r, buf_span(file)), 0);
    while (tape_next(&r, &record))
        if (record.kind == TAPE_OUTPUT) (void)buf_append_span(&output, record.bytes);
    CHECK(!r.torn);
    CHECK_STR(output.p, expected);
}

TEST(a_character_that_lies_in_two_records_is_masked) {
    AUTO(buf) struct buf file = BUF_INIT(1 << 12);
    AUTO(buf) struct buf late = BUF_INIT(1 << 12);
    make_segment(&file);
    add(&late, BEGIN + 3, "b", "*");
    add(&late, BEGIN + 1, "\xC3\xA9", "\xC2\xB7");
    CHECK_INT(journal_late_mask(&file, &late), 2);
    check_output(&file, "a\xC2\xB7*");
    CHECK_INT(journal_late_mask(&file, &late), 0); /* they are not there any more */
    check_output(&file, "a\xC2\xB7*");
}

TEST(only_what_was_seen_is_masked) {
    AUTO(buf) struct buf file = BUF_INIT(1 << 12);
    AUTO(buf) struct buf late = BUF_INIT(1 << 12);
    make_segment(&file);
    add(&late, BEGIN, "x", "*");
    add(&late, BEGIN - 1, "a", "*");
    add(&late, BEGIN + 3, "bc", "**"); /* ends behind the segment */
    add(&late, 1ULL << 60, "a", "*");
    CHECK_INT(journal_late_mask(&file, &late), 0);
    check_output(&file, "a\xC3\xA9"
                        "b");
}

/* A newer version may write what this one does not know. */
TEST(records_of_other_kinds_stay) {
    AUTO(buf) struct buf file = BUF_INIT(1 << 12);
    AUTO(buf) struct buf late = BUF_INIT(1 << 12);
    make_segment(&file);
    size_t at = file.n + TAPE_RECORD_BYTES, size_bytes = 4;
    CHECK_INT(tape_put(&file, &(struct tape_record){.kind = TAPE_RESIZED, .offset = BEGIN + 4}), 0);
    CHECK_INT(file.n, at + size_bytes);
    file.p[at - TAPE_RECORD_BYTES + sizeof(uint32_t)] = UNKNOWN_KIND;
    tape_seal(file.p + at);
    put_output(&file, BEGIN + 4, SPAN("c"));
    size_t before = file.n;
    add(&late, BEGIN + 4, "c", "*");
    CHECK_INT(journal_late_mask(&file, &late), 1);
    CHECK_INT(file.n, before);
    check_output(&file, "a\xC3\xA9"
                        "b*");
}

TEST(what_follows_damage_is_cut_off) {
    AUTO(buf) struct buf file = BUF_INIT(1 << 12);
    AUTO(buf) struct buf late = BUF_INIT(1 << 12);
    make_segment(&file);
    size_t whole = file.n;
    put_output(&file, BEGIN + 4, SPAN("c"));
    file.n--;
    add(&late, BEGIN, "a", "*");
    CHECK_INT(journal_late_mask(&file, &late), 1);
    CHECK_INT(file.n, whole);
    check_output(&file, "*\xC3\xA9"
                        "b");
    file.p[0] ^= 1;
    CHECK_INT(journal_late_mask(&file, &late), -EBADMSG);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        RUN(a_character_that_lies_in_two_records_is_masked),
        RUN(only_what_was_seen_is_masked),
        RUN(records_of_other_kinds_stay),
        RUN(what_follows_damage_is_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
