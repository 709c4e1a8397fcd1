/*
 * Writes a journal. Blocking: it belongs to one job of the pool at a time, and knows neither loop nor clock. What it is given
 * goes through the redaction and becomes records in memory; journal_writer_write() puts them into the file with one write().
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "base/list.h"
#include "term/redact.h"
#include "term/redact_screen.h"
#include "term/tape.h"

/* What is to be written, in order. */
struct journal_op {
    struct list in_journal;
    bool begins;               /* a new incarnation; `bytes` is its screen, as vt_save() made it */
    uint64_t epoch;            /* of that */
    struct tape_record record; /* otherwise; its bytes are `bytes` */
    struct buf bytes;
};

enum { JOURNAL_REST_BYTES = 16 << 10 }; /* buffers that are larger are not kept by one that rests */

struct journal_writer {
    char *dir;
    const struct redact_set *set;
    struct redact *redact;       /* NULL: nothing went through it yet */
    struct redact_screen *drawn; /* what a person sees of it; NULL likewise */
    unsigned cols, rows;         /* of the terminal; 0: not known */
    struct buf late;             /* struct redact_late: what is in the file, or in `out`, and must not be */
    bool opened;                 /* what the directory has is known … */
    bool blind;                  /* … or it could not be read, and was not waited for */
    bool started;                /* the newest segment has its head */
    bool dirty;                  /* something was written since the last sync */
    int fd;                      /* of the newest segment; -1: not open */
    uint64_t number;             /* of the newest segment; 0: there was none */
    struct tape_place place;     /* everything before it is in the file */
    uint64_t done;               /* likewise, or given up */
    uint64_t file_bytes, output_bytes; /* of the newest segment */
    uint64_t queued;                   /* everything before it is in the file or in `out` */
    uint64_t fed;                      /* likewise, or in the redaction */
    struct buf out;                    /* records that are to be written */
    struct buf clear;                  /* what the redaction lets through; empty between two calls */
    struct buf screen;                 /* of a new incarnation, packed, until it is written */
    struct buf sizes;                  /* struct tape_record: resizes behind bytes that are held back */
    struct tape_record size, exit;     /* the newest in `out`; kind 0: none */
};

void journal_writer_init(struct journal_writer *w, const char *dir, const struct redact_set *set);
void journal_writer_fini(struct journal_writer *w);

/* Looks at what there is, the first time; cuts off what a crash left torn. */
int journal_writer_open(struct journal_writer *w, struct err *err);
/* Does not wait for a directory that cannot be read: what comes begins a segment of its own, when that can be made. */
void journal_writer_open_blind(struct journal_writer *w);
void journal_writer_take(struct journal_writer *w, const struct journal_op *op);
/* What cannot be written stays, to be tried again. */
int journal_writer_write(struct journal_writer *w, struct err *err);
/* Gives up what waits: a gap takes its place. */
void journal_writer_give_up(struct journal_writer *w);
int journal_writer_sync(struct journal_writer *w, struct err *err);
/* Nothing is to be done for now: gives memory back, and the file. */
void journal_writer_rest(struct journal_writer *w);
/* Does it hold anything that rest() would give back? */
bool journal_writer_restless(const struct journal_writer *w);
