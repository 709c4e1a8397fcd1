/* A line of text that somebody types or changes. Pure. */
#pragma once

#include "base/buf.h"
#include "cli/keypress.h"

enum { LINE_EDIT_BYTES = 16 << 10 };

enum line_edit_state { LINE_EDIT_MORE, LINE_EDIT_DONE, LINE_EDIT_CANCELED };

struct line_edit {
    char text[LINE_EDIT_BYTES];
    size_t n, at; /* bytes, and where the cursor is */
};

/* Begins with a text that can be changed. */
void line_edit_begin(struct line_edit *e, struct span text);
enum line_edit_state line_edit_key(struct line_edit *e, const struct keypress *key);
struct span line_edit_text(const struct line_edit *e);
/* The text with a mark where the cursor is, in lines no wider than `width`. */
void line_edit_draw(const struct line_edit *e, struct span prompt, size_t width, struct buf *out);
