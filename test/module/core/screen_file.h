/* Screens of the real CLIs, as test/corpus/dialog has them: the CLI's name in the first line, then the rows. */
#pragma once

#include "base/cleanup.h"
#include "base/file.h"
#include "core/dialog.h"
#include "test.h"

struct screen_file {
    struct arena arena;
    struct buf text;
    enum cli cli;
    struct span rows[DIALOG_ROWS]; /* the lowest first */
    size_t count;
};

static inline void screen_rows(struct screen_file *s) {
    struct span rest = buf_span(&s->text), first = span_split(&rest, '\n');
    CHECK(cli_from_str(first, &s->cli));
    struct span rows[512];
    size_t count = 0;
    while (rest.n && count < ARRAY_LEN(rows))
        rows[count++] = span_split(&rest, '\n');
    s->count = MIN(count, (size_t)DIALOG_ROWS);
    for (size_t i = 0; i < s->count; i++)
        s->rows[i] = rows[count - 1 - i];
}

static inline struct screen_file screen_file_read(const char *name) {
    struct screen_file s = {.arena = ARENA_INIT(4 << 20), .text = BUF_INIT(1 << 20)};
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", SCREENS, name);
    AUTO(file) FILE *f = fopen(path, "rb");
    CHECK(f);
    char *p = buf_reserve(&s.text, 64 << 10);
    size_t n = fread(p, 1, 64 << 10, f);
    buf_grew(&s.text, n);
    screen_rows(&s);
    return s;
}

static inline void screen_file_fini(struct screen_file *s) {
    arena_fini(&s->arena);
    buf_fini(&s->text);
}
