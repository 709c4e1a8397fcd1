/* The names that parts of a backup may have, and what they may be altogether. Pure. */
#include "app/backup.h"

#include <string.h>

/* What every part of a name is made of. */
static bool is_plain(struct span part) {
    if (part.n == 0 || part.p[0] == '.') return false;
    for (size_t i = 0; i < part.n; i++) {
        char c = part.p[i], lower = (char)(c | 0x20);
        bool ok =
            (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
        if (!ok) return false;
    }
    return true;
}

static bool is_one_of(struct span name, const char *const *names) {
    for (; *names; names++)
        if (span_eq_str(name, *names)) return true;
    return false;
}

/* "term-…/FILE" or "term-…/journal/FILE" */
static bool is_of_terminal(struct span rest) {
    static const char *const files[] = {"meta.json", "environment", "history", NULL};
    struct span id = span_split(&rest, '/');
    if (!is_plain(id) || !span_starts(id, SPAN("term-"))) return false;
    if (is_one_of(rest, files)) return true;
    return span_eq(span_split(&rest, '/'), SPAN("journal")) && is_plain(rest);
}

bool backup_is_part(const char *name) {
    static const char *const files[] = {"state/ostler.db",    "state/transcripts.db",
                                        "state/tokens",       "state/tls.pem",
                                        "state/push.key",     "state/push",
                                        "config/config.json", "config/redact.patterns",
                                        "config/hook.token",  NULL};
    struct span rest = span_str(name);
    if (is_one_of(rest, files)) return true;
    if (!span_eq(span_split(&rest, '/'), SPAN("state"))) return false;
    struct span dir = span_split(&rest, '/');
    if (span_eq(dir, SPAN("terminals"))) return is_of_terminal(rest);
    return (span_eq(dir, SPAN("spool")) || span_eq(dir, SPAN("archive"))) && is_plain(rest);
}

/* A spool that nobody reads holds 512 MiB, perhaps of one prompt again and again; beyond that, data of people and agents are packed to
 * a tenth or a hundredth. zstd itself goes up to some thirty thousand. */
bool backup_is_swollen(uint64_t packed, uint64_t unpacked) {
    enum { ALLOWED_BYTES = 1 << 30, TIMES = 1000 };
    return unpacked > ALLOWED_BYTES && (unpacked - ALLOWED_BYTES) / TIMES > packed;
}
