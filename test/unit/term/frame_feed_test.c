#include "term/frame_feed.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "test.h"

#include <errno.h>

/* What came out, as text: "o5:abc" for output at 5, "66:16" for a frame of that type and size. */
static struct buf said;

static void on_output(void *user UNUSED, uint64_t offset, struct span bytes) {
    for (size_t i = 0; i < bytes.n; i++) /* pieces of output are the same output */
        (void)buf_printf(&said, "o%llu:%c ", (unsigned long long)offset + i, bytes.p[i]);
}

static void on_frame(void *user UNUSED, const struct frame *f) {
    (void)buf_printf(&said, "%u:%zu ", f->type, f->payload.n);
}

static const struct frame_feed_ops ops = {.output = on_output, .frame = on_frame};

static void add(struct buf *out, enum frame_type type, const void *fixed, size_t n, struct span data) {
    char head[FRAME_HEAD_BYTES + 128];
    (void)buf_append(out, head, frame_encode(head, type, fixed, n, data.n));
    (void)buf_append_span(out, data);
}

static struct buf conversation(void) {
    struct buf b = BUF_INIT(1 << 20);
    static char padding[4000];
    add(&b, FRAME_RESIZED, &(struct frame_size){.cols = 80}, sizeof(struct frame_size), SPAN_NONE);
    add(&b, FRAME_OUTPUT, &(struct frame_output){.offset = 5}, sizeof(struct frame_output), SPAN("abc"));
    add(&b, FRAME_OUTPUT, &(struct frame_output){.offset = 8}, sizeof(struct frame_output), SPAN_NONE);
    add(&b, FRAME_END, NULL, 0, SPAN_NONE);
    add(&b, (enum frame_type)99, NULL, 0, span_of(padding, sizeof padding));
    add(&b, FRAME_OUTPUT, &(struct frame_output){.offset = 8}, sizeof(struct frame_output), SPAN("d"));
    return b;
}

TEST(gives_the_same_however_it_comes) {
    AUTO(buf) struct buf bytes = conversation();
    for (size_t piece = 1; piece <= bytes.n; piece += piece < 40 ? 1 : 977) {
        said = BUF_INIT(1 << 16);
        struct frame_feed feed = {0};
        for (struct span rest = buf_span(&bytes); rest.n; rest = span_skip(rest, piece))
            CHECK_INT(frame_feed(&feed, span_take(rest, piece), &ops, NULL, NULL), 0);
        CHECK_STR(said.p, "66:16 o5:a o6:b o7:c 6:0 99:1024 o8:d ");
        buf_fini(&said);
    }
}

TEST(what_is_no_keeper_is_told) {
    said = BUF_INIT(1 << 16);
    struct frame_feed feed = {0};
    CHECK_INT(frame_feed(&feed, SPAN("HTTP/1.1 400 Bad Request\r\n"), &ops, NULL, NULL), -EBADMSG);
    feed = (struct frame_feed){0};
    AUTO(buf) struct buf bytes = BUF_INIT(1024);
    add(&bytes, FRAME_OUTPUT, NULL, 0, SPAN("short"));
    CHECK_INT(frame_feed(&feed, buf_span(&bytes), &ops, NULL, NULL), -EBADMSG);
    buf_fini(&said);
}

static bool stopped;

static void stop_at_frame(void *user UNUSED, const struct frame *f UNUSED) {
    stopped = true;
}

TEST(stops_when_told) {
    AUTO(buf) struct buf bytes = conversation();
    said = BUF_INIT(1 << 16);
    struct frame_feed feed = {0};
    const struct frame_feed_ops stopping = {.output = on_output, .frame = stop_at_frame};
    CHECK_INT(frame_feed(&feed, buf_span(&bytes), &stopping, NULL, &stopped), 0);
    CHECK_INT(said.n, 0);
    buf_fini(&said);
}

TESTS(RUN(gives_the_same_however_it_comes), RUN(what_is_no_keeper_is_told), RUN(stops_when_told))
