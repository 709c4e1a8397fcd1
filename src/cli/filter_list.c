#include "cli/filter_list.h"

#include <string.h>

/* Numbers beyond it make no difference on any screen. */
enum { NUMBER_MAX = 9999, ID_BYTES_MAX = 64, URI_BYTES_MAX = 2048 };

void filter_control(uint32_t code, struct buf *out) {
    switch (code) {
    case '\a':
    case '\b':
    case '\t':
    case '\n':
    case '\v':
    case '\f':
    case '\r':
    case 0x0e: /* SO, SI: the character set */
    case 0x0f: (void)buf_append_char(out, (char)code); break;
    case 0x84: /* IND, NEL, HTS */
    case 0x85:
    case 0x88: (void)buf_printf(out, "\x1b%c", (int)code - 0x40); break;
    default: break;
    }
}

/* ESC ( 0 and the like: those sets that the screen has. */
static void charset(char slot, char final, struct buf *out) {
    static const char slots[] = "()*+-.", same[] = "()*+)*", finals[] = "B0A4C5RQKYE6ZH7=";
    const char *at = strchr(slots, slot);
    if (at && strchr(finals, final)) (void)buf_printf(out, "\x1b%c%c", same[at - slots], final);
}

void filter_escape(uint32_t ident, struct buf *out) {
    switch (ident) {
    case '7': /* the cursor saved and restored */
    case '8':
    case 'D': /* index, next line, tab stop, reverse index */
    case 'E':
    case 'H':
    case 'M':
    case '=': /* the keypad */
    case '>':
    case 'n': /* G2, G3 */
    case 'o': (void)buf_printf(out, "\x1b%c", (int)ident); break;
    case '}': (void)buf_append(out, "\x1bn", 2); break;
    case '|': (void)buf_append(out, "\x1bo", 2); break;
    case '~': (void)buf_append_char(out, 0x0e); break;
    case VT_IDENT2('#', '8'): (void)buf_append(out, "\x1b#8", 3); break;
    case VT_IDENT2('%', '@'): /* to whatever encoding: it stays UTF-8 */
    case VT_IDENT2('%', 'G'): (void)buf_append(out, "\x0f\x1b(B", 4); break;
    default:
        if (ident > 0xff && ident <= 0xffff) charset((char)(ident >> 8), (char)ident, out);
        break;
    }
}

/* Control sequences: how many parameters may pass, and which values of the first one; 0: any. */
static const struct {
    uint32_t ident;
    uint8_t params;
    uint8_t values; /* a bit each */
} sequences[] = {
    {'A', 1, 0}, /* the cursor */
    {'B', 1, 0},
    {'C', 1, 0},
    {'D', 1, 0},
    {'E', 1, 0},
    {'F', 1, 0},
    {'G', 1, 0},
    {'`', 1, 0},
    {'a', 1, 0},
    {'d', 1, 0},
    {'e', 1, 0},
    {'H', 2, 0},
    {'f', 2, 0},
    {'I', 1, 0}, /* tabs */
    {'Z', 1, 0},
    {'g', 1, 0x09},
    {'s', 0, 0}, /* saved and restored */
    {'u', 0, 0},
    {'r', 2, 0}, /* margins */
    {'S', 1, 0}, /* scrolled */
    {'T', 1, 0},
    {VT_IDENT2(' ', '@'), 1, 0},
    {VT_IDENT2(' ', 'A'), 1, 0},
    {'J', 1, 0x07}, /* erased; but not the scrollback, which is the person's (3) */
    {'K', 1, 0x07},
    {VT_IDENT2('?', 'J'), 1, 0x07},
    {VT_IDENT2('?', 'K'), 1, 0x07},
    {'X', 1, 0},
    {'@', 1, 0}, /* inserted and deleted */
    {'L', 1, 0},
    {'M', 1, 0},
    {'P', 1, 0},
    {VT_IDENT2('\'', '}'), 1, 0},
    {VT_IDENT2('\'', '~'), 1, 0},
    {'b', 1, 0},             /* repeated */
    {'m', VT_PARAMS_MAX, 0}, /* colours and attributes */
    {VT_IDENT2('"', 'q'), 1, 0x07},
    {VT_IDENT2(' ', 'q'), 1, 0x7f}, /* the cursor's shape */
    {VT_IDENT2('!', 'p'), 0, 0},    /* a soft reset */
};

/* Modes of the screen, and what a terminal tells of mouse, focus and pasted text. All are undone at the end (TTY_RESET). */
static const uint16_t private_modes[] = {1,    6,    7,    9,    12,   25,   45,   47,   66,   1000, 1002,
                                         1003, 1004, 1005, 1006, 1015, 1016, 1047, 1048, 1049, 2004, 2026};
