/* What the files that make up a terminal share. terminals.c is the collection, terminal.c one of them while it lives,
 * incarnation.c how it comes to life, rest.c how it is put to rest, saved.c what of it is on disk, viewers.c who looks at it. */
#pragma once

#include "base/clock_step.h"
#include "base/list.h"
#include "base/map.h"
#include "pty/environment.h"
#include "pty/journal.h"
#include "pty/launch.h"
#include "pty/link.h"
#include "pty/meta.h"
#include "pty/terminals.h"
#include "pty/viewers.h"
#include "term/shell_ready.h"

enum {
    PAINT_MS = 500,      /* the screen is told to have changed at most this often */
    LOOK_MS = 100,       /* likewise to who only looks at it */
    TELL_MS = 1000,      /* likewise viewers and activity */
    DIRECTORY_MS = 1000, /* after output, its directory is looked at */
    SAVE_MS = 500,       /* what changed often is saved at most this often */
    LOAD_AGAIN_MS = 200,
    CONNECT_AGAIN_MS = 200,
    SAVE_AGAIN_MS = 1000,  /* what could not be */
    UNLOAD_MS = 60 * 1000, /* the screen of an ended one is given up, when nobody looks */
    TRIM_MS = 10 * 1000,   /* after output has paused, memory is given back */
    REPAINT_MS = 60,       /* between the two resizes that make a program repaint */
    SNAPSHOT_BYTES_MAX = 256 << 20,
    FETCH_BYTES = 256 << 10, /* of older output, at once */
};

/* What a terminal's timer is for, each at most once at a time. */
enum due {
    DUE_READY, /* look whether the shell shows a prompt */
    DUE_PAINT,
    DUE_LOOK,
    DUE_TELL,
    DUE_DIRECTORY,
    DUE_SAVE,
    DUE_REST,
    DUE_WAKE, /* a viewer waits to be skipped ahead */
    DUE_REPAINT,
    DUE_UNLOAD,
    DUE_TRIM,
    DUE_LOAD,    /* what it printed could not be read just now */
    DUE_CONNECT, /* its keeper could not be connected to just now */
    DUE_START,   /* the keeper of before should have gone by now */
    DUE_N_
};

/* Somebody who waits for the screen to be in memory. */
struct screen_wait {
    struct list in_terminal;
    void (*done)(void *user, struct terminal *t);
    void *user;
};

struct terminal {
    struct list in_terminals;
    struct terminals *owner;
    struct meta meta;
    char dir[PATH_BYTES], journal_dir[PATH_BYTES], socket[PATH_BYTES];
    enum terminal_connection connection;
    int64_t pid;
    uint64_t pid_start;

    struct link *link;       /* NULL: none */
    bool welcomed;           /* it has been answered */
    bool environment_kept;   /* its environment is on the disk, as far as it may be */
    bool awaits_environment; /* it starts when everybody's is known */
    uint64_t answered;       /* queries that end at or before this have had their answer */
    unsigned guests;         /* who look on past the daemon */
    unsigned repaint_rows;
    struct vt *vt; /* NULL: not in memory */
    struct stream stream;
    struct journal *journal;
    uint64_t written; /* what the journal has */
    uint64_t granted; /* credit.c's: the keeper sends as far as this */
    uint64_t hungry_at;
    struct list in_hungry, in_waiting;
    char *trouble;
    bool has_stream;
    bool exit_known;  /* the keeper has told it all */
    bool exit_saved;  /* and that is on disk */
    bool deleted;     /* it is only being taken down */
    bool told_to_end; /* somebody asked for it */
    bool journal_closing, launching;
    bool resting;      /* its end is our doing */
    bool rest_looking; /* whether anything runs in it */
    bool repainting;
    bool sized;                /* its size in this connection is known */
    bool counted;              /* among the live ones */
    bool awaiting_written;     /* a viewer needs what is on its way to the disk */
    struct shell_ready *ready; /* NULL: nothing is to be typed */
    char **secrets;            /* of the environment; in memory only */
    char **environment;        /* whole, with its secrets; NULL: everybody's, or on the disk */
    int64_t rests_ms;          /* when it is to be put to rest, as people were told; 0: it is not */
    uint64_t rest_cpu;         /* what its shell had had then */

