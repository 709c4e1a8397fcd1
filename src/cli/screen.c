#include "cli/screen.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "cli/cells.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_MIN = 60, WIDTH_MAX = 400, TEXT_BYTES_MAX = 256 << 20 };

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

static size_t print(struct span s, size_t width) {
    AUTO(buf) struct buf out = BUF_INIT(TEXT_BYTES_MAX);
    size_t cells = cells_append(s, width, &out);
    (void)fwrite(out.p ? out.p : "", 1, out.n, stdout);
    return cells;
}

void screen_literal(const char *text) {
    (void)fputs(text, stdout);
}

void screen_bytes(struct span bytes) {
    (void)fwrite(bytes.p ? bytes.p : "", 1, bytes.n, stdout);
}

void screen_text(struct span s) {
    (void)print(s, SIZE_MAX);
}

void screen_lines(struct span s) {
    while (s.n) {
        bool ends = memchr(s.p, '\n', s.n) != NULL;
        screen_text(span_split(&s, '\n'));
        if (ends) (void)putchar('\n');
    }
}

void screen_cut(struct span s, size_t width) {
    (void)print(s, width);
}

void screen_column(struct span s, size_t width) {
    for (size_t cells = print(s, width); cells < width; cells++)
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
