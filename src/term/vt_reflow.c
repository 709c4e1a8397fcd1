#include "term/vt_int.h"

void vt_reflow(struct vt *vt, unsigned cols) {
    for (unsigned y = 0; y < vt->rows; y++)
        vt_row_resize(&vt->main.rows[y], cols);
}
