/* The transcripts that a command is about, from the words behind it. */
#pragma once

#include "base/err.h"
#include "repair/verdict.h"

struct transcript_item {
    char *path; /* absolute */
    const char
        *root; /* the directory that was walked through, in `roots`; NULL when this very file was named */
    struct file_mark mark;
};

struct transcripts {
    struct transcript_item *items;
    size_t count, room;
    char **roots;
};

#define TRANSCRIPTS_INIT ((struct transcripts){0})

void transcripts_fini(struct transcripts *t);

/* Adds what a word means: a file, a directory (its transcripts, and those one level below), or the id of a session of
 * Claude Code. What is not there is added as it is, so that it is reported. A path that is too long fails. */
int transcripts_add(struct transcripts *t, const char *word, struct err *err);

/* Adds all of Claude Code's, and leaves the directory's name in `projects`. */
int transcripts_add_all(struct transcripts *t, char projects[PATH_BYTES], struct err *err);

/* The file that one word means, for commands about a single one. */
int transcripts_one(const char *word, char out[PATH_BYTES], struct err *err);

static inline void cleanup_transcripts(struct transcripts *t) {
    transcripts_fini(t);
}
