/* Who looks at a terminal, and what is next for them. Everything runs on the loop thread. */
#pragma once

#include "term/stream.h"

struct terminal;

struct terminal_viewer {
    struct stream_viewer cursor; /* `flow` and `exact` are the owner's to set, before it attaches */
    bool unsized;              /* its window's size is not known (yet): it is shown what fits any; likewise */
    struct terminal *terminal; /* NULL when detached, also because it was deleted */
    /* There may be something to pull; only notes it, never pulls from within. */
    void (*wake)(void *user);
    void *user;

    /* viewers.c's */
    bool waiting, attached, told_gone, has_place, awaits_written;
    uint64_t epoch, offset;
    unsigned cols, rows;          /* that an unsized one wants */
    struct terminal_fetch *fetch; /* older bytes are being fetched for it */
};

/* With `epoch` and `offset`: it has everything before that. Otherwise NULL: it begins with a snapshot. */
void terminal_attach(struct terminal *t, struct terminal_viewer *v, const uint64_t *epoch,
                     const uint64_t *offset);
void terminal_detach(struct terminal_viewer *v);

enum terminal_item_kind {
    TERMINAL_NOTHING,
    TERMINAL_OUTPUT,   /* bytes at offset */
    TERMINAL_SNAPSHOT, /* bytes: escape sequences for a terminal of cols × rows, standing for offset */
    TERMINAL_RESIZED,  /* cols × rows from offset on */
    TERMINAL_GAP,      /* [offset, to) is lost; a snapshot follows */
    TERMINAL_EXIT,     /* code, signal */
    TERMINAL_EPOCH,    /* a new incarnation; a snapshot follows */
    TERMINAL_DELETED,  /* last */
};

struct terminal_item {
    enum terminal_item_kind kind;
    uint64_t epoch, offset, to;
    struct span bytes; /* borrowed until the next call */
    unsigned cols, rows;
    int code, signal;
};

/* What is next for the viewer, at most `max` bytes of output. It counts as sent. */
void terminal_pull(struct terminal_viewer *v, size_t max, struct terminal_item *ret);
void terminal_ack(struct terminal_viewer *v, uint64_t offset);

/* The size of its window, which the terminal takes, as by terminal_resize(). One that was unsized is shown the screen anew once
 * that has its size. */
int terminal_viewer_resize(struct terminal_viewer *v, unsigned cols, unsigned rows);
