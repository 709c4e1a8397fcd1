/* Any bytes as the body of POST /api/terminals: nothing that a shell could make something of passes, and a refusal is a
 * sentence. */
#include "base/cleanup.h"
#include "wire/terminal_request.h"

#include <errno.h>
#include <stdlib.h>

enum { ARENA_BYTES = 1 << 20, TIGHT_BYTES = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) abort();
}

static bool is_safe(struct span s) {
    static const char meta[] = ";|&$`\\!><()\n\r{}[]";
    for (size_t i = 0; i < s.n; i++)
        if (!s.p[i] || strchr(meta, s.p[i])) return false;
    return true;
}

static void check(const struct terminal_request *req, struct arena *arena) {
    require(req->directory && req->directory[0] && is_safe(span_str(req->directory)));
    require(req->words ? req->words[0][0] != '\0' : is_safe(req->command));
    for (size_t i = 0; req->env && req->env[i]; i++) {
        require(strchr(req->env[i], '=') > req->env[i]);
        require(strncmp(req->env[i], "OSTLER_", 7) != 0);
    }
    require(req->cols <= TERMINAL_REQUEST_COLS_MAX && req->rows <= TERMINAL_REQUEST_ROWS_MAX);
    const char **words = NULL;
    struct err err = {0};
    if (terminal_request_split(req->command, arena, &words, &err) < 0) require(err.msg[0]);
    size_t bytes = 0;
    for (size_t i = 0; words && words[i]; i++)
        bytes += strlen(words[i]);
    require(bytes <= req->command.n);
}

static void parse(struct span body, size_t arena_bytes) {
    AUTO(arena) struct arena arena = ARENA_INIT(arena_bytes);
    struct terminal_request req = {.cols = 4711};
    struct err err = {0};
    int r = terminal_request_parse(body, &arena, &req, &err);
    if (r == 0)
        check(&req, &arena);
    else
        require((r == -EINVAL || r == -ENOTSUP) && err.msg[0] && req.cols == 4711);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span body = span_of((const char *)data, size);
    parse(body, ARENA_BYTES);
    parse(body, TIGHT_BYTES);
    return 0;
}
