/* Any bytes as what a daemon says to a hook that waits: what is taken goes into a record of the spool as it is. */
#include "hook/reply_line.h"

#include <ctype.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_word(struct span word) {
    if (word.n == 0 || word.n >= 32) abort();
    for (size_t i = 0; i < word.n; i++)
        if (!islower((unsigned char)word.p[i]) && !isdigit((unsigned char)word.p[i]) && word.p[i] != '-')
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct reply_line r = {.n = UINT64_MAX};
    if (!reply_line_parse(span_of((const char *)data, size), &r)) {
        if (r.n != UINT64_MAX) abort();
        return 0;
    }
    check_word(r.session);
    check_word(r.request);
    check_word(r.decision);
    if (r.n == 0 || r.n > REPLY_ANSWER_MAX) abort();
    return 0;
}
