#include "base/buf.h"
#include "base/cleanup.h"
#include "term/stream.h"
#include "test.h"

enum { ANY = 1 << 20 };

static void fill(struct stream *s, size_t n) {
    static char block[64 << 10];
    for (size_t part; n; n -= part) {
        part = MIN(n, sizeof block);
        for (size_t i = 0; i < part; i++)
            block[i] = (char)('a' + (s->newest + i) % 26);
        stream_append(s, span_of(block, part));
    }
}

static enum stream_view pull(struct stream *s, struct stream_viewer *v, struct stream_item *item) {
    return stream_pull(s, v, 1000, ANY, item);
}

/* A viewer that has everything up to `offset`. */
static struct stream_viewer *from(struct stream *s, struct stream_viewer *v, uint64_t offset) {
    stream_attach(s, v, &s->epoch, &offset);
    return v;
}

/* Pulls `n` bytes in whatever pieces they come. */
static void pull_bytes(struct stream *s, struct stream_viewer *v, size_t n) {
    struct stream_item item;
    while (n) {
        CHECK_INT(stream_pull(s, v, 1000, n, &item), VIEW_BYTES);
        for (size_t i = 0; i < item.bytes.n; i++)
            CHECK_INT(item.bytes.p[i], 'a' + (int)((item.offset + i) % 26));
        CHECK(item.bytes.n <= n);
        n -= item.bytes.n;
    }
}

TEST(a_viewer_begins_with_a_snapshot_and_goes_on) {
    struct stream s;
    stream_init(&s, 7, 100);
    fill(&s, 50);
    struct stream_viewer v = {0};
    struct stream_item item;
    stream_attach(&s, &v, NULL, NULL);
    CHECK_INT(pull(&s, &v, &item), VIEW_SNAPSHOT);
    CHECK_INT(item.offset, 150);
    fill(&s, 10);
    CHECK_INT(pull(&s, &v, &item), VIEW_SNAPSHOT); /* not told yet that it got one */
    CHECK_INT(item.offset, 160);
    stream_viewer_at(&s, &v, 160);
    CHECK_INT(pull(&s, &v, &item), VIEW_NOTHING);
    stream_append(&s, SPAN("hello"));
    CHECK_INT(pull(&s, &v, &item), VIEW_BYTES);
    CHECK_INT(item.offset, 160);
    CHECK_SPAN(item.bytes, "hello");
    CHECK_INT(pull(&s, &v, &item), VIEW_NOTHING);
    stream_detach(&v);
    stream_fini(&s);
}

TEST(a_viewer_comes_back_where_it_was) {
    struct stream s;
    stream_init(&s, 7, 0);
    fill(&s, 3000);
    struct stream_viewer v = {0};
    struct stream_item item;
    pull_bytes(&s, from(&s, &v, 1234), 3000 - 1234);
    CHECK_INT(pull(&s, &v, &item), VIEW_NOTHING);
    stream_detach(&v);

    uint64_t other = 6, offset = 5, never = 3001;
    stream_attach(&s, &v, &other, &offset);
    CHECK_INT(pull(&s, &v, &item), VIEW_SNAPSHOT);
    stream_detach(&v);
    stream_attach(&s, &v, &s.epoch, &never);
    CHECK_INT(pull(&s, &v, &item), VIEW_SNAPSHOT);
    CHECK_INT(item.offset, 3000);
    stream_detach(&v);
    stream_fini(&s);
}

TEST(the_window_waits_for_acknowledgements) {
    struct stream s;
    stream_init(&s, 1, 0);
    struct stream_viewer v = {.flow = true};
    struct stream_item item;
    from(&s, &v, 0);
    fill(&s, STREAM_WINDOW_BYTES + 1000);
    pull_bytes(&s, &v, STREAM_WINDOW_BYTES);
    CHECK_INT(pull(&s, &v, &item), VIEW_NOTHING);
    CHECK(stream_ack(&s, &v, 400)); /* more may go */
    pull_bytes(&s, &v, 400);
    CHECK_INT(pull(&s, &v, &item), VIEW_NOTHING);
    stream_ack(&s, &v, 300);                       /* the past */
    stream_ack(&s, &v, STREAM_WINDOW_BYTES + 401); /* never sent */
    CHECK_INT(pull(&s, &v, &item), VIEW_NOTHING);
    CHECK(stream_ack(&s, &v, 5000));
    pull_bytes(&s, &v, 600);
    CHECK(!stream_ack(&s, &v, s.newest));
    stream_detach(&v);
    stream_fini(&s);
}

