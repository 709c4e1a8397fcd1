/* Frames as net/ itself sees them. */
#pragma once

#include "base/buf.h"
#include "net/ws.h"

enum ws_opcode { WS_TEXT = 1, WS_BINARY = 2, WS_CLOSE = 8, WS_PING = 9, WS_PONG = 10 };
enum { WS_HEADER_MAX = 10, WS_CONTROL_MAX = 125 };

/* Writes the header of an unmasked, unfragmented frame and returns its length. */
size_t ws_frame_header(char out[WS_HEADER_MAX], enum ws_opcode opcode, size_t payload);
/* A client's frame, whole: masked with bytes that nobody can foresee. */
int ws_frame_append_masked(struct buf *out, enum ws_opcode opcode, struct span payload);
struct span ws_frame_span(const struct ws_frame *f);
