/* Any output on the screen that secrets are looked for on, cut by its own bytes, with rests and resizes: only characters are changed, for others
 * of the same length, and what is told later to be masked lies in what came before. */
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/utf8.h"
#include "term/redact.h"
#include "term/redact_screen.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static const struct redact_set *patterns(void) {
    static struct redact_set *set;
    if (!set && redact_compile(SPAN_NONE, &set, NULL) < 0) abort();
    return set;
}

static void check_late(const struct buf *late, uint64_t end) {
    if (late->n % sizeof(struct redact_late)) abort();
    for (size_t i = 0; i < late->n; i += sizeof(struct redact_late)) {
        struct redact_late l;
        memcpy(&l, late->p + i, sizeof l);
        if (!l.n || l.n > sizeof l.before || l.offset + l.n > end) abort();
        if (utf8_sequence(span_of(l.before, l.n)) != l.n || utf8_sequence(span_of(l.after, l.n)) != l.n)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    if (n < 3) return 0;
    struct redact_screen *s = redact_screen_new(patterns(), 1 + data[0] % 140, 1 + data[1] % 50);
    struct span left = span_of((const char *)data + 2, n - 2);
    uint64_t offset = 0;
    while (left.n) {
        unsigned char how = (unsigned char)left.p[0];
        AUTO(buf) struct buf bytes = BUF_INIT(SIZE_MAX / 2);
        AUTO(buf) struct buf late = BUF_INIT(1 << 20);
        struct span piece = span_take(left, 1 + how * 7U);
        (void)buf_append_span(&bytes, piece);
        if (how % 16 == 3) redact_screen_rest(s);
        if (how % 32 == 5) redact_screen_resize(s, 1 + how, 1 + how / 2);
        redact_screen_feed(s, offset, &bytes, how % 4 != 0, &late);
        if (bytes.n != piece.n) abort();
        for (size_t i = 0; i < piece.n; i++) /* blanks and controls stay */
            if ((unsigned char)piece.p[i] <= 0x20 && bytes.p[i] != piece.p[i]) abort();
        check_late(&late, offset);
        offset += piece.n;
        left = span_skip(left, piece.n);
    }
    redact_screen_free(s);
    return 0;
}
