/* Lines of any size and in any pieces: the same messages, at the same places. */
#include "read_text.h"

enum { TEXT_MAX = 64 << 20 };

/* What a message must be: its parent's raw text lies where the message says. */
struct expected {
    const char *id, *parent;
};

static void check_id(const struct transcript *t, uint32_t number, const char *raw) {
    AUTO(buf) struct buf out = BUF_INIT(256);
    CHECK_INT(ids_write(&t->ids, number, &out), 0);
    CHECK_SPAN(buf_span(&out), raw);
}

static void check_pieces(struct span text, size_t piece, const struct expected *expected, size_t n) {
    AUTO(transcript) struct transcript t;
    read_text(&t, text, piece);
    CHECK_INT(transcript_count(&t), n);
    for (uint32_t i = 0; i < n; i++) {
        const struct message *m = transcript_at(&t, i);
        check_id(&t, m->id, expected[i].id);
        check_id(&t, m->parent, expected[i].parent ? expected[i].parent : "null");
        CHECK_INT(m->parent_len, expected[i].parent ? strlen(expected[i].parent) : 0);
        if (m->parent_len) CHECK_SPAN(span_of(text.p + m->parent_at, m->parent_len), expected[i].parent);
    }
}

/* In pieces of every kind; the smallest ones only where that does not last. */
static void check(struct span text, const struct expected *expected, size_t n) {
    static const size_t pieces[] = {SCAN_CHUNK, SCAN_CHUNK - 1, 65536, 4099, 61, 1};
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++)
        if (text.n / pieces[i] < 100000) check_pieces(text, pieces[i], expected, n);
}

#define CHECK_TEXT(text, ...)                                      \
    do {                                                           \
        const struct expected e_[] = {__VA_ARGS__};                \
        check(span_of(text, sizeof(text) - 1), e_, ARRAY_LEN(e_)); \
    } while (0)
#define CHECK_NONE(text) check(span_of(text, sizeof(text) - 1), NULL, 0)

#define A "{\"uuid\":\"a\",\"parentUuid\":null}"
#define B "{\"parentUuid\":\"a\",\"uuid\":\"b\"}"
#define A_ \
    { "\"a\"", "null" }
#define B_ \
    { "\"b\"", "\"a\"" }

TEST(lines_and_their_ends) {
    CHECK_NONE("");
    CHECK_NONE("\n");
    CHECK_NONE("\n\n\r\n \n");
    CHECK_TEXT(A "\n" B "\n", A_, B_);
    CHECK_TEXT(A "\n" B, A_, B_); /* no final newline */
    CHECK_TEXT("\n\n" A "\n\n\n" B "\n\n", A_, B_);
    CHECK_TEXT(A "\r\n" B "\r\n", A_, B_);
    CHECK_TEXT(A "\r\n" B "\r", A_, B_);
    CHECK_TEXT(A "\r" B "\n", A_, B_); /* on one line */
}

TEST(what_is_no_message) {
    CHECK_NONE("{}\n[]\n1\nnull\n\"x\"\nuuid\n");
    CHECK_NONE(
        "{\"type\":\"summary\",\"leafUuid\":\"a\"}\n{\"uuid\":null}\n{\"uuid\":\"\"}\n{\"uuid\":0}\n{\"uuid\":false}\n");
    CHECK_NONE("{\"message\":{\"uuid\":\"a\"}}\n[{\"uuid\":\"a\"}]\n");
    CHECK_NONE("\xEF\xBB\xBF" A "\n");
    CHECK_TEXT("{\"type\":\"pr-link\",\"prNu" A "\n" B "\n{\"uuid\":\"c\",", B_);
}

TEST(runs_of_nul) {
    CHECK_NONE("\0\0\0\0");
    CHECK_TEXT("\0\0\0\0\n" A "\n\0\n" B "\n", A_, B_);
    CHECK_TEXT("\0\0\0\0" A "\n" B "\n", B_); /* on the same line */
    CHECK_TEXT("\0\0\0\0" B "\n" A "\n", B_, A_);
    CHECK_TEXT(A "\n" B "\0\0", A_, B_);
}

/* Where lines have to end, as "at at", and how many lines that is. */
static void check_cuts(struct span text, const char *cuts, uint64_t glued) {
    static const size_t pieces[] = {SCAN_CHUNK, 61, 1};
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
        if (text.n / pieces[i] > 100000) continue;
        AUTO(transcript) struct transcript t;
        AUTO(buf) struct buf said = BUF_INIT(4096);
        read_text(&t, text, pieces[i]);
        const uint64_t *at = (const uint64_t *)(const void *)t.cuts.p;
        for (size_t k = 0; k < t.cuts.n / sizeof *at; k++)
            (void)buf_printf(&said, "%s%d", k ? " " : "", (int)at[k]);
        CHECK_SPAN(buf_span(&said), cuts);
        CHECK_INT(t.glued, glued);
    }
}
#define CHECK_CUTS(text, cuts, glued) check_cuts(SPAN(text), cuts, glued)

