/* Any output, cut by its own bytes: as many bytes come out, the same as at once, what is no text stays, and a mask stays one. The first byte
 * says which patterns, the second how it is cut. */
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "term/escape.h"
#include "term/redact.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const struct redact_set *set_of(unsigned which) {
    static const char *const patterns[] = {NULL,
                                           "[0-9]{3,5}\n\\bz\\w*\n(?:a|bc){2,4}=(?<secret>.+?);\nkey=\\S+\n"};
    static struct redact_set *sets[2];
    which %= 2;
    if (!sets[which] && redact_compile(span_str(patterns[which]), &sets[which], NULL) < 0) abort();
    return sets[which];
}

static bool is_text(enum escape_kind kind) {
    return kind == ESCAPE_TEXT || kind == ESCAPE_TITLE;
}

static void feed(const struct redact_set *set, struct span text, size_t cut, struct buf *out) {
    struct redact *r = redact_new(set);
    for (struct span left = text; left.n; left = span_skip(left, cut)) {
        if (redact_feed(r, span_take(left, cut), out) < 0) abort();
        if (out->n + redact_held(r) != text.n - left.n + MIN(cut, left.n)) abort();
    }
    if (redact_flush(r, out) < 0 || redact_held(r) || out->n != text.n) abort();
    redact_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    if (n < 2) return 0;
    const struct redact_set *set = set_of(data[0]);
    size_t cut = data[1] < 200 ? 1 + data[1] % 16 : 1 + data[1];
    struct span text = span_of((const char *)data + 2, n - 2);
    AUTO(buf) struct buf once = BUF_INIT(SIZE_MAX / 2);
    AUTO(buf) struct buf cuts = BUF_INIT(SIZE_MAX / 2);
    feed(set, text, text.n + 1, &once);
    feed(set, text, cut, &cuts);
    /* Past what is held back, it may depend on the cuts how much of an endless secret is masked. */
    if (text.n <= REDACT_HOLD_BYTES / 2 && !span_eq(buf_span(&once), buf_span(&cuts))) abort();
    enum escape_state state = ESCAPE_GROUND;
    for (size_t i = 0; i < text.n; i++)
        if (!is_text(escape_step(&state, (unsigned char)text.p[i])) && text.p[i] != once.p[i]) abort();
    /* What is masked stays so. */
    AUTO(buf) struct buf twice = BUF_INIT(SIZE_MAX / 2);
    feed(set, buf_span(&once), text.n + 1, &twice);
    for (size_t i = 0; i < text.n; i++)
        if (once.p[i] == '*' && twice.p[i] != '*') abort();
    return 0;
}
