#include "keeper/input.h"
#include "test.h"

static struct input in;
static char text[INPUT_BYTES];

static struct input *begin(void) {
    input_clear(&in);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * 31 + i / 256);
    return &in;
}

TEST(gives_out_what_was_put_in) {
    begin();
    input_put(&in, SPAN("hello "));
    input_put(&in, SPAN("world"));
    CHECK_SPAN(input_next(&in), "hello world");
    input_written(&in, 3);
    CHECK_SPAN(input_next(&in), "lo world");
    CHECK_INT(input_waiting(&in), 8);
    input_written(&in, 8);
    CHECK_INT(input_next(&in).n, 0);
    CHECK_INT(in.end, 0); /* back at the front */
}

TEST(guests_leave_the_daemon_its_window) {
    begin();
    CHECK(input_fits(&in, INPUT_GUESTS_BYTES, true));
    CHECK(!input_fits(&in, INPUT_GUESTS_BYTES + 1, true));
    input_put(&in, span_of(text, INPUT_GUESTS_BYTES));
    CHECK(!input_fits(&in, 1, true));
    CHECK(input_fits(&in, FRAME_INPUT_WINDOW, false));
    CHECK(!input_fits(&in, FRAME_INPUT_WINDOW + 1, false));
}

TEST(moves_up_when_the_end_is_reached) {
    begin();
    input_put(&in, span_of(text, INPUT_BYTES - 10));
    input_written(&in, INPUT_BYTES - 30);
    input_put(&in, span_of(text + INPUT_BYTES - 10, 10));
    input_put(&in, span_of(text, 100));
    CHECK_INT(input_waiting(&in), 130);
    CHECK(span_eq(span_take(input_next(&in), 30), span_of(text + INPUT_BYTES - 30, 30)));
    CHECK(span_eq(span_skip(input_next(&in), 30), span_of(text, 100)));
}

TESTS(RUN(gives_out_what_was_put_in), RUN(guests_leave_the_daemon_its_window),
      RUN(moves_up_when_the_end_is_reached))