    uv_timer_t timer;
    uint64_t due[DUE_N_];   /* by uv_now(); 0: not */
    uint64_t told_at;       /* when changed() was called last, by uv_now() */
    int64_t seen_ms;        /* when the last viewer left, or it was made */
    uint64_t typed;         /* how often something was typed, in this daemon's time */
    bool loading;           /* from the journal */
    bool has_past;          /* there was something in it */
    bool catching_up;       /* with what its keeper has printed meanwhile, */
    uint64_t catches_up_at; /* up to here: viewers may have seen that far */
    void (*loaded)(struct terminal *t);
    struct list waits; /* struct screen_wait */
    bool saving, save_again;
    int save_error;      /* of the last try, which was told */
    unsigned looks;      /* at the keeper of before, since it was to start again */
    terminal_done *done; /* who waits for this incarnation */
    void *done_user;
};

struct terminals {
    uv_loop_t *loop;
    struct terminals_options options;
    char dir[PATH_BYTES], keeper[PATH_BYTES];
    const struct terminals_ops *ops;
    void *user;
    struct list all;             /* in the order in which they were made */
    struct list going;           /* deleted, and not yet gone */
    struct list hungry, waiting; /* credit.c's: who used up credit lately, and who waits for more */
    uv_timer_t tick;
    struct map by_id;
    unsigned live;
    bool closing;
    struct clock_step step;
    struct buf scratch; /* a snapshot, or older bytes, of the last pull */
    struct buf replies; /* to the queries of the bytes being fed */
};

/* terminals.c */
/* The time. If the clock was set, what the terminals remember of it has moved along. */
int64_t terminals_now_ms(struct terminals *ts);
void terminal_set_due(struct terminal *t, enum due due, uint64_t in_ms); /* unless it is due earlier */
struct terminal *terminal_new(struct terminals *ts, struct meta *meta);  /* takes what `meta` owns */
void terminal_discard(struct terminal *t); /* it never came to life: it is forgotten, its directory too */
/* A deleted one: takes the next step of its going, when there is one. */
void terminal_settle(struct terminal *t);
/* Tells `done` in the next turn. */
void terminals_fail(struct terminals *ts, terminal_done *done, void *user, const struct err *err);
void terminal_tell(struct terminal *t); /* what people are told of it has changed */

/* terminal.c */
extern const struct vt_ops terminal_vt_ops;
extern const struct link_ops terminal_link_ops;
extern const struct journal_ops terminal_journal_ops;
void terminal_move(struct terminal *t, enum terminal_connection to);
void terminal_wake(struct terminal *t);
void terminal_open_journal(struct terminal *t);
void terminal_look_ready(struct terminal *t);
void terminal_look_directory(struct terminal *t);
void terminal_repaint(struct terminal *t);
/* Lets the keeper of an ended one go, when nothing depends on it any more. */
void terminal_release(struct terminal *t);
/* It has the past that anybody can have seen. */
void terminal_caught_up(struct terminal *t);
/* Its program is gone. */
void terminal_lost(struct terminal *t, int code, int signal, int64_t at_ms);

/* credit.c */
void credit_open(struct terminals *ts);
void credit_close(struct terminals *ts);
uint64_t credit_begin(struct terminal *t, uint64_t offset); /* returns how far the keeper may send at first */
void credit_used(struct terminal *t);                       /* output came */
void credit_acknowledge(struct terminal *t);                /* `written` has changed */
void credit_forget(struct terminal *t);

/* incarnation.c */
void incarnation_start(struct terminal *t, terminal_done *done, void *user);
int incarnation_connect(struct terminal *t, uint64_t epoch, uint64_t offset, struct err *err);

/* adopt.c */
void adopt_connect(struct terminal *t); /* to the keeper of one whose past is loaded */

/* saved.c */
void saved_write(struct terminal *t); /* soon, on the pool */
void saved_forget(struct terminal *t);
void saved_load(struct terminal *t, void (*then)(struct terminal *t)); /* the screen, from the journal */
void saved_drop_screen(struct terminal *t); /* screen and stream; their memory goes back to the system */
void saved_unload(struct terminal *t);
void saved_remove(struct terminals *ts, const char *dir); /* a directory that was given up, on the pool */
/* Tells those who wait for the screen: it is there, or it never will be. */
void terminal_screen_ready(struct terminal *t);
void terminal_wait_cancel(struct terminal *t, const void *user);

/* Something of it is lost: people are told, and the log. */
void terminal_lose(struct terminal *t, const char *fmt, ...) PRINTF(2, 3);

/* viewers.c */
unsigned viewers_count(const struct terminal *t);
void viewers_leave(struct terminal *t); /* all of them: it is deleted */
