#include "base/qr.h"

#include "qr_known.h"
#include "test.h"

#include <errno.h>

static bool bit_of(const char *hex, int i) {
    char c = hex[i / 4];
    int digit = c <= '9' ? c - '0' : c - 'a' + 10;
    return digit >> (3 - i % 4) & 1;
}

TEST(every_version_is_drawn_as_others_draw_it) {
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        struct qr q;
        CHECK_INT(qr_make_masked(span_str(known[i].text), known[i].mask, &q), 0);
        CHECK_INT(q.size, 17 + 4 * known[i].version);
        for (int r = 0; r < q.size; r++)
            for (int c = 0; c < q.size; c++)
                if (q.dark[r][c] != bit_of(known[i].modules, r * q.size + c))
                    fail_msg("version %d differs in row %d, column %d", known[i].version, r, c);
    }
}

TEST(the_chosen_mask_is_one_of_the_eight) {
    struct qr chosen, same;
    CHECK_INT(qr_make(SPAN("https://barn.local:3333/#pair=abc"), &chosen), 0);
    CHECK_INT(qr_make_masked(SPAN("https://barn.local:3333/#pair=abc"), chosen.mask, &same), 0);
    CHECK(memcmp(&chosen, &same, sizeof same) == 0);
}

TEST(too_long_is_too_long) {
    static char text[QR_TEXT_MAX + 1];
    struct qr q;
    memset(text, 'a', sizeof text);
    CHECK_INT(qr_make(span_of(text, QR_TEXT_MAX), &q), 0);
    CHECK_INT(q.size, QR_SIZE_MAX);
    CHECK_INT(qr_make(span_of(text, QR_TEXT_MAX + 1), &q), -EMSGSIZE);
    CHECK_INT(qr_make(SPAN_NONE, &q), 0);
}

TESTS(RUN(every_version_is_drawn_as_others_draw_it), RUN(the_chosen_mask_is_one_of_the_eight),
      RUN(too_long_is_too_long))
