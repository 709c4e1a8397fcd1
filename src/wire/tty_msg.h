/* The messages of a worker's socket, both dialects: the seed's JSON, and ostler.tty.v1 with binary frames. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "wire/terminal_json.h"

#define TTY_MSG_PROTOCOL "ostler.tty.v1"

enum {
    TTY_HEAD_BYTES = 24,
    TTY_INPUT_MAX = 256 << 10, /* bytes of one input message */
    TTY_MESSAGE_MAX = 2 << 20, /* of a client: an input with every byte escaped */
};

enum tty_kind { TTY_OUTPUT = 1, TTY_SNAPSHOT = 2 };

/* The head of a binary message: kind, 0, cols, rows, 0, epoch, offset; little-endian. */
void tty_msg_head(char ret[TTY_HEAD_BYTES], enum tty_kind kind, unsigned cols, unsigned rows, uint64_t epoch,
                  uint64_t offset);

/* ostler.tty.v1 */
void tty_msg_hello(struct buf *out, const struct terminal_shape *t);
void tty_msg_resized(struct buf *out, uint64_t offset, unsigned cols, unsigned rows);
void tty_msg_gap(struct buf *out, uint64_t from, uint64_t to);
void tty_msg_epoch(struct buf *out, uint64_t epoch);
void tty_msg_state(struct buf *out, const struct terminal_shape *t);
void tty_msg_deleted(struct buf *out);

/* The seed's. `offset` is behind the text: what a client that comes back asks for. */
void tty_msg_text(struct buf *out, const char *type, struct span text, uint64_t start, uint64_t offset,
                  uint64_t epoch);

/* Both */
void tty_msg_exit(struct buf *out, int code, const char *signal); /* -1 and NULL: unknown */
void tty_msg_activity(struct buf *out, const char *state);
void tty_msg_error(struct buf *out, const char *code, const char *sentence);

enum tty_request_type { TTY_INPUT, TTY_RESIZE, TTY_ACK, TTY_HISTORY, TTY_IMAGE };

struct tty_request {
    enum tty_request_type type;
    struct span data;
    unsigned cols, rows;
    uint64_t offset;
    bool has_offset;
};

/* -EINVAL with a sentence for the client; -EMSGSIZE: more input than is taken at once. */
int tty_request_parse(struct span message, struct arena *arena, struct tty_request *ret, struct err *err);
