#include "base/str.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

char *str_dup(struct span s) {
    return xstrndup(s.p ? s.p : "", s.n);
}

char *str_format(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    assert(n >= 0);
    char *out = xmalloc((size_t)n + 1);
    va_start(ap, fmt);
    (void)vsnprintf(out, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return out;
}

bool str_set(char **slot, struct span s) {
    if (span_eq(span_str(*slot), s)) return false;
    char *old = *slot;
    *slot = s.n ? str_dup(s) : NULL;
    free(old);
    return true;
}
