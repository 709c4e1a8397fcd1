/*
 * The connection to one keeper. It is read once a turn of the loop, 64 KiB at most, so that no terminal keeps the others
 * waiting.
 */
#pragma once

#include "base/err.h"
#include "term/frame.h"

#include <uv.h>

struct link;

struct link_ops {
    void (*welcome)(void *user, const struct frame_welcome *w);
    void (*output)(void *user, uint64_t offset, struct span bytes);
    void (*resized)(void *user, const struct frame_size *size);
    void (*gap)(void *user, const struct frame_gap *gap);
    void (*exited)(void *user, const struct frame_exit *e);
    void (*guests)(void *user, unsigned count);
    /* The keeper is gone, or refuses, with its sentence. The link has been closed. */
    void (*lost)(void *user, const char *why);
};

/* Connects and says hello. -errno with a sentence when nobody listens there. */
int link_open(uv_loop_t *loop, const char *socket, const struct frame_hello *hello,
              const struct link_ops *ops, void *user, struct link **ret, struct err *err);
/* Ends asynchronously; no callback comes any more. NULL is fine. */
void link_close(struct link *l);

/* -EPIPE when the keeper is gone (lost() follows). */
int link_send(struct link *l, enum frame_type type, const void *fixed, size_t n);
/* Input for the program; `answers` as in struct frame_input. What a program does not read waits here, so that nothing else has
 * to wait behind it: -ENOBUFS past LINK_INPUT_MAX. */
enum { LINK_INPUT_MAX = 1 << 20 };
int link_input(struct link *l, uint64_t answers, struct span bytes);

/* Does a keeper listen there? Its pid is the one that the kernel noted. What cannot be found out at the moment counts as a
 * keeper whose pid is not known (0): nobody may be taken for dead, or be started again, because this daemon is short of
 * something. */
bool link_answers(const char *socket, int64_t *ret_pid);
/* True for errors of link_open() that say nothing about the keeper: the same call may succeed later. */
bool link_error_is_passing(int error);
