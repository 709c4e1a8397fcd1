/*
 * Text for a person at a terminal, and the only way for the commands to print any (tools/lint.py sees to it). What agents wrote,
 * and what files are called, cannot speak to the terminal through it: only what base/shown lists passes.
 */
#pragma once

#include "base/span.h"

#include <stdio.h>

/* As printf: %s, %c, %d and %u with width, precision and length. The format is ours; the texts that it names are shown as
 * screen_text() shows them, and their width is counted in columns. */
void screen_print(const char *fmt, ...) PRINTF(1, 2);
void screen_print_to(FILE *to, const char *fmt, ...) PRINTF(2, 3);
/* Words of our own as they are, colours and all. */
void screen_literal(const char *text);
/* Bytes as they are, for who asked for them and is no terminal. */
void screen_bytes(struct span bytes);
/* JSON and an end of line; in its strings, what may not be shown is escaped. */
void screen_json(struct span json);
/* A piece of it, cut between characters. */
void screen_json_part(struct span json);

/* Columns of the terminal; elsewhere (a file, a pipe) lines may be as long as they like. */
size_t screen_width(void);
/* Is standard output a terminal that wants colours (NO_COLOR, TERM=dumb)? */
bool screen_has_colour(void);
/* The same for another descriptor. */
bool screen_wants_colour(int fd);

/* Text on standard output; what may not be shown is a blank or U+FFFD. */
void screen_text(struct span s);
/* The same in a column of `width` cells: cut, with a … at its end, or filled up with blanks. */
void screen_column(struct span s, size_t width);
/* The same, no wider than `width`, and not filled up. */
void screen_cut(struct span s, size_t width);
/* Several lines of it; their ends stay. */
void screen_lines(struct span s);
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
