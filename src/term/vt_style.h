/* How a cell looks, and the pen that new ones are written with. Styles are interned: a cell holds a number. */
#pragma once

#include "term/vt_intern.h"
#include "term/vt_row.h"

/* A colour is its kind and its value. The sixteen and the 256 are told apart, because they are written differently. */
enum {
    COLOR_DEFAULT = 0,
    COLOR_16 = 1 << 24,
    COLOR_256 = 2 << 24,
    COLOR_RGB = 3 << 24,
    COLOR_KIND = 3 << 24,
    COLOR_VALUE = 0xffffff,
};

/* Beside enum vt_attr. */
enum { STYLE_PROTECTED = 1 << 8, STYLE_ATTRS = 0x1ff, PEN_UNDERLINED = 1 << 9 };

enum { VT_STYLES_MAX = 65000, VT_CLUSTERS_MAX = 65000, VT_LINKS_MAX = 8000, VT_CLUSTER_BYTES_MAX = 63 };
enum {
    VT_STYLES_BYTES_MAX = 16 * VT_STYLES_MAX,
    VT_CLUSTERS_BYTES_MAX = 1 << 20,
    VT_LINKS_BYTES_MAX = 1 << 20
};

struct vt_style {
    uint32_t fg, bg, ul;
    uint16_t attrs;
    uint8_t underline; /* 0…5 */
    uint8_t zero;
};
_Static_assert(sizeof(struct vt_style) == 16, "compared as bytes");

/* DECSC saves colours and attributes, and that there is an underline, but not its kind and colour, nor the link. */
struct vt_pen {
    uint32_t fg, bg, ul;
    uint16_t attrs; /* with PEN_UNDERLINED */
    uint8_t underline;
    uint16_t link;
    /* Derived, when `known`: */
    bool known;
    uint16_t style; /* of what is written */
    uint16_t erase; /* of what is erased: the background alone */
};

struct vt;

/* The number of a style, 0 for the default one; when there are too many of them at once, one that is near. */
uint16_t vt_style_number(struct vt *vt, const struct vt_style *style);
const struct vt_style *vt_style_of(const struct vt *vt, uint16_t number);
/* The style that the pen writes with. */
struct vt_style vt_pen_style(const struct vt_pen *pen);
/* Works out the derived part. */
void vt_pen_learn(struct vt *vt);
static inline bool vt_pen_default(const struct vt_pen *pen) {
    return !pen->fg && !pen->bg && !pen->attrs;
}

/* The number of a cluster's text; 0 when there are too many. */
uint32_t vt_cluster_number(struct vt *vt, struct span text);
/* The number of a link, for its parameter `id` (may be empty) and target. */
uint16_t vt_link_number(struct vt *vt, struct span id, struct span uri);
struct span vt_link_uri(const struct vt *vt, uint16_t link);
struct span vt_link_id(const struct vt *vt, uint16_t link);

/* Compact bytes of a style, which stand for themselves. Returns where they end; NULL when they do not fit or make no sense. */
enum { STYLE_BYTES_MAX = 20 };
uint8_t *vt_style_encode(const struct vt_style *style, uint16_t link, uint8_t *p);
const uint8_t *vt_style_decode(const uint8_t *p, const uint8_t *end, struct vt_style *ret,
                               uint16_t *ret_link);
