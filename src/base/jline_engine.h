/* The engines of jline_scan(), chosen at run time. Internal to base/. */
#pragma once

#include "base/jline.h"

/* As jline_scan(); false leaves `*ret` as it happens to be. */
typedef bool jline_engine(const struct jline_names *names, const char *p, size_t n, struct jline *ret);
jline_engine jline_scalar, jline_sse2, jline_avx2;
