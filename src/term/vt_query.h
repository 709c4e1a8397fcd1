/* What a program asks the terminal, and the answers. */
#pragma once

#include "base/span.h"

struct vt;

/* True when the sequence was a question (or one about windows, which is not answered). */
bool vt_query(struct vt *vt, uint32_t ident);
void vt_reply(struct vt *vt, const char *fmt, ...) PRINTF(2, 3);
/* Colours: OSC 4, 10…12 and 104, 110…112, with what follows the number. */
void vt_color_osc(struct vt *vt, unsigned command, struct span text);
/* A colour of the palette, 0xRRGGBB. */
uint32_t vt_palette_color(const struct vt *vt, unsigned i);
