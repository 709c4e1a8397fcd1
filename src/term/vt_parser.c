#include "term/vt_parser.h"

#include "base/utf8.h"
#include "term/vt_int.h"
#include "term/vt_states.h"

enum { STRING_KEPT = 1024 };

void vt_params_clear(struct vt_params *p) {
    p->n = 1;
    p->values[0] = 0;
    p->subs_n = p->sub_first[0] = p->sub_end[0] = 0;
    p->full = p->subs_full = p->in_sub = false;
}

static void params_next(struct vt_params *p) {
    p->in_sub = false;
    if (p->n == VT_PARAMS_MAX) {
        p->full = true;
        return;
    }
    p->values[p->n] = 0;
    p->sub_first[p->n] = p->sub_end[p->n] = p->subs_n;
    p->n++;
}

static void params_next_sub(struct vt_params *p) {
    p->in_sub = true;
    if (p->full || p->subs_n == VT_SUBPARAMS_MAX) {
        p->subs_full = true;
        return;
    }
    p->subs[p->subs_n++] = -1;
    p->sub_end[p->n - 1]++;
}

static void params_digit(struct vt_params *p, int digit) {
    if (p->full || (p->in_sub && (p->subs_full || !p->subs_n))) return;
    int32_t *value = p->in_sub ? &p->subs[p->subs_n - 1] : &p->values[p->n - 1];
    int64_t more = *value == -1 ? digit : (int64_t)*value * 10 + digit;
    *value = (int32_t)MIN(more, INT32_MAX);
}

void vt_params_add(struct vt_params *p, uint8_t byte) {
    if (byte == ';')
        params_next(p);
    else if (byte == ':')
        params_next_sub(p);
    else
        params_digit(p, byte - '0');
}

void vt_parser_init(struct vt_parser *p) {
    *p = (struct vt_parser){.string = BUF_INIT(VT_OSC_BYTES_MAX)};
    vt_params_clear(&p->params);
}

void vt_parser_fini(struct vt_parser *p) {
    buf_fini(&p->string);
}

static void string_clear(struct vt_parser *p) {
    /* What one long string needed is not kept for ever. */
    if (p->string.room > STRING_KEPT) buf_fini(&p->string);
    p->string.cap = VT_OSC_BYTES_MAX;
    buf_clear(&p->string);
}

void vt_parser_reset(struct vt_parser *p) {
    p->state = GROUND;
    p->utf8_left = 0;
    p->collect = 0;
    vt_params_clear(&p->params);
    string_clear(p);
}

static void string_end(struct vt *vt, bool osc, bool whole) {
    struct vt_parser *p = &vt->parser;
    if (whole && !p->string.failed) {
        if (osc)
            vt_osc(vt, buf_span(&p->string));
        else
            vt_dcs(vt, p->dcs, buf_span(&p->string));
    }
    string_clear(p);
    vt_params_clear(&p->params);
    p->collect = 0;
    vt->join = 0;
}

static void string_put(struct vt_parser *p, uint32_t code) {
    char text[4];
    if (!p->string.failed) (void)buf_append(&p->string, text, utf8_encode(code, text));
}

static void dispatch_csi(struct vt *vt, uint8_t final) {
    vt->parser.state = GROUND;
    vt->in_run = false;
    vt_csi(vt, vt->parser.collect << 8 | final);
    vt->join = 0;
}

static void step(struct vt *vt, uint32_t code) {
    struct vt_parser *p = &vt->parser;
    uint8_t next = vt_transition(p->state, code);
    p->state = next & 15;
    if (next >> 4 != PRINT) vt->in_run = false;
    switch ((enum vt_action)(next >> 4)) {
    case DROP:
    case IGNORE: break;
    case PRINT: vt_print(vt, &code, 1); break;
    case EXECUTE:
        vt_execute(vt, code);
        vt->join = 0;
        break;
    case CLEAR:
        vt_params_clear(&p->params);
        p->collect = 0;
        break;
    case COLLECT: p->collect = p->collect << 8 | code; break;
    case PARAM: vt_params_add(&p->params, (uint8_t)code); break;
    case ESC_DISPATCH:
        vt_esc(vt, p->collect << 8 | code);
        vt->join = 0;
        break;
    case CSI_DISPATCH: dispatch_csi(vt, (uint8_t)code); break;
    case OSC_START: string_clear(p); break;
    case DCS_HOOK:
        string_clear(p);
        p->dcs = p->collect << 8 | code;
        break;
    case OSC_PUT:
    case DCS_PUT: string_put(p, code); break;
    case OSC_END: string_end(vt, true, code != 0x18 && code != 0x1a); break;
    case DCS_END: string_end(vt, false, code != 0x18 && code != 0x1a); break;
    }
}

