#include "cli/filter.h"

enum {
    GROUND,
    LATIN,    /* 0xC2: the first byte of a C1 control in UTF-8 */
    ESCAPE,   /* ESC, perhaps with intermediates */
    CSI,      /* held until its last byte */
    DCS,      /* held until its last byte; the string that follows it shares its fate */
    LONG,     /* a control sequence too long for any terminal */
    OSC,      /* held until it ends */
    OSC_PASS, /* the rest of one that is too long to be a question */
    DCS_PASS,
    SILENT,     /* the rest of a string that may not pass */
    STRING_END, /* an ESC has ended a string; the \\ behind it belongs to it */
};

enum { ENQ = 0x05, BEL = 0x07, CAN = 0x18, SUB = 0x1a, ESC = 0x1b, DEL = 0x7f, LATIN_1 = 0xc2, C1_ST = 0x9c };

/* A control sequence, taken apart. */
struct csi {
    char prefix; /* one of <=>? or 0 */
    struct span params;
    char intermediate; /* the last one, or 0 */
    char last;
};

static struct csi take_apart(const struct filter *f) {
    struct csi c = {.last = f->held[f->n - 1]};
    struct span s = span_of(f->held + 2, f->n - 3);
    if (s.n && s.p[0] >= '<' && s.p[0] <= '?') {
        c.prefix = s.p[0];
        s = span_skip(s, 1);
    }
    size_t n = 0;
    while (n < s.n && s.p[n] >= '0')
        n++;
    c.params = span_take(s, n);
    if (n < s.n) c.intermediate = s.p[s.n - 1];
    return c;
}

/* Does it ask for an answer, or do something to keys and window that we cannot undo, or that others cannot see? */
static bool csi_may_pass(const struct csi *c) {
    struct span params = c->params;
    switch (c->last) {
    case 'c': /* device attributes */
    case 'n': /* status, cursor position */
    case 'i': /* printing */ return false;
    case 'x': /* terminal parameters */ return c->intermediate != 0;
    case 'p': /* modes asked for; "!" is a soft reset */ return c->intermediate == '!';
    case 'q': /* version */
    case 'u': /* another way to send keys */
    case 'm': /* likewise */
    case 'S': /* graphics asked for */ return c->prefix == 0;
    case 'w': /* tab stops and cursor asked for */ return c->intermediate == 0;
    case 'y': /* checksums */ return c->intermediate != '*';
    case '|': /* the locator */ return c->intermediate != '\'';
    case 't':
        return span_starts(params, SPAN("22")) || span_starts(params, SPAN("23")); /* the title's stack */
    default: return true;
    }
}

/* Modes that a program may not switch here: 132 columns, keys as Windows sends them, reports of theme and size. */
static bool mode_may_pass(struct span mode) {
    static const char *const refused[] = {"3", "9001", "2031", "2048"};
    while (mode.n > 1 && mode.p[0] == '0')
        mode = span_skip(mode, 1);
    for (size_t i = 0; i < ARRAY_LEN(refused); i++)
        if (span_eq_str(mode, refused[i])) return false;
    return true;
}

static void pass_modes(const struct filter *f, struct span modes, struct buf *out) {
    const char *before = "\x1b[?";
    bool any = false;
    while (modes.n) {
        struct span mode = span_split(&modes, ';');
        if (mode.n == 0 || !mode_may_pass(mode)) continue;
        (void)buf_printf(out, "%s%.*s", before, SPAN_ARG(mode));
        before = ";";
        any = true;
    }
    if (any) (void)buf_append_char(out, f->held[f->n - 1]);
}

static void end_csi(struct filter *f, struct buf *out) {
    struct csi c = take_apart(f);
    f->state = GROUND;
    if (!csi_may_pass(&c)) return;
    if (c.prefix == '?' && c.intermediate == 0 && (c.last == 'h' || c.last == 'l'))
        pass_modes(f, c.params, out);
    else
        (void)buf_append(out, f->held, f->n);
}

