#include "cli/ending.h"

#include "base/cleanup.h"
#include "base/jscan.h"

#include <signal.h>
#include <stdio.h>

static int signal_number(struct span name) {
    if (!span_starts(name, SPAN("SIG"))) return 0;
    for (int i = 1; i < NSIG; i++) {
        const char *known = sigabbrev_np(i);
        if (known && span_eq_str(span_skip(name, 3), known)) return i;
    }
    return 0;
}

struct ending ending_read(struct span code, struct span signal) {
    struct ending e = {.code = -1};
    AUTO(arena) struct arena arena = ARENA_INIT(1024);
    int64_t n;
    struct span name;
    if (jscan_i64(code, &n) && n >= 0 && n <= 255) e.code = (int)n;
    if (jscan_string(signal, &arena, &name) == 0) e.signal = signal_number(name);
    return e;
}

int ending_status(struct ending e) {
    if (e.signal > 0) return 128 + e.signal;
    return e.code >= 0 ? e.code : 1;
}

struct ending_text ending_signal(struct ending e) {
    struct ending_text t;
    const char *name = sigabbrev_np(e.signal);
    if (name)
        (void)snprintf(t.text, sizeof t.text, "SIG%s", name);
    else
        (void)snprintf(t.text, sizeof t.text, "signal %d", e.signal);
    return t;
}

struct ending_text ending_text(struct ending e) {
    struct ending_text t;
    if (e.signal > 0)
        (void)snprintf(t.text, sizeof t.text, "killed by %.32s", ending_signal(e).text);
    else if (e.code >= 0)
        (void)snprintf(t.text, sizeof t.text, "exited with %d", e.code);
    else
        (void)snprintf(t.text, sizeof t.text, "ended");
    return t;
}
