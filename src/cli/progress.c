#include "cli/progress.h"

#include "base/compiler.h"
#include "cli/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST_AFTER (300 * USEC_PER_MSEC)
#define NEXT_AFTER (80 * USEC_PER_MSEC)

enum { BAR_CELLS = 24 };

void progress_bar_init(struct progress_bar *b, const char *verb, uint64_t total) {
    const char *term = getenv("TERM");
    bool is_terminal = isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
    *b = (struct progress_bar){
        .verb = verb, .total = total, .started = clock_mono(&clock_system), .wanted = is_terminal};
}

static void draw(const struct progress_bar *b, uint64_t done, usec_t elapsed) {
    char bar[BAR_CELLS * 3 + 1] = "";
    size_t n = 0;
    for (uint64_t i = 0; i < BAR_CELLS; i++) {
        static const char filled[] = "█", empty[] = "░";
        memcpy(bar + n, i * b->total < done * BAR_CELLS ? filled : empty, sizeof filled);
        n += sizeof filled - 1;
    }
    double rate = (double)done / ((double)elapsed / USEC_PER_SEC);
    /* One write a line: half a line never shows. */
    char line[256];
    int len = snprintf(line, sizeof line, "\r%s  %s %3.0f %%  %s of %s, %s/s\x1b[K", b->verb, bar,
                       100.0 * (double)done / (double)b->total, screen_size(done).text,
                       screen_size(b->total).text, screen_size((uint64_t)rate).text);
    (void)!write(STDERR_FILENO, line, (size_t)len);
}

void progress_bar_show(struct progress_bar *b, uint64_t done) {
    if (!b->wanted || b->total == 0) return;
    usec_t now = clock_mono(&clock_system);
    if (now - b->started < FIRST_AFTER || (b->drawn && now - b->drawn_at < NEXT_AFTER)) return;
    draw(b, MIN(done, b->total), now - b->started);
    b->drawn_at = now;
    b->drawn = true;
}

void progress_bar_clear(struct progress_bar *b) {
    if (!b->drawn) return;
    static const char erase[] = "\r\x1b[K";
    (void)!write(STDERR_FILENO, erase, sizeof erase - 1);
    b->drawn = false;
}
