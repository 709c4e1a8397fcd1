/*
 * Bytes become characters, controls and sequences: a table of states after Paul Williams' parser for DEC terminals, with the
 * deviations of xterm.js. UTF-8 is decoded before it is looked at; what is malformed is dropped, as xterm.js does.
 */
#pragma once

#include "base/buf.h"

enum { VT_PARAMS_MAX = 32, VT_SUBPARAMS_MAX = 32 };

struct vt_params {
    int32_t values[VT_PARAMS_MAX], subs[VT_SUBPARAMS_MAX]; /* a sub-parameter that is not given is -1 */
    uint8_t n, subs_n;
    uint8_t sub_first[VT_PARAMS_MAX], sub_end[VT_PARAMS_MAX]; /* of each parameter */
    bool full, subs_full, in_sub;
};

struct vt_parser {
    uint8_t state;
    uint8_t utf8_left; /* bytes that the character still needs */
    uint8_t utf8_size;
    uint32_t utf8_code;
    uint32_t collect; /* prefix and intermediate bytes, the last one lowest */
    struct vt_params params;
    struct buf string; /* of an OSC or DCS */
    uint32_t dcs;      /* which one */
};

struct vt;

void vt_parser_init(struct vt_parser *p);
void vt_parser_fini(struct vt_parser *p);
/* Gives up whatever was begun. */
void vt_parser_reset(struct vt_parser *p);
void vt_parser_feed(struct vt *vt, const uint8_t *p, const uint8_t *end);

/* One byte of a character that is not ASCII. True: the character is whole, and no malformed one. */
bool vt_parser_decode(struct vt_parser *p, uint8_t byte, uint32_t *ret);
void vt_params_clear(struct vt_params *p);
/* A digit, a semicolon or a colon. */
void vt_params_add(struct vt_params *p, uint8_t byte);

/* Bytes that bring a fresh parser to the same point of the same sequence. */
void vt_parser_write(const struct vt_parser *p, struct buf *out);

/* A parameter; 0 when it was not given. */
static inline int32_t vt_param(const struct vt_params *p, unsigned i) {
    return i < p->n ? p->values[i] : 0;
}
/* A parameter whose default is 1. */
static inline int32_t vt_param1(const struct vt_params *p, unsigned i) {
    int32_t value = vt_param(p, i);
    return value ? value : 1;
}

/* How a sequence is known: its prefix and intermediate bytes in order, then its final one. */
#define VT_IDENT1(a) ((uint32_t)(a))
#define VT_IDENT2(a, b) ((uint32_t)(a) << 8 | (uint32_t)(b))
#define VT_IDENT3(a, b, c) ((uint32_t)(a) << 16 | (uint32_t)(b) << 8 | (uint32_t)(c))
