/* What is kept of a terminal beside its journal: what runs in it, where, since when, how it ended. One JSON file, written
 * anew beside itself. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/path.h"
#include "pty/terminals.h"

enum { META_BYTES_MAX = 1 << 20 };

/* Strings are owned; NULL when unset. */
struct meta {
    char id[TERMINAL_ID_BYTES];
    enum terminal_kind kind;
    int64_t created_ms, started_ms, output_ms, ended_ms;
    uint64_t epoch;
    uint64_t bytes; /* printed in it, as of the last save */
    unsigned cols, rows;
    char *directory; /* where it was started */
    char *cwd;       /* where its foreground process was last */
    char **argv;     /* NULL: the user's shell */
    char **words;    /* what it was asked for, without what was added for this run; NULL: not known */
    bool marked;     /* it finds its own number in its environment */
    char **env;      /* additions */
    char *typed;     /* not typed yet */
    char *command, *title, *label;
    char *lost;      /* what of all this was found damaged, in a sentence */
    char **commands; /* the newest command lines, oldest first; masked */
    bool ended;      /* its end is known; otherwise it lives, or went down with the machine */
    bool rested;     /* it was put to rest */
    int code, signal;
};

void meta_fini(struct meta *m);
void meta_write(const struct meta *m, struct buf *out);
/* -EBADMSG with a sentence for what is no such text. */
int meta_parse(struct span json, struct meta *ret, struct err *err);

/* "DIR/meta.json"; `durable` waits for the disk. */
int meta_save(const char *dir, struct span json, bool durable);
/* -ENOENT when there is none. */
int meta_load(const char *dir, struct meta *ret, struct err *err);
/* What cannot be read is put aside, as "meta.json.damaged", so that it is not in the way. */
void meta_put_aside(const char *dir);
/* It is to be forgotten: whatever happens next, it does not come back. */
void meta_forget(const char *dir);
bool meta_forgotten(const char *dir);
