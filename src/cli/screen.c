#include "cli/screen.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_MIN = 60, WIDTH_MAX = 400 };

size_t screen_width(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0) return WIDTH_MAX;
    return MAX((size_t)size.ws_col, (size_t)WIDTH_MIN);
}

bool screen_wants_colour(int fd) {
    const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    return isatty(fd) && !(no_colour && no_colour[0]) && term && strcmp(term, "dumb") != 0;
}

bool screen_has_colour(void) {
    return screen_wants_colour(STDOUT_FILENO);
}

/* A control character, C0 or C1, could speak to the terminal; so could a byte that is no UTF-8. */
static bool is_printable(struct span character) {
    unsigned char first = (unsigned char)character.p[0];
    if (character.n == 2 && first == 0xC2) return (unsigned char)character.p[1] >= 0xA0;
    return character.n > 1 || (first >= ' ' && first < 0x7F);
}

/* Returns how many characters that was. */
static size_t print(struct span s) {
    size_t shown = 0;
    for (; s.n; shown++) {
        size_t n = utf8_sequence(s);
        if (n && is_printable(span_take(s, n)))
            (void)fwrite(s.p, 1, n, stdout);
        else
            (void)putchar(' ');
        s = span_skip(s, n ? n : 1);
    }
    return shown;
}

void screen_text(struct span s) {
    (void)print(s);
}

void screen_column(struct span s, size_t width) {
    struct span whole = utf8_cut_units(s, width);
    bool cut = width > 0 && whole.n < s.n;
    size_t shown = print(cut ? utf8_cut_units(s, width - 1) : whole);
    if (cut) shown += print(SPAN("…"));
    for (; shown < width; shown++)
        (void)putchar(' ');
}

void screen_path(const char *path) {
    struct span home = span_str(getenv("HOME")), rest = span_str(path);
    bool is_inside = home.n > 1 && span_starts(rest, home) && rest.n > home.n && rest.p[home.n] == '/';
    if (is_inside) (void)putchar('~');
    screen_text(is_inside ? span_skip(rest, home.n) : rest);
}

struct screen_size screen_size(uint64_t bytes) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    struct screen_size s;
    size_t unit = 0;
    double n = (double)bytes;
    for (; n >= 999.5 && unit + 1 < ARRAY_LEN(units); unit++)
        n /= 1000;
    (void)snprintf(s.text, sizeof s.text, unit && n < 9.95 ? "%.1f %s" : "%.0f %s", n, units[unit]);
    return s;
}

struct screen_age screen_age(int64_t ms) {
    struct screen_age a;
    long long s = ms < 0 ? 0 : (long long)(ms / 1000);
    if (s < 60)
        (void)snprintf(a.text, sizeof a.text, "%llds", s);
    else if (s < 3600)
        (void)snprintf(a.text, sizeof a.text, "%lldm", s / 60);
    else
        (void)snprintf(a.text, sizeof a.text, "%lldh", s / 3600);
    return a;
}

struct screen_count screen_count(uint64_t n, const char *one, const char *many) {
    struct screen_count c;
    (void)snprintf(c.text, sizeof c.text, "%" PRIu64 " %s", n, n == 1 ? one : many);
    return c;
}
