/* Parts on their way into a backup. Internal to the files of the backup. */
#pragma once

#include "app/backup.h"

struct backup_stream;

/* `total`: how many bytes there will be, for who watches. */
int backup_stream_open(int out, const struct backup_watch *watch, uint64_t total, struct backup_stream **ret);
void backup_stream_free(struct backup_stream *s);

/* Adds the first `size` bytes of a file; what comes behind them is somebody's append. */
int backup_stream_file(struct backup_stream *s, const char *name, int fd, uint64_t size, int64_t mtime,
                       struct err *err);
int backup_stream_bytes(struct backup_stream *s, const char *name, struct span bytes, struct err *err);

/* Work that is done without a part of its own; -ECANCELED when it is to stop. */
int backup_stream_advance(struct backup_stream *s, uint64_t bytes);

/* Writes the manifest and the end; fills in what it counted. */
int backup_stream_end(struct backup_stream *s, struct backup_info *info, struct err *err);
