/* What others say about requests of ours: addresses that they want them to go to, and the answers. */
#include "net/http_answer.h"
#include "net/target.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

static void check_target(struct span url) {
    struct target t;
    struct addr a;
    if (!target_parse(url, &t)) return;
    require(t.host.n > 0 && t.host.n <= TARGET_HOST_MAX && t.port > 0 && t.path.n > 0 && t.path.p[0] == '/');
    for (size_t i = 0; i < t.path.n; i++)
        require(t.path.p[i] > ' ' && t.path.p[i] < 0x7f);
    for (size_t i = 0; i < t.origin.n; i++)
        require(t.origin.p[i] > ' ' && t.origin.p[i] < 0x7f && t.origin.p[i] != '@');
    if (addr_parse(t.host, &a)) require(!target_may(&t, &a, NULL, 0) || (t.secure && addr_is_public(&a)));
}

static void check_answer(struct span bytes) {
    struct http_answer whole, part;
    int r = http_answer_read(bytes, &whole);
    if (r > 0)
        require(whole.status >= 200 && whole.status <= 599 && whole.retry_after_s <= HTTP_ANSWER_RETRY_MAX_S);
    /* What comes in pieces is answered the same, if it is. */
    for (size_t n = 0; n < bytes.n && bytes.n < 512; n++)
        if (http_answer_read(span_take(bytes, n), &part) > 0) require(r > 0 && part.status == whole.status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = span_of((const char *)data, size);
    check_target(text);
    check_answer(text);
    return 0;
}
