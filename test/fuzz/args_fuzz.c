/* Command lines of other processes: whoever runs as this user writes there what he likes. */
#include "core/find.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span args = span_of((const char *)data, size);
    enum cli cli = CLI_N_;
    bool script = false;
    if (!find_cli(args, &cli, &script)) {
        require(cli == CLI_N_ && !script);
        return 0;
    }
    require(cli < CLI_N_);
    /* The name is the end of a word or stands before an extension, and behind the start of a word or a slash. */
    struct span name = span_str(cli_to_str(cli));
    bool found = false;
    for (const char *p = args.p, *end = p + args.n; (p = memmem(p, (size_t)(end - p), name.p, name.n)); p++) {
        const char *after = p + name.n;
        found |= (p == args.p || p[-1] == '/' || p[-1] == '\0') &&
                 (after == end || *after == '\0' || *after == '.');
    }
    require(found);
    return 0;
}
