/* Frames of a WebSocket, as a client sends and gets them. */
#pragma once

#include "fixture.h"

enum { FRAME_MAX = 200000, CLOSE = 8, PING = 9, PONG = 10 };

struct frame {
    unsigned opcode;
    struct span payload; /* valid until the next call */
    size_t whole;
};

/* `first` holds FIN and the opcode. */
void frames_send(struct client *c, unsigned first, struct span payload);
/* Waits for the next one. */
struct frame frames_want(struct client *c);
/* Waits for it, and it is a close with that code. */
void frames_want_close(struct client *c, unsigned code);
