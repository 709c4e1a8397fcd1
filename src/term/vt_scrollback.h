/*
 * Lines that have left the top of the screen, packed, in chunks: the oldest go, one at a time, when there are more than the
 * limit. A chunk holds lines from its front and where each begins from its back.
 */
#pragma once

#include "term/vt_intern.h"
#include "term/vt_line.h"

struct vt_chunk {
    uint32_t room, used; /* bytes of `data` */
    uint32_t first, n;   /* lines: those before `first` are gone already */
    uint8_t data[];
};

struct vt_scrollback {
    struct vt_chunk **chunks; /* oldest first */
    size_t n, size, gone;     /* chunks; room for them; those at the front that are freed already */
    unsigned lines, limit;
    struct vt_chunk *spare;
    /* Where the line looked up last was found: the chunk, and the number of the first line in it. */
    size_t at;
    unsigned at_line;
};

void vt_scrollback_fini(struct vt_scrollback *s);
void vt_scrollback_clear(struct vt_scrollback *s);
void vt_scrollback_push(struct vt_scrollback *s, const struct vt *vt, const struct vt_row *row);
void vt_scrollback_append(struct vt_scrollback *s, struct span line);
/* Drops the newest line. */
void vt_scrollback_pop(struct vt_scrollback *s);
/* A line, 0 the oldest; valid until the next change. */
struct span vt_scrollback_line(const struct vt_scrollback *s, unsigned line);
void vt_scrollback_mark_links(const struct vt_scrollback *s, struct vt_intern *links);
size_t vt_scrollback_memory(const struct vt_scrollback *s);
