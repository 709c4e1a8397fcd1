/* The table of what may be shown, for the file that looks into it. */
#pragma once

#include "base/compiler.h"

#include <stddef.h>
#include <stdint.h>

/* Code points from `first` on; packed, because the hook has the table too. */
struct shown_range {
    uint32_t first : 21;
    uint32_t more : 18; /* as many follow it */
    uint32_t mark : 1;  /* they join the character before them */
};

extern const struct shown_range shown_ranges[]; /* in order, U+00A0 and up */
extern const size_t shown_ranges_n;
