/* Colours that programs set and ask for: the palette, the foreground, the background and the cursor. */
#include "term/vt_int.h"
#include "term/vt_query.h"

#include "base/mem.h"

enum { FIRST_SPECIAL = 10, SPECIALS = 3 };

uint32_t vt_palette_color(const struct vt *vt, unsigned i) {
    static const uint32_t first[16] = {0x2e3436, 0xcc0000, 0x4e9a06, 0xc4a000, 0x3465a4, 0x75507b,
                                       0x06989a, 0xd3d7cf, 0x555753, 0xef2929, 0x8ae234, 0xfce94f,
                                       0x729fcf, 0xad7fa8, 0x34e2e2, 0xeeeeec};
    if (vt->colors.palette && vt->colors.palette[i]) return vt->colors.palette[i] & COLOR_VALUE;
    if (i < 16) return first[i];
    if (i >= 232) return (8 + (i - 232) * 10) * 0x010101;
    static const uint8_t levels[6] = {0, 0x5f, 0x87, 0xaf, 0xd7, 0xff};
    i -= 16;
    return (uint32_t)levels[i / 36] << 16 | (uint32_t)levels[i / 6 % 6] << 8 | levels[i % 6];
}

static int hex(char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* One to four hexadecimal digits, scaled to eight bits: `full` as a fraction, otherwise as the highest ones. */
static bool channel(struct span s, bool full, uint32_t *ret) {
    uint32_t n = 0;
    if (s.n < 1 || s.n > 4) return false;
    for (size_t i = 0; i < s.n; i++) {
        if (hex(s.p[i]) < 0) return false;
        n = n << 4 | (uint32_t)hex(s.p[i]);
    }
    uint32_t most = (1U << 4 * s.n) - 1;
    if (full)
        *ret = (n * 255 + most / 2) / most;
    else
        *ret = s.n == 1 ? n << 4 : n >> 4 * (s.n - 2);
    return true;
}

/* rgb:r/g/b and #rgb, with one to four digits each. */
static bool parse(struct span s, uint32_t *ret) {
    uint32_t c[3];
    if (span_istarts(s, SPAN("rgb:"))) {
        s = span_skip(s, 4);
        size_t n = 0;
        for (int i = 0; i < 3; i++) {
            struct span part = i < 2 ? span_split(&s, '/') : s;
            if (!channel(part, true, &c[i]) || (i && part.n != n)) return false;
            n = part.n;
        }
    } else if (span_starts(s, SPAN("#")) && (s.n - 1) % 3 == 0) {
        size_t n = (s.n - 1) / 3;
        for (size_t i = 0; i < 3; i++)
            if (!channel(span_take(span_skip(s, 1 + i * n), n), false, &c[i])) return false;
    } else {
        return false;
    }
    *ret = c[0] << 16 | c[1] << 8 | c[2];
    return true;
}

static void answer(struct vt *vt, const char *what, uint32_t c) {
    unsigned r = c >> 16 & 255, g = c >> 8 & 255, b = c & 255;
    vt_reply(vt, "\033]%s;rgb:%02x%02x/%02x%02x/%02x%02x\033\\", what, r, r, g, g, b, b);
}

static void palette(struct vt *vt, struct span text) {
    while (text.n) {
        uint64_t i;
        struct span index = span_split(&text, ';');
        if (!text.p || !span_u64(index, &i) || i >= VT_PALETTE) {
            (void)span_split(&text, ';');
            continue;
        }
        struct span spec = span_split(&text, ';');
        uint32_t color;
        if (span_eq_str(spec, "?")) {
            char what[16];
            (void)snprintf(what, sizeof what, "4;%u", (unsigned)i);
            answer(vt, what, vt_palette_color(vt, (unsigned)i));
        } else if (parse(spec, &color)) {
            if (!vt->colors.palette) vt->colors.palette = xcalloc(VT_PALETTE, sizeof *vt->colors.palette);
            vt->colors.palette[i] = COLOR_RGB | color;
        }
    }
}

static void special(struct vt *vt, unsigned which, struct span text) {
    struct vt_colors *c = &vt->colors;
    uint32_t *set[SPECIALS] = {&c->set_foreground, &c->set_background, &c->set_cursor};
    const uint32_t ours[SPECIALS] = {c->foreground, c->background, c->foreground};
    for (bool more = true; more && which < SPECIALS; which++) {
        more = text.n && memchr(text.p, ';', text.n);
        struct span spec = span_split(&text, ';');
        uint32_t color;
        char what[16];
        (void)snprintf(what, sizeof what, "%u", FIRST_SPECIAL + which);
        if (span_eq_str(spec, "?"))
            answer(vt, what, (*set[which] ? *set[which] : ours[which]) & COLOR_VALUE);
        else if (parse(spec, &color))
            *set[which] = COLOR_RGB | color;
    }
}

static void restore_palette(struct vt *vt, struct span text) {
    if (!vt->colors.palette) return;
    if (!text.n) {
        free(vt->colors.palette);
        vt->colors.palette = NULL;
    }
    while (text.n) {
        uint64_t i;
        if (span_u64(span_split(&text, ';'), &i) && i < VT_PALETTE) vt->colors.palette[i] = 0;
    }
}

void vt_color_osc(struct vt *vt, unsigned command, struct span text) {
    switch (command) {
    case 4: palette(vt, text); break;
    case 10:
    case 11:
    case 12: special(vt, command - FIRST_SPECIAL, text); break;
    case 104: restore_palette(vt, text); break;
    case 110: vt->colors.set_foreground = 0; break;
    case 111: vt->colors.set_background = 0; break;
    case 112: vt->colors.set_cursor = 0; break;
    default: break;
    }
}