TEST(who_is_far_behind_is_skipped_ahead_now_and_then) {
    struct stream s;
    stream_init(&s, 1, 0);
    struct stream_viewer v = {0};
    struct stream_item item;
    from(&s, &v, 0);
    fill(&s, STREAM_BEHIND_BYTES);
    CHECK_INT(stream_pull(&s, &v, 1000, 100, &item), VIEW_BYTES);
    fill(&s, 101);
    CHECK_INT(stream_pull(&s, &v, 1000, 100, &item), VIEW_SNAPSHOT);
    CHECK_INT(item.offset, s.newest);
    stream_viewer_at(&s, &v, item.offset);
    CHECK_INT(stream_pull(&s, &v, 1001, 100, &item), VIEW_NOTHING);

    fill(&s, STREAM_BEHIND_BYTES + 1); /* again, but too soon: what there is goes on */
    CHECK_INT(stream_pull(&s, &v, 1249, 100, &item), VIEW_BYTES);
    fill(&s, 3 * STREAM_KEEP_BYTES); /* and now there is nothing to go on with */
    CHECK_INT(stream_pull(&s, &v, 1249, 100, &item), VIEW_NOTHING);
    CHECK_INT(v.due_ms, 1250);
    CHECK_INT(stream_pull(&s, &v, 1250, 100, &item), VIEW_SNAPSHOT);
    CHECK_INT(v.due_ms, 0);
    stream_detach(&v);
    stream_fini(&s);
}

TEST(a_full_window_is_not_skipped) {
    struct stream s;
    stream_init(&s, 1, 0);
    struct stream_viewer v = {.flow = true};
    struct stream_item item;
    from(&s, &v, 0);
    fill(&s, STREAM_WINDOW_BYTES);
    pull_bytes(&s, &v, STREAM_WINDOW_BYTES);
    fill(&s, 5 * STREAM_KEEP_BYTES);
    CHECK_INT(stream_pull(&s, &v, 99999, ANY, &item),
              VIEW_NOTHING); /* a tab that sleeps gets nothing at all */
    CHECK_INT(v.due_ms, 0);
    CHECK(stream_ack(&s, &v, 1));
    CHECK_INT(stream_pull(&s, &v, 99999, ANY, &item), VIEW_SNAPSHOT);
    stream_detach(&v);
    stream_fini(&s);
}

TEST(who_wants_every_byte_reads_the_journal) {
    struct stream s;
    stream_init(&s, 1, 0);
    struct stream_viewer v = {.exact = true};
    struct stream_item item;
    fill(&s, 3 * STREAM_KEEP_BYTES);
    from(&s, &v, 10);
    CHECK(s.oldest > 0);
    CHECK_INT(stream_pull(&s, &v, 1, 4096, &item), VIEW_OLDER);
    CHECK_INT(item.offset, 10);
    CHECK_INT(item.bytes.n, 4096);
    stream_viewer_sent(&v, 4000);
    CHECK_INT(stream_pull(&s, &v, 1, SIZE_MAX, &item), VIEW_OLDER);
    CHECK_INT(item.offset, 4010);
    CHECK_INT(item.bytes.n, s.oldest - 4010);
    stream_viewer_sent(&v, item.bytes.n);
    pull_bytes(&s, &v, s.newest - s.oldest);
    CHECK_INT(pull(&s, &v, &item), VIEW_NOTHING);
    stream_detach(&v);
    stream_fini(&s);
}

TEST(what_the_journal_lost_is_said) {
    struct stream s;
    stream_init(&s, 1, 0);
    struct stream_viewer exact = {.exact = true}, v = {0};
    struct stream_item item;
    fill(&s, 10);
    from(&s, &exact, 10);
    from(&s, &v, 10);
    fill(&s, 3 * STREAM_KEEP_BYTES);
    stream_viewer_lost(&s, &exact);
    CHECK_INT(pull(&s, &exact, &item), VIEW_MARK);
    CHECK_INT(item.mark.kind, STREAM_GAP);
    CHECK_INT(item.mark.offset, 10);
    CHECK_INT(item.mark.to, s.oldest);
    pull_bytes(&s, &exact, s.newest - s.oldest);
    stream_viewer_lost(&s, &exact); /* it has everything: nothing is lost */
    CHECK_INT(pull(&s, &exact, &item), VIEW_NOTHING);
    stream_viewer_lost(&s, &v);
    CHECK_INT(pull(&s, &v, &item), VIEW_SNAPSHOT);
    stream_detach(&v);
    stream_detach(&exact);
    stream_fini(&s);
}