bool vt_parser_decode(struct vt_parser *p, uint8_t byte, uint32_t *ret) {
    if (!p->utf8_left) {
        p->utf8_size = byte >= 0xf8 || byte < 0xc0 ? 0 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
        if (!p->utf8_size) return false;
        p->utf8_left = p->utf8_size - 1;
        p->utf8_code = byte & (0x7fU >> p->utf8_size);
        return false;
    }
    p->utf8_code = p->utf8_code << 6 | (byte & 0x3f);
    if (--p->utf8_left) return false;
    static const uint32_t least[] = {[2] = 0x80, [3] = 0x800, [4] = 0x10000};
    uint32_t code = p->utf8_code;
    /* A byte order mark is no character either. */
    if (code < least[p->utf8_size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || code == 0xfeff)
        return false;
    *ret = code;
    return true;
}

/* Characters of text that is not all ASCII. Returns at the first control, or when there is nothing more. */
static const uint8_t *feed_text(struct vt *vt, const uint8_t *at, const uint8_t *end) {
    struct vt_parser *p = &vt->parser;
    while (at < end) {
        uint32_t codes[128], control = 0;
        size_t n = 0;
        while (at < end && n < ARRAY_LEN(codes) && !control) {
            uint32_t code;
            if (*at < 0x80) {
                if (p->utf8_left) p->utf8_left = 0;
                if (*at - 0x20U >= 0x5f) break;
                codes[n++] = *at++;
                continue;
            }
            if (p->utf8_left && (*at & 0xc0) != 0x80) p->utf8_left = 0;
            if (!vt_parser_decode(p, *at++, &code)) continue;
            if (code < VT_OTHER)
                control = code;
            else
                codes[n++] = code;
        }
        bool stopped = at < end && n < ARRAY_LEN(codes);
        vt_print(vt, codes, n);
        if (control) step(vt, control);
        if (control || stopped) return at;
    }
    return at;
}

/* What is neither the ground state's text nor ASCII; strings are taken in runs. */
static const uint8_t *feed_sequence(struct vt *vt, const uint8_t *at, const uint8_t *end) {
    struct vt_parser *p = &vt->parser;
    uint32_t code;
    if (p->utf8_left && (*at & 0xc0) != 0x80) p->utf8_left = 0;
    if (*at >= 0x80) {
        if (vt_parser_decode(p, *at, &code)) step(vt, code);
        return at + 1;
    }
    if (p->state == OSC || p->state == DCS_STRING) {
        const uint8_t *stop = at;
        while (stop < end && *stop - 0x20U < 0x5f)
            stop++;
        if (stop > at) {
            if (!p->string.failed) (void)buf_append(&p->string, at, (size_t)(stop - at));
            return stop;
        }
    }
    step(vt, *at);
    return at + 1;
}

/* The rest of most sequences: parameters and the final byte, without the table. */
static const uint8_t *feed_params(struct vt *vt, const uint8_t *at, const uint8_t *end) {
    struct vt_parser *p = &vt->parser;
    struct vt_params *params = &p->params;
    for (; at < end && *at - 0x30U < 0x0c; at++) {
        int32_t *value = &params->values[params->n - 1];
        unsigned digit = *at - '0';
        if (digit < 10 && !params->in_sub && !params->full && *value < 100000)
            *value = *value * 10 + (int32_t)digit;
        else
            vt_params_add(params, *at);
        p->state = CSI_PARAM;
    }
    if (at == end || *at >= 0x80) return at;
    if (*at - 0x40U < 0x3f)
        dispatch_csi(vt, *at);
    else
        step(vt, *at);
    return at + 1;
}

/* A control character, or the start of a sequence. */
static const uint8_t *feed_control(struct vt *vt, const uint8_t *at, const uint8_t *end) {
    struct vt_parser *p = &vt->parser;
    if (*at != 0x1b || end - at < 2 || at[1] != '[') {
        step(vt, *at);
        return at + 1;
    }
    vt_params_clear(&p->params);
    p->collect = 0;
    p->state = CSI_ENTRY;
    vt->in_run = false;
    return at + 2;
}

void vt_parser_feed(struct vt *vt, const uint8_t *p, const uint8_t *end) {
    struct vt_parser *parser = &vt->parser;
    while (p < end) {
        if (parser->state != GROUND) {
            bool params =
                (parser->state == CSI_ENTRY || parser->state == CSI_PARAM) && *p < 0x80 && !parser->utf8_left;
            p = params ? feed_params(vt, p, end) : feed_sequence(vt, p, end);
        } else if (*p >= 0x80 || parser->utf8_left) {
            p = feed_text(vt, p, end);
        } else if (*p - 0x20U < 0x5f) {
            p = vt_print_ascii(vt, p, end);
        } else {
            p = feed_control(vt, p, end);
        }
    }
}
