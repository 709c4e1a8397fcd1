/* A terminal's output played to somebody: from its journal, the oldest that is kept first. Blocking. */
#pragma once

#include "base/err.h"
#include "term/tape.h"
#include "term/vt.h"

struct log_sink {
    void (*begin)(void *user, struct vt *screen);   /* once, before the rest; taken over */
    void (*replace)(void *user, struct vt *screen); /* nobody knows what came between; taken over */
    void (*output)(void *user, struct span bytes);
    void (*resized)(void *user, unsigned cols, unsigned rows);
    void (*gap)(void *user);
    void (*restart)(void *user); /* another program begins below */
};

/* `*ret_place`: everything before was played; `*ret_exited`: and nothing follows. -ENOENT when there is no journal. */
int log_play(const char *dir, const struct log_sink *sink, void *user, struct tape_place *ret_place,
             bool *ret_exited, struct err *err);
