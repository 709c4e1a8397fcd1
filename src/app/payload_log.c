#define LOG_TAG "payload"
#include "app/payload_log.h"

#include "base/log.h"
#include "base/utf8.h"

/* More is masked than is shown: a secret that is cut off is known by what follows. */
enum { MASKED_BYTES = 8 << 10, SHOWN_BYTES = 1200 };

void payload_log(const struct redact_set *patterns, uint64_t pos, struct span record) {
    if (!log_wants(LOG_DEBUG) || !patterns) return;
    char text[MASKED_BYTES];
    struct span head = utf8_cut_bytes(record, sizeof text);
    memcpy(text, head.p ? head.p : "", head.n);
    redact_text(patterns, text, head.n);
    struct span shown = utf8_cut_bytes(span_of(text, head.n), SHOWN_BYTES);
    log_debug("record at %llu, %zu bytes: %.*s%s", (unsigned long long)pos, record.n, SPAN_ARG(shown),
              shown.n < record.n ? "…" : "");
}
