/*
 * What a terminal printed, as text: lines as people think of them, wrapped ones joined, without escape sequences. A screen plays
 * the output, and lines are given out when they have scrolled off it; or, for somebody who follows, when the cursor has
 * left them. What a full-screen program paints on the other screen is no log. Pure.
 */
#pragma once

#include "base/buf.h"
#include "term/vt.h"

enum { LOGTEXT_LINE_MAX = 1 << 20 };

struct logtext {
    struct vt *vt;   /* owned */
    bool follow;     /* lines above the cursor are done */
    int64_t next;    /* the first row that was not given out, less vt_view's lines_scrolled */
    struct buf line; /* rows of a line that goes on */
    void (*each)(void *user, struct span line);
    void *user;
};

/* Takes the screen over, and gives out what has scrolled off it. */
void logtext_init(struct logtext *l, struct vt *vt, void (*each)(void *user, struct span line), void *user);
void logtext_fini(struct logtext *l);

void logtext_feed(struct logtext *l, struct span bytes);
void logtext_resize(struct logtext *l, unsigned cols, unsigned rows);
void logtext_gap(struct logtext *l);
/* Another program begins below. */
void logtext_restart(struct logtext *l);
/* Another screen: what it shows is known already. */
void logtext_replace(struct logtext *l, struct vt *vt);
void logtext_follow(struct logtext *l);
/* Nothing follows: gives out the rest. */
void logtext_end(struct logtext *l);