TEST(several_records_on_a_line) {
    CHECK_TEXT(A B "\n", A_, B_);
    CHECK_TEXT(A B "\n" B A, A_, B_, B_, A_);
    CHECK_TEXT(A "x\n" B "\n", A_, B_);
    CHECK_TEXT("{\"type\":\"pr-link\",\"prNu" B "\n" A "\n", B_, A_);
    CHECK_CUTS(A "\n" B "\n", "", 0);
    CHECK_CUTS(A B "\n" B "\n", "30", 1);
    CHECK_CUTS(A B "\n" B " " A, "30 90", 2);
    CHECK_CUTS(A "x\n", "30", 1);
    CHECK_CUTS("{\"type\":\"pr-link\",\"prNu" B "\n", "23", 1);
    CHECK_CUTS("\0\0" B "x\n", "", 0);       /* too unsure to be one */
    CHECK_CUTS("{}{}x\n" A B "\n", "36", 1); /* what holds no message stays as it is */
}

#define BOUNDARY "{\"parentUuid\":null,\"type\":\"system\",\"subtype\":\"compact_boundary\",\"uuid\":\"z\"}"

TEST(a_boundary_is_not_uncovered) {
    CHECK_TEXT(BOUNDARY A "\n", {"\"z\"", "null"}, A_);
    CHECK_CUTS(BOUNDARY A "\n", "75", 1);
    CHECK_TEXT(A BOUNDARY B "\n" B "\n", A_, B_);
    CHECK_CUTS(A BOUNDARY B "\n", "", 0);
    CHECK_CUTS(A B BOUNDARY "\n", "30", 1);
    CHECK_CUTS("\0\0" BOUNDARY "\n", "", 0);
    CHECK_CUTS("\0\0" BOUNDARY B "\n", "", 0);
}

TEST(the_last_of_several_and_in_any_spelling) {
    CHECK_TEXT("{\"parentUuid\":\"x\",\"uuid\":\"y\",\"uuid\":\"b\",\"parentUuid\":\"a\"}\n", B_);
    CHECK_TEXT("{\"parentUuid\":\"x\",\"uuid\":\"b\",\"p\\u0061rentUuid\":\"a\"}\n", B_);
    CHECK_TEXT(" { \"parentUuid\" : \"a\" , \"uuid\" : \"b\" } \n", B_);
    CHECK_NONE("{\"uuid\":\"b\",\"uuid\":null}\n");
}

static void fill(struct buf *b, char c, size_t n) {
    char *to = buf_reserve(b, n);
    CHECK(to != NULL);
    memset(to, c, n);
    buf_grew(b, n);
}

/* A line of `n` bytes and its newline: the members that matter behind all the rest. */
static void append_long(struct buf *b, size_t n, const char *tail) {
    static const char head[] = "{\"message\":{\"content\":\"";
    (void)buf_append(b, head, sizeof head - 1);
    fill(b, 'x', n - (sizeof head - 1) - strlen(tail));
    (void)buf_append(b, tail, strlen(tail));
    (void)buf_append_char(b, '\n');
}

#define LONG_TAIL "\"},\"uuid\":\"c\",\"parentUuid\":\"b\"}"

TEST(lines_around_the_size_of_the_window) {
    static const size_t sizes[] = {SCAN_CHUNK, SCAN_WINDOW - SCAN_CHUNK, SCAN_WINDOW, 3 << 20};
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        for (size_t n = sizes[i] - 2; n <= sizes[i] + 2; n++) {
            AUTO(buf) struct buf text = BUF_INIT(TEXT_MAX);
            (void)buf_append_span(&text, SPAN(A "\n"));
            append_long(&text, n, LONG_TAIL);
            (void)buf_append_span(&text, SPAN(B "\n"));
            static const struct expected expected[] = {A_, {"\"c\"", "\"b\""}, B_};
            check_pieces(buf_span(&text), SCAN_CHUNK, expected, 3);
            check_pieces(buf_span(&text), 65521, expected, 3);
        }
}

TEST(long_lines_one_after_the_other) {
    AUTO(buf) struct buf text = BUF_INIT(TEXT_MAX);
    append_long(&text, 3 << 20, LONG_TAIL);
    append_long(&text, (3 << 20) + 1, LONG_TAIL);
    (void)buf_append_span(&text, SPAN(A "\n"));
    append_long(&text, 2 << 20, "\"},\"uuid\":\"c\",\"parentUuid\":\"b\"} \r");
    append_long(&text, 5 << 20, LONG_TAIL);
    text.n--; /* without its newline */
    static const struct expected c = {"\"c\"", "\"b\""};
    const struct expected expected[] = {c, c, A_, c, c};
    check(buf_span(&text), expected, ARRAY_LEN(expected));
}

