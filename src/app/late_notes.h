/* What the daemon could not note when it happened, tried again until it can. */
#pragma once

#include "api/note.h"

#include <uv.h>

struct late_notes {
    struct note_queue queue;
    const struct notes *notes;
    uv_timer_t again;
};

/* Gives `notes` a queue. */
void late_notes_open(struct late_notes *l, uv_loop_t *loop, struct notes *notes);
/* A last try, and no more after it. */
void late_notes_close(struct late_notes *l);
void late_notes_free(struct late_notes *l);
