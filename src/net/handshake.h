/* The WebSocket handshake of RFC 6455, pure. */
#pragma once

#include "base/span.h"

enum { HANDSHAKE_ACCEPT_BYTES = 29 };

/* A Sec-WebSocket-Key: 16 bytes in base64. */
bool handshake_key_valid(struct span key);
/* The Sec-WebSocket-Accept for a valid key, with a NUL. */
void handshake_accept(struct span key, char out[HANDSHAKE_ACCEPT_BYTES]);
