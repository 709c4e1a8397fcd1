/* Any bytes as a message of a board's client: a request is complete, and a refusal is a sentence that can be sent. */
#include "base/cleanup.h"
#include "base/jscan.h"
#include "wire/board_msg.h"

#include <stdlib.h>

enum { ARENA_BYTES = 1 << 16, TIGHT_BYTES = 4, MESSAGE_BYTES = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) abort();
}

static void check_terminal(const struct board_terminal_request *req) {
    for (size_t i = 0; i < req->ids_count; i++)
        require(req->ids[i].n > 0 && req->ids[i].n <= BOARD_TERMINAL_ID_MAX);
    if (req->type == BOARD_TERMINAL_THUMBNAILS) return;
    require(req->id.n > 0 && req->id.n <= BOARD_TERMINAL_ID_MAX && req->data.n <= BOARD_TERMINAL_INPUT_MAX);
    if (req->type == BOARD_TERMINAL_RESIZE) require(req->cols && req->rows);
}

static void check_request(const struct board_request *req) {
    switch (req->type) {
    case BOARD_REQUEST_REPLAY: require(req->since_seq <= INT64_MAX); break;
    case BOARD_REQUEST_QUEUE_COUNT: require(req->id.n > 0 && req->count >= 0); break;
    case BOARD_REQUEST_OPEN:
    case BOARD_REQUEST_CLOSE:
    case BOARD_REQUEST_ANSWER: require(req->id.n > 0); break;
    case BOARD_REQUEST_STATS:
    case BOARD_REQUEST_INBOX: break;
    case BOARD_REQUEST_TERMINAL: check_terminal(&req->terminal); break;
    case BOARD_REQUEST_HELLO:
        for (size_t i = 0; i < req->looked_count; i++)
            require(req->looked[i].name.n > 0 && req->looked[i].urgency < BOARD_URGENCY_N_);
        break;
    }
}

static void parse(struct span message, size_t arena_bytes) {
    AUTO(arena) struct arena arena = ARENA_INIT(arena_bytes);
    struct board_request req = {.type = BOARD_REQUEST_REPLAY, .since_seq = UINT64_MAX};
    struct err err = {0};
    int r = board_request_parse(message, &arena, &req, &err);
    if (r == 0) {
        check_request(&req);
        return;
    }
    require(err.code == r && err.msg[0] && req.since_seq == UINT64_MAX);
    AUTO(buf) struct buf out = BUF_INIT(MESSAGE_BYTES);
    board_msg_error(&out, err.msg);
    require(!out.failed && jvalid(buf_span(&out), 2) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span message = span_of((const char *)data, size);
    parse(message, ARENA_BYTES);
    parse(message, TIGHT_BYTES);
    return 0;
}