static void resize(struct stream *s, unsigned cols) {
    stream_mark(s,
                &(struct stream_mark){.kind = STREAM_RESIZED, .offset = s->newest, .cols = cols, .rows = 24});
}

TEST(marks_come_between_the_bytes) {
    struct stream s;
    stream_init(&s, 1, 0);
    struct stream_viewer v = {0};
    struct stream_item item;
    from(&s, &v, 0);
    stream_append(&s, SPAN("ab"));
    resize(&s, 80);
    resize(&s, 90); /* replaces the one before: same place */
    stream_append(&s, SPAN("cd"));
    stream_mark(&s, &(struct stream_mark){.kind = STREAM_EXITED, .offset = 4, .code = 3});
    CHECK_INT(pull(&s, &v, &item), VIEW_BYTES);
    CHECK_SPAN(item.bytes, "ab");
    CHECK_INT(pull(&s, &v, &item), VIEW_MARK);
    CHECK_INT(item.mark.cols, 90);
    CHECK_INT(pull(&s, &v, &item), VIEW_BYTES);
    CHECK_SPAN(item.bytes, "cd");
    CHECK_INT(pull(&s, &v, &item), VIEW_MARK);
    CHECK_INT(item.mark.kind, STREAM_EXITED);
    CHECK_INT(item.mark.code, 3);
    CHECK_INT(pull(&s, &v, &item), VIEW_NOTHING);

    /* A snapshot stands for the sizes before it, but the end has to be told; once. */
    struct stream_viewer late = {0};
    stream_attach(&s, &late, NULL, NULL);
    CHECK_INT(pull(&s, &late, &item), VIEW_SNAPSHOT);
    stream_viewer_at(&s, &late, 4);
    CHECK_INT(pull(&s, &late, &item), VIEW_MARK);
    CHECK_INT(item.mark.kind, STREAM_EXITED);
    CHECK_INT(pull(&s, &late, &item), VIEW_NOTHING);
    stream_detach(&late);
    stream_detach(&v);
    stream_fini(&s);
}

TEST(gaps_are_told_and_a_snapshot_follows) {
    struct stream s;
    stream_init(&s, 1, 0);
    struct stream_viewer v = {.flow = true}, exact = {.exact = true};
    struct stream_item item;
    from(&s, &v, 0);
    from(&s, &exact, 0);
    stream_append(&s, SPAN("ab"));
    stream_mark(&s, &(struct stream_mark){.kind = STREAM_GAP, .offset = 2, .to = 5000});
    stream_append(&s, SPAN("cd"));
    CHECK_INT(s.newest, 5002);
    struct stream_viewer *both[] = {&v, &exact};
    for (size_t i = 0; i < 2; i++) {
        CHECK_INT(pull(&s, both[i], &item), VIEW_BYTES);
        CHECK_INT(pull(&s, both[i], &item), VIEW_MARK);
        CHECK_INT(item.mark.to, 5000);
    }
    CHECK_INT(pull(&s, &v, &item), VIEW_SNAPSHOT);
    CHECK_INT(item.offset, 5002);
    CHECK_INT(pull(&s, &exact, &item), VIEW_BYTES);
    CHECK_INT(item.offset, 5000);
    CHECK_SPAN(item.bytes, "cd");

    /* It had seen more than was kept: it lacks only the rest. */
    struct stream_viewer inside = {.exact = true}, inexact = {0};
    CHECK_INT(pull(&s, from(&s, &inside, 3000), &item), VIEW_MARK);
    CHECK_INT(item.mark.kind, STREAM_GAP);
    CHECK_INT(item.mark.offset, 3000);
    CHECK_INT(item.mark.to, 5000);
    CHECK_INT(pull(&s, &inside, &item), VIEW_BYTES);
    CHECK_SPAN(item.bytes, "cd");
    CHECK_INT(pull(&s, from(&s, &inexact, 3000), &item), VIEW_SNAPSHOT);
    struct stream_viewer before = {0};
    CHECK_INT(pull(&s, from(&s, &before, 2), &item), VIEW_MARK);
    stream_fini(&s);
}

