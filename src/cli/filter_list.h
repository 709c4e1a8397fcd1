/* The sequences that may pass to a person's terminal, each written anew. What is on no list appends nothing. */
#pragma once

#include "base/buf.h"
#include "term/vt_parser.h"

/* A control character, C0 or C1. */
void filter_control(uint32_t code, struct buf *out);
/* ESC and its bytes, as the parser collected them; RIS is not among them. */
void filter_escape(uint32_t ident, struct buf *out);
/* A control sequence with its parameters. */
void filter_csi(uint32_t ident, const struct vt_params *p, struct buf *out);
/* An operating system command: a link, to where a browser or a mailer goes; to anything else only its text is left. */
void filter_osc(struct span text, struct buf *out);
