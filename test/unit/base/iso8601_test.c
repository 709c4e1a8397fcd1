#include "base/iso8601.h"
#include "test.h"

#include <time.h>

static int64_t parsed(const char *text) {
    int64_t ms = -1;
    if (!iso8601_parse(span_str(text), &ms)) fail_msg("\"%s\" is refused", text);
    return ms;
}

static void refused(const char *text) {
    int64_t ms = 42;
    if (iso8601_parse(span_str(text), &ms)) fail_msg("\"%s\" is taken for %" PRId64, text, ms);
    CHECK_INT(ms, 42);
}

TEST(the_usual_spelling) {
    CHECK_INT(parsed("1970-01-01T00:00:00.000Z"), 0);
    CHECK_INT(parsed("2026-02-03T04:05:06.789Z"), 1770091506789);
    CHECK_INT(parsed("1969-12-31T23:59:59.999Z"), -1);
}

TEST(shorter_and_longer_ones) {
    CHECK_INT(parsed("2026-02-03"), 1770076800000);
    CHECK_INT(parsed("2026-02-03T04:05Z"), 1770091500000);
    CHECK_INT(parsed("2026-02-03T04:05:06Z"), 1770091506000);
    CHECK_INT(parsed("2026-02-03T04:05:06.7Z"), 1770091506700);
    CHECK_INT(parsed("2026-02-03T04:05:06.789999999Z"), 1770091506789);
    CHECK_INT(parsed("2026-02-03 04:05:06,789z"), 1770091506789);
    CHECK_INT(parsed("2026-02-03T04:05:06.789"), 1770091506789);
}

TEST(zones) {
    CHECK_INT(parsed("2026-02-03T06:05:06.789+02:00"), 1770091506789);
    CHECK_INT(parsed("2026-02-02T22:35:06.789-0530"), 1770091506789);
    CHECK_INT(parsed("2026-02-03T05:05:06.789+01"), 1770091506789);
}

TEST(every_day_is_as_the_library_has_it) {
    for (int64_t day = -719162; day < 2932896; day += 37) { /* years 1 to 9999 */
        time_t seconds = (time_t)(day * 86400 + 12345);
        struct tm tm;
        char text[64];
        CHECK(gmtime_r(&seconds, &tm) != NULL);
        (void)snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02dZ", tm.tm_year + 1900, tm.tm_mon + 1,
                       tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
        CHECK_INT(parsed(text), (int64_t)seconds * 1000);
    }
}

TEST(what_is_no_time_is_refused) {
    static const char *const wrong[] = {
        "",
        "yesterday",
        "2026",
        "2026-02",
        "2026-2-3",
        "2026-13-01",
        "2026-00-01",
        "2026-02-00",
        "2026-02-29",
        "1900-02-29",
        "2026-04-31T00:00:00Z",
        "2026-02-03T",
        "2026-02-03T04",
        "2026-02-03T24:00:00Z",
        "2026-02-03T04:60:00Z",
        "2026-02-03T04:05:60Z",
        "2026-02-03T04:05:06.Z",
        "2026-02-03T04:05:06.789Zulu",
        "2026-02-03T04:05:06.789+",
        "2026-02-03T04:05:06.789+1",
        "2026-02-03T04:05:06.789+01:6",
        "2026-02-03T04:05:06.789+01:60",
        "2026-02-03T04:05:06.789+25:00",
        "2026-02-03Z",
        " 2026-02-03",
        "20260203T040506Z",
        "1770091506789",
        "+002026-02-03T04:05:06Z",
    };
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
        refused(wrong[i]);
    CHECK(!iso8601_parse(SPAN("2026-02-03\0"), &(int64_t){0}));
}

TEST(leap_years) {
    CHECK_INT(parsed("2024-02-29"), 1709164800000);
    CHECK_INT(parsed("2000-02-29"), 951782400000);
}

TESTS(RUN(the_usual_spelling), RUN(shorter_and_longer_ones), RUN(zones),
      RUN(every_day_is_as_the_library_has_it), RUN(what_is_no_time_is_refused), RUN(leap_years))
