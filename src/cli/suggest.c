#include "cli/suggest.h"

#include <stdio.h>

/* Optimal string alignment, a row at a time: a swap looks two rows back. */
unsigned suggest_distance(struct span a, struct span b) {
    unsigned rows[3][SUGGEST_WORD_MAX + 1];
    if (a.n > SUGGEST_WORD_MAX || b.n > SUGGEST_WORD_MAX) return SUGGEST_FAR;
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b.n; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= a.n; i++) {
        unsigned *oldest = before;
        before = last;
        last = row;
        row = oldest;
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b.n; j++) {
            unsigned changed = last[j - 1] + (a.p[i - 1] != b.p[j - 1]);
            row[j] = MIN(changed, 1 + MIN(last[j], row[j - 1]));
            bool swapped = i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1];
            if (swapped) row[j] = MIN(row[j], before[j - 2] + 1);
        }
    }
    return row[b.n];
}

/* A beginning is as good as one slip; of other words a third of the letters may be wrong. */
static unsigned distance_of(struct span word, struct span candidate) {
    if (word.n > 1 && span_starts(candidate, word)) return 1;
    unsigned d = suggest_distance(word, candidate);
    return d <= (word.n + 2) / 3 && d < candidate.n ? d : SUGGEST_FAR;
}

void suggest_offer(struct suggest *s, const char *candidate) {
    unsigned d = distance_of(s->word, span_str(candidate));
    if (d >= SUGGEST_FAR || (s->n && d > s->distance)) return;
    if (!s->n || d < s->distance) s->n = 0;
    s->distance = d;
    if (s->n < SUGGEST_MAX) s->best[s->n++] = candidate;
}

void suggest_text(const struct suggest *s, const char *dashes, char ret[SUGGEST_TEXT_BYTES]) {
    size_t at = 0;
    ret[0] = '\0';
    for (size_t i = 0; i < s->n && at < SUGGEST_TEXT_BYTES; i++)
        at += (size_t)snprintf(ret + at, SUGGEST_TEXT_BYTES - at, "%s%s%s",
                               i == 0          ? "; did you mean "
                               : i + 1 == s->n ? " or "
                                               : ", ",
                               dashes, s->best[i]);
    if (at && at < SUGGEST_TEXT_BYTES - 1) (void)snprintf(ret + at, SUGGEST_TEXT_BYTES - at, "?");
}
