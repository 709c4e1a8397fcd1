#include "cli/text_diff.h"

#include "base/mem.h"
#include "cli/screen.h"

#include <stdio.h>
#include <stdlib.h>

enum { AHEAD_MAX = 2000 }; /* lines that are looked for where the texts differ */

struct lines {
    struct span *v;
    size_t n;
};

static struct lines split(struct span text) {
    struct lines l = {0};
    while (text.n) {
        if ((l.n & (l.n - 1)) == 0) l.v = xreallocarray(l.v, l.n ? 2 * l.n : 1, sizeof *l.v);
        l.v[l.n++] = span_split(&text, '\n');
    }
    return l;
}

static void print_line(char mark, struct span line) {
    screen_print("    %c ", mark);
    screen_text(line);
    (void)putchar('\n');
}

/* How many lines from `at` on come before one that is `wanted`. */
static size_t distance(const struct lines *l, size_t at, struct span wanted) {
    for (size_t i = 0; i < AHEAD_MAX && at + i < l->n; i++)
        if (span_eq(l->v[at + i], wanted)) return i;
    return AHEAD_MAX;
}

void text_diff_print(struct span was, struct span now) {
    struct lines a = split(was), b = split(now);
    size_t i = 0, k = 0;
    bool changed = false; /* the last line was */
    while (i < a.n || k < b.n) {
        if (i < a.n && k < b.n && span_eq(a.v[i], b.v[k])) {
            bool next_differs =
                i + 1 < a.n && k + 1 < b.n ? !span_eq(a.v[i + 1], b.v[k + 1]) : i + 1 < a.n || k + 1 < b.n;
            if (changed || next_differs) print_line(' ', b.v[k]);
            changed = false;
            i++, k++;
            continue;
        }
        size_t added = i < a.n ? distance(&b, k, a.v[i]) : AHEAD_MAX;
        size_t removed = k < b.n ? distance(&a, i, b.v[k]) : AHEAD_MAX;
        bool adds = k < b.n && (i == a.n || (added < AHEAD_MAX && added <= removed));
        if (adds)
            print_line('+', b.v[k++]);
        else
            print_line('-', a.v[i++]);
        changed = true;
    }
    free(a.v);
    free(b.v);
}
