#include "cli/meant.h"

#include "base/clock.h"
#include "cli/screen.h"

#include <errno.h>
#include <stdio.h>

enum { ID_WIDTH = 8, STATE_WIDTH = 9, TITLE_WIDTH = 20 };

void meant_print(const struct roster_entry *const *entries, size_t n) {
    size_t left = screen_width() - ID_WIDTH - STATE_WIDTH - TITLE_WIDTH - 4;
    for (size_t i = 0; i < n; i++) {
        const struct roster_entry *e = entries[i];
        screen_column(roster_short(e->id), ID_WIDTH);
        (void)putchar(' ');
        screen_column(e->connection, STATE_WIDTH);
        (void)putchar(' ');
        screen_column(e->title, TITLE_WIDTH);
        (void)putchar(' ');
        screen_cut(e->command, left / 2);
        (void)putchar(' ');
        screen_cut(e->directory, left - left / 2);
        (void)putchar('\n');
    }
}

static int several(const struct cmd *c, const char *word, const struct roster_entry *const *entries,
                   size_t n) {
    int status =
        cmd_fail(c, CMD_FAILED, "\"%s\" means %zu terminals; please name one of them by its id:", word, n);
    meant_print(entries, MIN(n, (size_t)ROSTER_MEANT_MAX));
    return status;
}

int meant_find(const struct cmd *c, const struct roster *r, const char *word,
               const struct roster_entry **ret) {
    const struct roster_entry *meant[ROSTER_MEANT_MAX];
    size_t n;
    int result = roster_find(r, span_str(word), meant, &n);
    if (result == -EEXIST) return several(c, word, meant, n);
    if (result < 0 && !r->has_daemon)
        return cmd_fail(c, CMD_FAILED, "no terminal here is called \"%s\" (and %s)", word, r->no_daemon.msg);
    if (result < 0)
        return cmd_fail(c, CMD_FAILED, "no terminal is called \"%s\": ostler ls lists them", word);
    *ret = meant[0];
    return CMD_OK;
}

int meant_only(const struct cmd *c, const struct roster *r, const struct roster_entry **ret) {
    const struct roster_entry *live[ROSTER_MEANT_MAX];
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (!roster_is_live(&r->entries[i])) continue;
        if (n < ROSTER_MEANT_MAX) live[n] = &r->entries[i];
        n++;
    }
    if (n == 1) {
        *ret = live[0];
        return CMD_OK;
    }
    if (n == 0) return cmd_fail(c, CMD_FAILED, "no terminal is running: ostler run starts one");
    int status = cmd_fail(c, CMD_USAGE, "which one? %zu terminals are running:", n);
    meant_print(live, MIN(n, (size_t)ROSTER_MEANT_MAX));
    return status;
}
