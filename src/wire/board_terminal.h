/* What a board's client says about terminals: the terminal_* messages of its channel. */
#pragma once

#include "base/arena.h"
#include "base/err.h"

enum {
    BOARD_TERMINAL_INPUT_MAX = 256 << 10, /* bytes of one message */
    BOARD_THUMBNAILS_MAX = 200,
    BOARD_TERMINAL_ID_MAX = 128,
};

enum board_terminal_type {
    BOARD_TERMINAL_SUBSCRIBE,
    BOARD_TERMINAL_UNSUBSCRIBE,
    BOARD_TERMINAL_INPUT,
    BOARD_TERMINAL_RESIZE,
    BOARD_TERMINAL_DISCONNECT,
    BOARD_TERMINAL_THUMBNAILS,
};

struct board_terminal_request {
    enum board_terminal_type type;
    struct span id;
    struct span data; /* for the program */
    unsigned cols, rows;
    struct span *ids; /* whose screens it wants to see */
    size_t ids_count;
};

/* -EINVAL with a sentence for the client. `type` is the message's. */
int board_terminal_request_parse(struct span type, struct span message, struct arena *arena,
                                 struct board_terminal_request *ret, struct err *err);
