/* Terminals as the wire and the spool tell of them. */
#pragma once

#include "core/command.h"
#include "core/state.h"
#include "pty/terminals.h"
#include "wire/terminal_json.h"

/* Where a card says that its agent runs, when that is a terminal of ours; the word is the seed's. */
#define TERMINAL_SOURCE "ssh"

/* Borrows from the terminal and the state. */
void terminal_shape(struct terminal_shape *ret, const struct terminal *t, const struct state *st,
                    int64_t now_ms);
/* Its screen, which must be in memory. */
void terminal_screen_shape(struct screen_shape *ret, const struct vt *vt, unsigned scrollback);

/* The command that makes its card. */
void terminal_made_command(struct command *ret, const struct terminal *t);

enum { TERMINAL_END_BYTES = 64 };
/* How it ended, in words: "exited with 0", "killed by SIGHUP". */
void terminal_end_words(char ret[TERMINAL_END_BYTES], const struct terminal *t);

/* "SIGHUP" for 1; NULL for 0. */
const char *terminal_signal_name(int signal);
