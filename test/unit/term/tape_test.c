#include "base/buf.h"
#include "base/cleanup.h"
#include "term/tape.h"
#include "test.h"

#include <errno.h>

static void put_all(struct buf *out) {
    CHECK_INT(tape_begin(out, (struct tape_place){77, 1000}), 0);
    CHECK_INT(
        tape_put(out, &(struct tape_record){.kind = TAPE_OUTPUT, .offset = 1000, .bytes = SPAN("hello")}), 0);
    CHECK_INT(
        tape_put(out, &(struct tape_record){.kind = TAPE_RESIZED, .offset = 1005, .cols = 132, .rows = 50}),
        0);
    CHECK_INT(tape_put(out, &(struct tape_record){.kind = TAPE_GAP, .offset = 1005, .to = 5000}), 0);
    CHECK_INT(tape_put(out, &(struct tape_record){.kind = TAPE_OUTPUT, .offset = 5000, .bytes = SPAN("x")}),
              0);
    CHECK_INT(tape_put(out,
                       &(struct tape_record){
                           .kind = TAPE_EXITED, .offset = 5001, .code = -1, .signal = 15, .at_ms = 1 << 30}),
              0);
}

TEST(records_come_back) {
    AUTO(buf) struct buf file = BUF_INIT(1 << 16);
    put_all(&file);
    struct tape_reader r;
    struct tape_record record;
    CHECK_INT(tape_open(&r, buf_span(&file)), 0);
    CHECK_INT(r.place.epoch, 77);
    CHECK(tape_next(&r, &record));
    CHECK_SPAN(record.bytes, "hello");
    CHECK_INT(r.place.offset, 1005);
    CHECK(tape_next(&r, &record));
    CHECK_INT(record.kind, TAPE_RESIZED);
    CHECK_INT(record.cols, 132);
    CHECK_INT(record.rows, 50);
    CHECK(tape_next(&r, &record));
    CHECK_INT(record.to, 5000);
    CHECK_INT(r.place.offset, 5000);
    CHECK(tape_next(&r, &record));
    CHECK_SPAN(record.bytes, "x");
    CHECK(tape_next(&r, &record));
    CHECK_INT(record.kind, TAPE_EXITED);
    CHECK_INT(record.code, -1);
    CHECK_INT(record.signal, 15);
    CHECK_INT(record.at_ms, 1 << 30);
    CHECK(!tape_next(&r, &record));
    CHECK(!r.torn);
    CHECK_INT(r.whole, file.n);
}

TEST(long_output_becomes_several_records) {
    AUTO(buf) struct buf file = BUF_INIT(4 << 20), bytes = BUF_INIT(4 << 20);
    for (size_t i = 0; i < 2 * TAPE_OUTPUT_BYTES_MAX + 10; i++)
        (void)buf_append_char(&bytes, (char)i);
    CHECK_INT(tape_begin(&file, (struct tape_place){1, 0}), 0);
    CHECK_INT(tape_put(&file, &(struct tape_record){.kind = TAPE_OUTPUT, .bytes = buf_span(&bytes)}), 0);
    struct tape_reader r;
    struct tape_record record;
    CHECK_INT(tape_open(&r, buf_span(&file)), 0);
    size_t n = 0, records = 0;
    for (; tape_next(&r, &record); n += record.bytes.n, records++)
        CHECK(memcmp(record.bytes.p, bytes.p + n, record.bytes.n) == 0);
    CHECK_INT(n, bytes.n);
    CHECK_INT(records, 3);
}

/* Everything before the damage, nothing behind it. */
TEST(damage_ends_it) {
    AUTO(buf) struct buf file = BUF_INIT(1 << 16);
    put_all(&file);
    struct tape_reader r;
    struct tape_record record;
    for (size_t i = 0; i < file.n; i++) {
        for (int bit = 0; bit < 8; bit++) {
            file.p[i] = (char)(file.p[i] ^ (1 << bit));
            int e = tape_open(&r, buf_span(&file));
            CHECK_INT(e, i < TAPE_HEAD_BYTES ? -EBADMSG : 0);
            while (e == 0 && tape_next(&r, &record))
                ;
            if (e == 0) CHECK(r.torn && r.whole <= i);
            file.p[i] = (char)(file.p[i] ^ (1 << bit));
        }
        int e = tape_open(&r, span_take(buf_span(&file), i));
        while (e == 0 && tape_next(&r, &record))
            ;
        CHECK(e < 0 || r.whole <= i);
    }
}

TEST(screens_are_whole_or_none) {
    AUTO(buf) struct buf file = BUF_INIT(1 << 16);
    struct tape_place place;
    struct span packed;
    CHECK_INT(tape_put_screen(&file, (struct tape_place){5, 6}, SPAN("a screen")), 0);
    CHECK_INT(tape_get_screen(buf_span(&file), &place, &packed), 0);
    CHECK_INT(place.epoch, 5);
    CHECK_INT(place.offset, 6);
    CHECK_SPAN(packed, "a screen");
    struct tape_reader r;
    CHECK_INT(tape_open(&r, buf_span(&file)), -EBADMSG);
    for (size_t i = 0; i < file.n; i++) {
        CHECK_INT(tape_get_screen(span_take(buf_span(&file), i), &place, &packed), -EBADMSG);
        file.p[i] = (char)(file.p[i] ^ 4);
        CHECK_INT(tape_get_screen(buf_span(&file), &place, &packed), -EBADMSG);
        file.p[i] = (char)(file.p[i] ^ 4);
    }
}

TESTS(RUN(records_come_back), RUN(long_output_becomes_several_records), RUN(damage_ends_it),
      RUN(screens_are_whole_or_none))
