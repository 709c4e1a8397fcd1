/* Any bytes as a text message on a worker's socket. */
#include "base/cleanup.h"
#include "base/jscan.h"
#include "wire/tty_msg.h"

#include <errno.h>
#include <stdlib.h>

enum { ARENA_BYTES = 1 << 20, TIGHT_BYTES = 4, MESSAGE_BYTES = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) abort();
}

static void parse(struct span message, size_t arena_bytes) {
    AUTO(arena) struct arena arena = ARENA_INIT(arena_bytes);
    struct tty_request req = {.offset = UINT64_MAX};
    struct err err = {0};
    int r = tty_request_parse(message, &arena, &req, &err);
    if (r == 0) {
        require(req.data.n <= TTY_INPUT_MAX && req.offset <= INT64_MAX);
        require(req.type != TTY_RESIZE || (req.cols && req.rows));
        return;
    }
    require((r == -EINVAL || r == -EMSGSIZE) && req.offset == UINT64_MAX);
    AUTO(buf) struct buf out = BUF_INIT(MESSAGE_BYTES);
    tty_msg_error(&out, "BAD_MESSAGE", err.msg);
    require(err.msg[0] && !out.failed && jvalid(buf_span(&out), 2) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span message = span_of((const char *)data, size);
    parse(message, ARENA_BYTES);
    parse(message, TIGHT_BYTES);
    return 0;
}
