/* Any bytes as a segment and as a screen: nothing is read past them, what is given lies in them, and what is whole is whole
 * without the rest too. */
#include "term/tape.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    struct span file = span_of((const char *)data, n);
    struct tape_reader r, again;
    struct tape_record record;
    struct tape_place place;
    struct span packed;
    if (tape_get_screen(file, &place, &packed) == 0 && packed.n > n) abort();
    if (tape_open(&r, file) < 0) return 0;
    uint64_t offset = r.place.offset;
    while (tape_next(&r, &record)) {
        if (record.offset != offset) abort();
        if (record.kind == TAPE_OUTPUT &&
            (record.bytes.p < file.p || record.bytes.p + record.bytes.n > file.p + n))
            abort();
        offset = r.place.offset;
    }
    if (r.whole > n || (!r.torn && r.whole != n)) abort();
    if (tape_open(&again, span_take(file, r.whole)) < 0) abort();
    while (tape_next(&again, &record))
        ;
    if (again.torn || again.place.offset != r.place.offset) abort();
    return 0;
}
