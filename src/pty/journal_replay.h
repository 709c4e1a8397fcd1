/* A journal played again: the screen that its bytes make, from the newest screen that it kept. Blocking. */
#pragma once

#include "pty/journal_files.h"
#include "term/vt.h"

struct journal_replay {
    struct tape_place place; /* everything before it has been played */
    struct vt *vt;           /* not answering */
    bool exited;
    struct tape_record exit;
    struct buf *recent; /* gets the newest bytes, without a gap in them; NULL: nobody wants them */
    int busy;           /* what could not be read just now, see journal_files_busy() */
};

/* Plays the segments before files->v[end], as far as they are whole. -ENOENT when there is nothing of a journal, -EMFILE and the
 * like when it cannot be told. */
int journal_replay(const char *dir, const struct journal_files *files, size_t end, unsigned scrollback,
                   struct journal_replay *replay);