TEST(a_long_line_that_is_none) {
    static const char *const tails[] = {
        "\"},\"uuid\":\"c\",\"parentUuid\":\"b\"", /* not closed */
        "\"},\"uuid\":\"c\",\"parentUuid\":b}",
        "\x01\"},\"uuid\":\"c\",\"parentUuid\":\"b\"}",
        "\"},\"uuid\":\"\",\"parentUuid\":\"b\"}",
    };
    for (size_t i = 0; i < ARRAY_LEN(tails); i++) {
        AUTO(buf) struct buf text = BUF_INIT(TEXT_MAX);
        append_long(&text, 2 << 20, tails[i]);
        (void)buf_append_span(&text, SPAN(A "\n"));
        static const struct expected a = A_;
        check(buf_span(&text), &a, 1);
        text.n -= sizeof A + 1; /* and at the end of the file */
        check(buf_span(&text), NULL, 0);
    }
    AUTO(buf) struct buf nuls = BUF_INIT(TEXT_MAX);
    fill(&nuls, '\0', 3 << 20);
    (void)buf_append_span(&nuls, SPAN("\n" B));
    static const struct expected b = B_;
    check(buf_span(&nuls), &b, 1);
}

TEST(long_lines_with_several_records) {
    AUTO(buf) struct buf text = BUF_INIT(TEXT_MAX);
    append_long(&text, 2 << 20, LONG_TAIL);
    text.n--;
    (void)buf_append_span(&text, SPAN(B "\n"));
    append_long(&text, 2 << 20, "and then it is cut"); /* and begun again, far behind where it went wrong */
    text.n--;
    (void)buf_append_span(&text, SPAN(B "\n"));
    fill(&text, '\0', 3 << 20);
    (void)buf_append_span(&text, SPAN(B "\n" A "\n"));
    append_long(&text, 2 << 20, "and then it is cut");
    text.n--;
    (void)buf_append_span(&text, SPAN(B));
    static const struct expected c = {"\"c\"", "\"b\""};
    const struct expected expected[] = {c, B_, B_, B_, A_, B_};
    check(buf_span(&text), expected, ARRAY_LEN(expected));
    AUTO(transcript) struct transcript t;
    read_text(&t, buf_span(&text), SCAN_CHUNK);
    CHECK_INT(t.glued, 4);
}

TEST(a_newline_wherever_a_chunk_ends) {
    for (size_t before = SCAN_CHUNK - 70; before <= SCAN_CHUNK + 2; before++) {
        AUTO(buf) struct buf text = BUF_INIT(TEXT_MAX);
        append_long(&text, before, LONG_TAIL);
        (void)buf_append_span(&text, SPAN(A "\n" B "\n"));
        static const struct expected expected[] = {{"\"c\"", "\"b\""}, A_, B_};
        check_pieces(buf_span(&text), SCAN_CHUNK, expected, 3);
    }
}

TEST(many_short_lines) {
    enum { MANY = 100000 };
    AUTO(buf) struct buf text = BUF_INIT(TEXT_MAX);
    for (int i = 0; i < MANY; i++)
        (void)buf_printf(&text, "{\"parentUuid\":%d,\"uuid\":%d,\"n\":\"%.*s\"}\n", i, i + 1, i % 50,
                         "..................................................");
    AUTO(transcript) struct transcript t;
    read_text(&t, buf_span(&text), SCAN_CHUNK);
    CHECK_INT(transcript_count(&t), MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        const struct message *m = transcript_at(&t, i);
        CHECK_INT(transcript_link(&t, i), i ? i - 1 : MESSAGE_NONE);
        uint64_t parent;
        CHECK(span_u64(span_of(text.p + m->parent_at, m->parent_len), &parent));
        CHECK_INT(parent, i);
    }
}

/* However it is written, an id that is too large to be kept is one message's own, and no trouble. */
TEST(ids_as_large_as_lines) {
    for (int spaced = 0; spaced < 2; spaced++)
        for (size_t n = 60 << 10; n < 3 << 20; n *= 3) {
            AUTO(buf) struct buf text = BUF_INIT(TEXT_MAX);
            for (int i = 0; i < 2; i++) {
                (void)buf_append_span(&text, spaced ? SPAN("{\"uuid\": \"") : SPAN("{\"uuid\":\""));
                fill(&text, 'u', n);
                (void)buf_append_span(&text, SPAN("\"}\n"));
            }
            (void)buf_append_span(&text, SPAN("{\"uuid\":\"child\",\"parentUuid\":\""));
            fill(&text, 'u', n);
            (void)buf_append_span(&text, SPAN("\"}\n"));
            AUTO(transcript) struct transcript t;
            read_text(&t, buf_span(&text), SCAN_CHUNK);
            CHECK_INT(transcript_count(&t), 3);
            bool known = n + 2 <= ID_VALUE_MAX;
            CHECK_INT(transcript_at(&t, 0)->id == transcript_at(&t, 1)->id, known);
            CHECK_INT(transcript_is_orphan(&t, 2), !known);
            CHECK_INT(transcript_at(&t, 2)->parent_len, n + 2);
        }
}

TESTS(RUN(lines_and_their_ends), RUN(what_is_no_message), RUN(runs_of_nul), RUN(several_records_on_a_line),
      RUN(a_boundary_is_not_uncovered), RUN(the_last_of_several_and_in_any_spelling),
      RUN(lines_around_the_size_of_the_window), RUN(long_lines_one_after_the_other),
      RUN(a_long_line_that_is_none), RUN(long_lines_with_several_records),
      RUN(a_newline_wherever_a_chunk_ends), RUN(many_short_lines), RUN(ids_as_large_as_lines))
