/* Any bytes as a document: the scanner's engines, the validator and jansson must agree. */
#include "json_oracle.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/jscan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span doc = span_of((const char *)data, size);
    json_oracle(doc);

    /* Also as raw values of each kind, which must survive any bytes. */
    AUTO(arena) struct arena arena = ARENA_INIT(size);
    struct span text;
    int64_t integer;
    double real;
    bool yes;
    (void)jscan_string(doc, &arena, &text);
    (void)jscan_i64(doc, &integer);
    (void)jscan_double(doc, &real);
    (void)jscan_bool(doc, &yes);
    return 0;
}