TEST(another_incarnation_begins_anew) {
    struct stream s;
    stream_init(&s, 1, 0);
    struct stream_viewer v = {0}, exact = {.exact = true};
    struct stream_item item;
    stream_append(&s, SPAN("old"));
    from(&s, &v, 3);
    from(&s, &exact, 3);
    stream_restart(&s, 2);
    stream_append(&s, SPAN("new"));
    CHECK_INT(pull(&s, &v, &item), VIEW_EPOCH);
    CHECK_INT(v.epoch, 2);
    CHECK_INT(pull(&s, &v, &item), VIEW_SNAPSHOT);
    CHECK_INT(item.offset, 3);
    CHECK_INT(pull(&s, &exact, &item), VIEW_EPOCH);
    CHECK_INT(pull(&s, &exact, &item), VIEW_BYTES);
    CHECK_SPAN(item.bytes, "new");
    stream_fini(&s);
}

TEST(marks_without_number_cost_no_memory) {
    struct stream s;
    stream_init(&s, 1, 0);
    struct stream_viewer v = {0};
    struct stream_item item;
    from(&s, &v, 0);
    stream_append(&s, SPAN("x"));
    for (unsigned i = 0; i < 10000; i++) {
        resize(&s, 2 + i % 500);
        stream_append(&s, SPAN("x"));
    }
    CHECK(stream_memory(&s) < 64 << 10);
    /* It would meet bytes for sizes that nobody remembers. */
    CHECK_INT(pull(&s, &v, &item), VIEW_SNAPSHOT);
    stream_fini(&s);
}

TEST(gaps_cost_no_memory) {
    struct stream s;
    stream_init(&s, 1, 0);
    fill(&s, STREAM_KEEP_BYTES / 2);
    for (int i = 0; i < 500; i++) {
        stream_mark(&s, &(struct stream_mark){.kind = STREAM_GAP, .offset = s.newest, .to = s.newest + 10});
        stream_append(&s, SPAN("x"));
    }
    CHECK(stream_memory(&s) < STREAM_KEEP_BYTES);
    stream_fini(&s);
}

TEST(quiet_streams_are_small) {
    struct stream s;
    stream_init(&s, 1, 1000);
    CHECK_INT(stream_memory(&s), 0);
    stream_append(&s, SPAN("x"));
    CHECK(stream_memory(&s) < 1200);
    fill(&s, 10 * STREAM_KEEP_BYTES);
    CHECK(stream_memory(&s) >= STREAM_KEEP_BYTES);
    CHECK(stream_memory(&s) <= STREAM_KEEP_BYTES + (128 << 10));
    stream_trim(&s);
    CHECK_INT(s.newest - s.oldest, STREAM_IDLE_BYTES);
    CHECK(stream_memory(&s) <= STREAM_IDLE_BYTES + 1024);
    struct stream_viewer v = {0};
    pull_bytes(&s, from(&s, &v, s.oldest), STREAM_IDLE_BYTES);
    fill(&s, 1000);
    pull_bytes(&s, &v, 1000);
    stream_fini(&s);
}

TEST(what_came_before_can_be_found_elsewhere) {
    struct stream s;
    AUTO(buf) struct buf older = BUF_INIT(2 * STREAM_KEEP_BYTES);
    for (uint64_t i = 0; i < 200000; i++)
        (void)buf_append_char(&older, (char)('a' + i % 26));
    stream_init(&s, 1, 200000);
    fill(&s, 1000);
    stream_prepend(&s, buf_span(&older));
    CHECK_INT(s.oldest, 0);
    struct stream_viewer v = {0};
    pull_bytes(&s, from(&s, &v, 0), 201000);
    stream_detach(&v);
    stream_fini(&s);
}

TESTS(RUN(a_viewer_begins_with_a_snapshot_and_goes_on), RUN(a_viewer_comes_back_where_it_was),
      RUN(the_window_waits_for_acknowledgements), RUN(who_is_far_behind_is_skipped_ahead_now_and_then),
      RUN(a_full_window_is_not_skipped), RUN(who_wants_every_byte_reads_the_journal),
      RUN(what_the_journal_lost_is_said), RUN(marks_come_between_the_bytes),
      RUN(gaps_are_told_and_a_snapshot_follows), RUN(another_incarnation_begins_anew),
      RUN(marks_without_number_cost_no_memory), RUN(gaps_cost_no_memory), RUN(quiet_streams_are_small),
      RUN(what_came_before_can_be_found_elsewhere))
