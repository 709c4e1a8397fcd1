/*
 * What has been written is put in order, beside the writing: each segment gets the screen at its beginning, by replaying the
 * one before; finished ones are packed; past the cap the oldest go. All of it can be broken off anywhere and done again.
 */
#pragma once

#include "base/err.h"

#include <stdint.h>

/* Segments before number `open` are finished. */
int journal_tidy(const char *dir, uint64_t open, struct err *err);
