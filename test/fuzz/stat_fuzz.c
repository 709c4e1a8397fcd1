/* /proc/PID/stat: a process chooses its own name, so the text around it is not to be trusted. */
#include "hook/out.h"
#include "hook/title.h"
#include "platform/proc.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span bytes = span_of((const char *)data, size);
    struct proc p;
    if (proc_parse(bytes, &p) == 0) {
        char path[PROC_TTY_BYTES];
        if (memchr(p.comm, '\0', sizeof p.comm) == NULL || p.pid < 0 || p.parent < 0) abort();
        if (proc_tty_path(p.tty, path) && strlen(path) >= sizeof path) abort();
    }
    struct proc_usage usage;
    if (proc_usage_parse(bytes, &usage) == 0 && (usage.proc.pid < 0 || usage.session < 0)) abort();
    (void)title_wanted(bytes);
    char room[600];
    struct out o = {.p = room, .cap = sizeof room};
    out_member_string(&o, "key", bytes);
    if (o.full || o.n > o.cap || (o.n && room[o.n - 1] != '"')) abort();
    return 0;
}
