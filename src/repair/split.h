/*
 * The records of one line. Nearly always that is one, and the line is it. But a lost line end puts two records on a line,
 * and a record that a crash cut short has the next one right behind it. Of such a line newer versions of Claude Code read
 * the first records up to what is none, older versions nothing.
 *
 * A record is a whole JSON object at the beginning of the line, or behind another record. Behind bytes that are no record, it is an
 * object that begins as Claude Code's messages do, with the end of the line or another object behind it.
 *
 * Bytes come in pieces of any size. What was tried and is no record is gone back behind, so that memory stays the same
 * whatever the line holds; how often that happens is limited.
 */
#pragma once

#include "base/jpush.h"

enum {
    SPLIT_TRIES_MAX = 16,  /* behind bytes that are no record, for each line */
    SPLIT_HEAD_BYTES = 160 /* of a record that are kept */
};

enum split_event {
    SPLIT_MORE, /* the bytes from `at` on are wanted, which may be some that came before */
    SPLIT_RECORD, /* there is one at `begins`; its values are the parser's until the next call, which is as above */
    SPLIT_END, /* the rest of the line has none */
};

enum split_state { SPLIT_TRYING, SPLIT_SEARCHING, SPLIT_BEHIND_RECORD, SPLIT_FINISHED };

struct split {
    struct jpush *parser;
    enum split_state state;
    uint64_t at;          /* of the bytes that are wanted next */
    uint64_t begins;      /* where the record is that is tried, or was found */
    bool is_behind_scrap; /* bytes that are no record stand right before it */
    unsigned tries;
    size_t matched; /* bytes of a record's beginning, while one is searched for */
    size_t head_n;
    char head[SPLIT_HEAD_BYTES]; /* the first bytes of the record */
};

/* For the line that begins at `at`. */
void split_begin(struct split *s, struct jpush *parser, uint64_t at);

/* The bytes at `at`; `is_last`: the line ends behind them. */
enum split_event split_feed(struct split *s, struct span bytes, bool is_last);

/* The rest of the line is left alone. */
static inline void split_stop(struct split *s) {
    s->state = SPLIT_FINISHED;
}

/* Behind the record that was just found there is something else on its line, at `at`. */
static inline bool split_goes_on(const struct split *s) {
    return s->state == SPLIT_BEHIND_RECORD;
}
