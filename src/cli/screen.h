/* Text for a person at a terminal. What agents wrote, and what files are called, cannot speak to the terminal through it. */
#pragma once

#include "base/span.h"

/* Columns of the terminal; elsewhere (a file, a pipe) lines may be as long as they like. */
size_t screen_width(void);
/* Is standard output a terminal that wants colours (NO_COLOR, TERM=dumb)? */
bool screen_has_colour(void);
/* The same for another descriptor. */
bool screen_wants_colour(int fd);

/* Text on standard output; control characters and bytes that are no UTF-8 are shown as blanks. */
void screen_text(struct span s);
/* The same in a column of `width` characters: cut, with a … at its end, or filled up with blanks. */
void screen_column(struct span s, size_t width);
/* A file's path, with ~ for the home directory. */
void screen_path(const char *path);

/* "1.5 MB", at most four figures long. */
struct screen_size {
    char text[16];
};
struct screen_size screen_size(uint64_t bytes);

/* How long: "5s", "12m", "30h". */
struct screen_age {
    char text[24];
};
struct screen_age screen_age(int64_t ms);

/* "1 file", "3 files". */
struct screen_count {
    char text[48];
};
struct screen_count screen_count(uint64_t n, const char *one, const char *many);
