/* Any bytes as the line of a hook that waits: a key that is a text, and a CLI that there is. */
#include "core/hold_line.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char key[HOLD_KEY_BYTES];
    enum cli cli = CLI_N_;
    struct span line = span_of((const char *)data, size);
    bool known = hold_line_parse(line, key, &cli);
    if (!known && cli != CLI_N_) abort();
    if (known && (cli >= CLI_N_ || strlen(key) == 0 || strlen(key) >= HOLD_KEY_BYTES || strchr(key, ' ')))
        abort();
    return 0;
}
