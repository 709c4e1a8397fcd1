#include "spool/record.h"
#include "test.h"

TEST(lines_are_records_and_blank_lines_are_nothing) {
    struct span bytes = SPAN("\n{\"a\":1}\n\n{\"b\":2}\n\n{\"c\""), record;
    size_t used;
    CHECK_INT(record_next(bytes, &record, &used), 1);
    CHECK_SPAN(record, "{\"a\":1}");
    CHECK_INT(used, 9);
    bytes = span_skip(bytes, used);
    CHECK_INT(record_next(bytes, &record, &used), 1);
    CHECK_SPAN(record, "{\"b\":2}");
    bytes = span_skip(bytes, used);
    CHECK_INT(record_next(bytes, &record, &used), 0);
    CHECK_INT(used, 1); /* the blank line; what is behind it may still grow */
}

TEST(nothing_in_nothing) {
    struct span record = SPAN("untouched");
    size_t used = 7;
    CHECK_INT(record_next(SPAN_NONE, &record, &used), 0);
    CHECK_INT(used, 0);
    CHECK_SPAN(record, "untouched");
    CHECK_INT(record_next(SPAN("\n\n\n"), &record, &used), 0);
    CHECK_INT(used, 3);
}

TEST(a_torn_record_spoils_only_itself) {
    /* "{"a":1} and its newline" cut short by a full disk, then a whole record after it. */
    struct span bytes = SPAN("\n{\"a\"\n{\"b\":2}\n"), record;
    size_t used;
    CHECK_INT(record_next(bytes, &record, &used), 1);
    CHECK_SPAN(record, "{\"a\"");
    CHECK_INT(record_next(span_skip(bytes, used), &record, &used), 1);
    CHECK_SPAN(record, "{\"b\":2}");
}

TEST(pretty_printed_json_becomes_one_line) {
    char payload[] = "{\r\n  \"a\": \"x\\n\"\n}";
    record_flatten(payload, sizeof payload - 1);
    CHECK_STR(payload, "{    \"a\": \"x\\n\" }");
}

TEST(fingerprint_looks_at_the_head_only) {
    char a[SPOOL_FINGERPRINT_BYTES + 10], b[SPOOL_FINGERPRINT_BYTES + 10];
    memset(a, 'a', sizeof a);
    memcpy(b, a, sizeof a);
    b[SPOOL_FINGERPRINT_BYTES] = 'b';
    CHECK(record_fingerprint(span_of(a, sizeof a)) == record_fingerprint(span_of(b, sizeof b)));
    b[SPOOL_FINGERPRINT_BYTES - 1] = 'b';
    CHECK(record_fingerprint(span_of(a, sizeof a)) != record_fingerprint(span_of(b, sizeof b)));
    CHECK(record_fingerprint(span_of(a, 10)) != record_fingerprint(span_of(a, 11)));
}

TESTS(RUN(lines_are_records_and_blank_lines_are_nothing), RUN(nothing_in_nothing),
      RUN(a_torn_record_spoils_only_itself), RUN(pretty_printed_json_becomes_one_line),
      RUN(fingerprint_looks_at_the_head_only))