/* Device control strings that ask: the state of a setting, a terminal's capabilities. */
static void decide_dcs(struct filter *f, struct buf *out) {
    struct csi c = take_apart(f);
    bool asks = (c.last == 'q' && (c.intermediate == '$' || c.intermediate == '+')) ||
                (c.last == 'p' && c.intermediate == '+');
    if (!asks) (void)buf_append(out, f->held, f->n);
    f->state = asks ? SILENT : DCS_PASS;
}

static bool osc_may_pass(struct span osc) {
    static const char *const askable[] = {"4",  "5",  "10", "11", "12", "13", "14", "15",
                                          "16", "17", "18", "19", "21", "22", "50", "52"};
    if (span_starts(osc, SPAN("1337;Re")) || span_starts(osc, SPAN("1337;Cap"))) return false;
    struct span number = span_split(&osc, ';');
    bool can_ask = false;
    for (size_t i = 0; i < ARRAY_LEN(askable); i++)
        can_ask |= span_eq_str(number, askable[i]);
    while (can_ask && osc.n) {
        struct span part = span_split(&osc, ';');
        if (part.n && part.p[part.n - 1] == '?') return false;
    }
    return true;
}

/* A reset of colours that nobody has changed, and a title of none. */
static bool osc_resets(const struct filter *f, struct span osc) {
    bool empty = span_eq(osc, SPAN("2;"));
    uint64_t number;
    return f->soft && (empty || (!f->colours && span_u64(osc, &number) && number >= 104 && number <= 119));
}

static bool osc_colours(struct span osc) {
    uint64_t number;
    return span_u64(span_split(&osc, ';'), &number) && (number == 4 || (number >= 10 && number <= 19));
}

static void begin(struct filter *f) {
    f->state = ESCAPE;
    f->held[0] = ESC;
    f->n = 1;
}

/* Behind an ESC, or as a C1 control: what begins here? */
static void introduce(struct filter *f, char byte, struct buf *out) {
    f->held[f->n++] = byte;
    switch (byte) {
    case '[': f->state = CSI; return;
    case ']': f->state = OSC; return;
    case 'P': f->state = DCS; return;
    case 'X': /* strings that no terminal shows, but some answer */
    case '^':
    case '_': f->state = SILENT; return;
    default: break;
    }
    f->state = GROUND;
    bool is_reset = byte == 'c' && f->soft;
    if (byte != 'Z' && !is_reset) (void)buf_append(out, f->held, f->n); /* Z asks what it is */
}

static void on_escape(struct filter *f, char byte, struct buf *out) {
    bool is_intermediate = byte >= 0x20 && byte <= 0x2f;
    if (f->n == 1 && !is_intermediate) {
        introduce(f, byte, out);
        return;
    }
    if (f->n < FILTER_HOLD_BYTES) f->held[f->n++] = byte;
    if (is_intermediate) return;
    f->state = GROUND;
    /* With a blank: how it would send its answers. */
    if (f->held[1] != ' ' && f->n < FILTER_HOLD_BYTES) (void)buf_append(out, f->held, f->n);
}

static void on_csi(struct filter *f, char byte, struct buf *out) {
    bool is_last = byte >= 0x40;
    if (f->n < FILTER_HOLD_BYTES)
        f->held[f->n++] = byte;
    else
        f->state = f->state == DCS ? SILENT : LONG;
    if (!is_last) return;
    switch (f->state) {
    case CSI: end_csi(f, out); break;
    case DCS: decide_dcs(f, out); break;
    case LONG: f->state = GROUND; break;
    default: break;
    }
}

static void put(struct filter *f, unsigned char byte, struct buf *out) {
    if (f->state != OSC) {
        if (f->state != SILENT) (void)buf_append_char(out, (char)byte);
        return;
    }
    f->held[f->n++] = (char)byte;
    if (f->n < FILTER_HOLD_BYTES) return;
    (void)buf_append(out, f->held, f->n);
    f->state = OSC_PASS;
}

