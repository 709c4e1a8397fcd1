/* An open transcript, and what it holds. Internal to the files of this folder that do I/O. */
#pragma once

#include "repair/place.h"
#include "repair/transcript.h"

#include <sys/stat.h>

/* Opens a transcript; -1 leaves the verdict on a file that cannot be looked at, which is no failure. */
int open_transcript(const struct place *p, int flags, struct stat *ret, struct scan_verdict *verdict,
                    struct err *err);
/* That verdict alone, for a place that could not be found; -1. */
int cannot_open(const char *path, int code, struct scan_verdict *verdict, struct err *err);

/* Makes an empty transcript; transcript_fini() ends it. */
void start_transcript(struct transcript *t);

/* Reads its messages, as far as the file went when `st` was taken. Progress is told in parts of `total`. */
int read_messages(int fd, const struct stat *st, struct transcript *t, const struct progress *progress,
                  uint64_t total);
