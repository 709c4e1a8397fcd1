/* A text as a QR code: byte mode, error correction M, versions 1 to 10, which is up to 213 bytes. ISO/IEC 18004. Pure. */
#pragma once

#include "base/span.h"

enum { QR_TEXT_MAX = 213, QR_SIZE_MAX = 57, QR_QUIET = 4, QR_MASKS = 8 };

struct qr {
    int size;                            /* modules a side, without the quiet zone of QR_QUIET around it */
    int mask;                            /* which of the patterns was laid over it */
    bool dark[QR_SIZE_MAX][QR_SIZE_MAX]; /* by row, then column */
};

/* -EMSGSIZE when the text is too long. */
int qr_make(struct span text, struct qr *ret);
/* The same with a mask of the caller's, for tests: others may choose another one. */
int qr_make_masked(struct span text, int mask, struct qr *ret);
