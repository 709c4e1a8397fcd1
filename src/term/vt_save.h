/*
 * A terminal as bytes, for the disk. A version, the parts in order, and a checksum over all of it: a damaged file is refused
 * before it is looked at. What passes is still not trusted: each number is checked where it is read.
 */
#pragma once

#include "base/buf.h"

enum { VT_SAVE_VERSION = 1, VT_SAVE_SUM_BYTES = 8, VT_SCROLLBACK_MAX = 1000000 };

#define VT_SAVE_MAGIC "ostler-vt"

uint64_t vt_save_sum(struct span body);
