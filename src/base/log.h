/*
 * Log lines: `[ISO time] [tag] LEVEL message` on stderr. A file that logs defines LOG_TAG before including this. A message is
 * one line, whatever it quotes: what may not be shown is spelled out (base/shown).
 * Pure code (tier 1) never logs; the caller that gives up does, once.
 */
#pragma once

#include "base/compiler.h"

#include <stdbool.h>

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

/* Lines above `level` are dropped. Default LOG_INFO. */
void log_set_level(enum log_level level);
/* Would such a line be written? */
bool log_wants(enum log_level level);
/* Levels in colour: red, yellow, magenta. Default: plain. */
void log_set_colour(bool on);

/* From now on standard error is this file (0600, appended to), and so is everything that is logged. When a line has made it
 * larger than `limit` it becomes PATH.1, in the place of the last one of that name, and a new one is begun. */
struct err;
int log_to_file(const char *path, size_t limit, struct err *err);

void log_line(enum log_level level, const char *tag, const char *fmt, ...) PRINTF(3, 4);

#define log_error(...) log_line(LOG_ERROR, LOG_TAG, __VA_ARGS__)
#define log_warn(...) log_line(LOG_WARN, LOG_TAG, __VA_ARGS__)
#define log_info(...) log_line(LOG_INFO, LOG_TAG, __VA_ARGS__)
#define log_debug(...) log_line(LOG_DEBUG, LOG_TAG, __VA_ARGS__)
