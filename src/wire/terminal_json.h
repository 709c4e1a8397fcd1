/* Terminals on the wire, and the board's messages about them; see docs/protocol.md. */
#pragma once

#include "base/jwrite.h"

#include <stdint.h>

/* A terminal. Strings are NULL and times 0 where there is nothing to say. */
struct terminal_shape {
    const char *id;
    const char *session_id, *card_id, *worker_id; /* of its card; NULL: it has none (yet) */
    const char *working_dir;                      /* of its card */
    const char *directory;                        /* where its foreground process is, as far as known */
    const char *command, *label, *title, *kind, *connection;
    struct span screen_title;
    uint64_t epoch, bytes;
    int64_t created_ms, started_ms, output_ms, ended_ms, uptime_ms, pid;
    unsigned cols, rows, viewers;
    bool ended;         /* with `exit_code`, or -1 and `signal`; both unknown when it was lost */
    int exit_code;      /* -1: none */
    const char *signal; /* "SIGHUP" */
    const char *trouble;
    int64_t rests_ms; /* when it will be put to rest */
    const char *lost;
};

void terminal_json(struct jwrite *w, const struct terminal_shape *t);
/* "exitCode" and "signal" alone, as members of the object being written. */
void terminal_json_exit(struct jwrite *w, const struct terminal_shape *t);

/* The visible screen, as members of the object being written; the lines come from `line`, which appends the text of a row. */
struct screen_shape {
    unsigned cols, rows, cursor_col, cursor_row;
    bool cursor_visible;
    unsigned scrollback; /* lines of it that are wanted: rows -scrollback … -1 */
    void (*line)(const void *user, int row, struct buf *out);
    const void *user;
};
void terminal_json_screen(struct jwrite *w, const struct screen_shape *s);

/* What a terminal's processes take. */
struct terminal_usage {
    const struct terminal_shape *terminal;
    unsigned buffer_lines;
    int64_t quiet_ms; /* since the last output */
    double cpu_percent;
    uint64_t memory_bytes;
    unsigned processes;
};
void terminal_json_usage(struct jwrite *w, const struct terminal_usage *u);

/* Messages */

void terminal_msg_ready(struct buf *out, const char *id);
void terminal_msg_output(struct buf *out, const char *id, struct span bytes);
void terminal_msg_closed(struct buf *out, struct span id, const char *reason);
void terminal_msg_state(struct buf *out, const struct terminal_shape *t);
void terminal_msg_removed(struct buf *out, const char *id);
void terminal_msg_screen(struct buf *out, const char *id, const struct screen_shape *s);
