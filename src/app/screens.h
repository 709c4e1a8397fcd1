/* The screens of hosted agents: a dialog that is shown, and one that is gone, are told (core/screen_rule, core/activity). */
#pragma once

struct app;
struct terminal;

/* What the terminal shows has changed; it happens at most twice a second. */
void screens_painted(struct app *app, const struct terminal *t);
