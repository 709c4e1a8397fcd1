/* The screens of hosted agents: a dialog that is shown, and one that is gone, are told (core/screen_rule, core/activity). */
#pragma once

struct app;
struct terminal;

/* What the terminal shows has changed; it happens at most ten times a second. */
void screens_shown(struct app *app, struct terminal *t);