static const uint16_t modes[] = {4, 20};

static bool is_among(int32_t value, const uint16_t *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (list[i] == value) return true;
    return false;
}

/* One sequence for each: DECSET of several is one after the other. */
static void pass_modes(uint32_t ident, const struct vt_params *p, struct buf *out) {
    bool is_private = ident > 0xff;
    for (unsigned i = 0; i < p->n; i++) {
        int32_t mode = p->values[i];
        bool may = is_private ? is_among(mode, private_modes, ARRAY_LEN(private_modes))
                              : is_among(mode, modes, ARRAY_LEN(modes));
        if (may) (void)buf_printf(out, "\x1b[%s%d%c", is_private ? "?" : "", (int)mode, (int)(ident & 0xff));
    }
}

static void put_subs(const struct vt_params *p, unsigned i, struct buf *out) {
    for (unsigned at = p->sub_first[i]; at < p->sub_end[i]; at++) {
        (void)buf_append_char(out, ':');
        if (p->subs[at] >= 0) (void)buf_printf(out, "%d", (int)MIN(p->subs[at], NUMBER_MAX));
    }
}

static void put(uint32_t ident, const struct vt_params *p, unsigned params, struct buf *out) {
    char between[4] = "";
    size_t between_n = 0;
    (void)buf_append(out, "\x1b[", 2);
    for (int shift = 24; shift >= 8; shift -= 8) {
        char c = (char)(ident >> shift);
        if (c >= '<')
            (void)buf_append_char(out, c);
        else if (c)
            between[between_n++] = c;
    }
    unsigned n = MIN((unsigned)p->n, params);
    bool has_subs = ident == 'm' && p->sub_first[0] < p->sub_end[0];
    bool is_default = n == 1 && p->values[0] == 0 && !has_subs;
    for (unsigned i = 0; i < n && !is_default; i++) {
        (void)buf_printf(out, "%s%d", i ? ";" : "", (int)MIN(p->values[i], NUMBER_MAX));
        if (ident == 'm') put_subs(p, i, out);
    }
    (void)buf_append(out, between, between_n);
    (void)buf_append_char(out, (char)ident);
}

void filter_csi(uint32_t ident, const struct vt_params *p, struct buf *out) {
    switch (ident) {
    case 'h':
    case 'l':
    case VT_IDENT2('?', 'h'):
    case VT_IDENT2('?', 'l'): pass_modes(ident, p, out); return;
    default: break;
    }
    for (size_t i = 0; i < ARRAY_LEN(sequences); i++) {
        if (sequences[i].ident != ident) continue;
        uint8_t values = sequences[i].values;
        int32_t first = vt_param(p, 0);
        if (!values || (first >= 0 && first < 8 && values >> first & 1))
            put(ident, p, sequences[i].params, out);
        return;
    }
}

static bool is_of(struct span s, const char *others) {
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool is_plain = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
        if (!is_plain && !(c && strchr(others, c))) return false;
    }
    return true;
}

/* A page or an address, in the characters that a URI has; none that pretends to be on another host. */
static bool is_clean_uri(struct span uri) {
    struct span host = SPAN_NONE;
    if (uri.n > URI_BYTES_MAX || !is_of(uri, "-._~:/?#[]@!$&'()*+,;=%")) return false;
    if (span_istarts(uri, SPAN("mailto:"))) return uri.n > 7;
    if (span_istarts(uri, SPAN("http://"))) host = span_skip(uri, 7);
    if (span_istarts(uri, SPAN("https://"))) host = span_skip(uri, 8);
    size_t n = 0;
    while (n < host.n && !strchr("/?#", host.p[n]))
        n++;
    return n > 0 && !memchr(host.p, '@', n);
}

static struct span id_of(struct span params) {
    while (params.n) {
        struct span one = span_split(&params, ':');
        if (!span_starts(one, SPAN("id="))) continue;
        one = span_skip(one, 3);
        return one.n <= ID_BYTES_MAX && is_of(one, "-._") ? one : SPAN_NONE;
    }
    return SPAN_NONE;
}

void filter_osc(struct span text, struct buf *out) {
    uint64_t number;
    struct span rest = text, digits = span_split(&rest, ';');
    if (!span_u64(digits, &number) || number != 8 || !rest.n || !memchr(rest.p, ';', rest.n)) return;
    struct span params = span_trim(span_split(&rest, ';')), id = id_of(params);
    if (!rest.n && params.n) return; /* no end of a link, nor one */
    if (!is_clean_uri(rest)) id = rest = SPAN_NONE;
    (void)buf_printf(out, "\x1b]8;%s%.*s;%.*s\x1b\\", id.n ? "id=" : "", SPAN_ARG(id), SPAN_ARG(rest));
}
