/* Frames out of arbitrary bytes: those that frame_next() takes off whole are those that frame_feed() gives out of any pieces. */
#include "base/buf.h"
#include "term/frame_feed.h"

#include <errno.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) abort();
}

/* What was received: output as offset and bytes, joined where it continues; other frames as type and their known part. */
struct seen {
    struct buf text;
    uint64_t output_end;
    bool in_output;
};

static void note_output(void *user, uint64_t offset, struct span bytes) {
    struct seen *s = user;
    if (!s->in_output || offset != s->output_end)
        (void)buf_printf(&s->text, "\n%llu:", (unsigned long long)offset);
    (void)buf_append_span(&s->text, bytes);
    s->output_end = offset + bytes.n;
    s->in_output = true;
}

static void note_frame(void *user, const struct frame *f) {
    struct seen *s = user;
    s->in_output = false;
    (void)buf_printf(&s->text, "\n[%u %zu]", f->type, f->payload.n);
    (void)buf_append_span(&s->text, f->payload);
}

static const struct frame_feed_ops ops = {.output = note_output, .frame = note_frame};

/* Returns how many bytes were whole frames, or a negative errno. */
static int receive_whole(struct span bytes, struct seen *s) {
    struct span rest = bytes;
    struct frame f;
    int r;
    while ((r = frame_next(&rest, &f)) == 1) {
        struct frame_output output;
        struct span data;
        require(f.payload.n <= FRAME_PAYLOAD_MAX);
        if (f.type == FRAME_OUTPUT) {
            if (frame_read(&f, &output, sizeof output, &data) < 0) return -EBADMSG;
            require(data.n + sizeof output == f.payload.n);
            if (data.n) note_output(s, output.offset, data);
        } else {
            struct frame known = {.type = f.type,
                                  .payload = span_take(f.payload, FRAME_FEED_HELD - FRAME_HEAD_BYTES)};
            note_frame(s, &known);
        }
    }
    require(rest.n <= bytes.n && rest.p + rest.n == bytes.p + bytes.n);
    return r < 0 ? r : (int)(bytes.n - rest.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1 || size > 1 << 20) return 0;
    size_t piece = 1 + data[0] % 61;
    struct span bytes = span_of((const char *)data + 1, size - 1);
    struct seen whole = {.text = BUF_INIT(8 << 20)}, cut = {.text = BUF_INIT(8 << 20)};
    int n = receive_whole(bytes, &whole);

    static struct frame_feed feed;
    feed = (struct frame_feed){0};
    struct span rest = n < 0 ? bytes : span_take(bytes, (size_t)n);
    int r = 0;
    while (rest.n && r == 0) {
        r = frame_feed(&feed, span_take(rest, piece), &ops, &cut, NULL);
        rest = span_skip(rest, piece);
    }
    if (n >= 0) {
        require(r == 0);
        require(span_eq(buf_span(&whole.text), buf_span(&cut.text)));
    } else {
        require(span_starts(buf_span(&cut.text), buf_span(&whole.text)));
    }
    buf_fini(&whole.text);
    buf_fini(&cut.text);
    return 0;
}