static void end_string(struct filter *f, struct span end, struct buf *out) {
    bool passes = f->state == OSC_PASS || f->state == DCS_PASS;
    struct span osc = f->state == OSC ? span_of(f->held + 2, f->n - 2) : SPAN_NONE;
    if (f->state == OSC && osc_may_pass(osc) && !osc_resets(f, osc)) {
        (void)buf_append(out, f->held, f->n);
        passes = true;
        f->colours |= osc_colours(osc);
    }
    if (passes) (void)buf_append_span(out, end);
    f->state = GROUND;
}

static void on_string(struct filter *f, unsigned char byte, struct buf *out) {
    bool was_latin = f->latin;
    f->latin = byte == LATIN_1;
    if (was_latin && byte == C1_ST) {
        end_string(f, SPAN("\x1b\\"), out);
        return;
    }
    if (was_latin) put(f, LATIN_1, out);
    if (byte == ESC) {
        end_string(f, SPAN("\x1b\\"), out);
        f->state = STRING_END;
    } else if (byte == BEL && (f->state == OSC || f->state == OSC_PASS)) {
        end_string(f, SPAN("\a"), out);
    } else if (byte == CAN || byte == SUB) { /* given up */
        if (f->state == OSC) f->state = SILENT;
        end_string(f, span_of((const char *)&byte, 1), out);
    } else if (byte != LATIN_1) {
        put(f, byte, out);
    }
}

static void step(struct filter *f, unsigned char byte, struct buf *out);

static void on_ground(struct filter *f, unsigned char byte, struct buf *out) {
    if (byte == ESC)
        begin(f);
    else if (byte == LATIN_1)
        f->state = LATIN;
    else if (byte != ENQ) /* it asks who is there */
        (void)buf_append_char(out, (char)byte);
}

static void on_latin(struct filter *f, unsigned char byte, struct buf *out) {
    f->state = GROUND;
    bool is_control = byte >= 0x80 && byte < 0xa0;
    if (is_control && strchr("PXZ[]^_", byte - 0x40)) {
        begin(f);
        introduce(f, (char)(byte - 0x40), out);
        return;
    }
    /* Alone it is shown like this anyway, and cannot become part of what follows a sequence that is left out. */
    if ((byte & 0xc0) != 0x80)
        (void)buf_append(out, "\xef\xbf\xbd", 3);
    else
        (void)buf_append_char(out, (char)LATIN_1);
    step(f, byte, out);
}

static void on_sequence(struct filter *f, unsigned char byte, struct buf *out) {
    if (byte == ESC) {
        begin(f);
    } else if (byte == CAN || byte == SUB) {
        f->state = GROUND;
    } else if (byte >= 0x80) { /* no part of any sequence */
        f->state = GROUND;
        step(f, byte, out);
    } else if (byte < 0x20) { /* a control acts at once, wherever it stands */
        if (byte != ENQ && f->state != DCS) (void)buf_append_char(out, (char)byte);
    } else if (byte != DEL) {
        (f->state == ESCAPE ? on_escape : on_csi)(f, (char)byte, out);
    }
}

static void step(struct filter *f, unsigned char byte, struct buf *out) {
    switch (f->state) {
    case GROUND: on_ground(f, byte, out); break;
    case LATIN: on_latin(f, byte, out); break;
    case OSC:
    case OSC_PASS:
    case DCS_PASS:
    case SILENT: on_string(f, byte, out); break;
    case STRING_END:
        begin(f);
        if (byte == '\\')
            f->state = GROUND;
        else
            step(f, byte, out);
        break;
    default: on_sequence(f, byte, out); break;
    }
}

void filter_feed(struct filter *f, struct span bytes, struct buf *out) {
    while (bytes.n) {
        size_t n = 0;
        while (f->state == GROUND && n < bytes.n && bytes.p[n] != ESC && bytes.p[n] != ENQ &&
               (unsigned char)bytes.p[n] != LATIN_1)
            n++;
        (void)buf_append(out, bytes.p, n);
        if (n < bytes.n) step(f, (unsigned char)bytes.p[n++], out);
        bytes = span_skip(bytes, n);
    }
}
