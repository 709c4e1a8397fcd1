/* The screens of hosted agents: a dialog that is shown, and one that is gone, are told (core/screen_rule, core/activity). */
#pragma once

#include "base/buf.h"

struct vt;

struct app;
struct terminal;

/* The lowest rows of a screen, at most `max`, the last one first; their text is in `text`. */
size_t screens_rows(const struct vt *vt, size_t max, struct buf *text, struct span *rows);

/* What the terminal shows has changed; it happens at most ten times a second. */
void screens_shown(struct app *app, struct terminal *t);
