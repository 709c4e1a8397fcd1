/*
 * Any bytes as a text that somebody else wrote. What comes out is strictly valid, is left alone when it is mended again, and is the
 * text itself when that was valid; what is cut off is never taken for whole.
 */
#include "base/jmend.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>

enum { ARENA_BYTES = 64 << 20, DEPTH = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AUTO(arena) struct arena arena = ARENA_INIT(ARENA_BYTES), none = ARENA_INIT(0);
    /* Exactly as large, so that the sanitizer sees a read past the end. */
    AUTO(free) char *copy = malloc(size ? size : 1);
    require(copy != NULL);
    if (size) memcpy(copy, data, size);
    struct span text = span_of(copy, size), once, again;
    int r = jmend(text, DEPTH, &arena, &once);
    require(r == 0 || r == -EBADMSG || r == -ENODATA);
    if (r < 0) {
        require(jvalid(text, DEPTH) < 0);
        return 0;
    }
    require(jvalid(once, DEPTH) == 0 && utf8_valid(once));
    require(jmend(once, DEPTH, &none, &again) == 0 && again.p == once.p && again.n == once.n);
    if (jvalid(text, DEPTH) == 0) require(span_eq(once, span_trim(text)));
    return 0;
}
