/*
 * The first line is a path ("a/b/0"), the rest a text of anybody's. What is put there is there, the text stays valid, and
 * taking it away again gives the first bytes back if nothing had to be made on the way.
 */
#include "base/cleanup.h"
#include "base/jedit.h"
#include "base/utf8.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EXPECT(condition)          \
    do {                           \
        if (!(condition)) abort(); \
    } while (0)

enum { STEPS_MAX = 8 };

static size_t read_path(struct span line, struct jedit_step *path) {
    size_t depth = 0;
    while (line.n && depth < STEPS_MAX) {
        struct span word = span_split(&line, '/');
        uint64_t index;
        path[depth++] =
            span_u64(word, &index) ? JEDIT_INDEX((size_t)index) : (struct jedit_step){.name = word};
    }
    return depth;
}

static void check_removal(struct span text, const struct jedit_step *path, size_t depth) {
    AUTO(buf) struct buf out = BUF_INIT(16 * text.n + 4096);
    if (jedit_remove(text, path, depth, &out, NULL) == 0) EXPECT(jedit_check(buf_span(&out), NULL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = span_of((const char *)data, size), line = span_split(&text, '\n'), found;
    struct jedit_step path[STEPS_MAX];
    if (!utf8_valid(line)) return 0;
    size_t depth = read_path(line, path);
    struct err err = {0};
    bool valid = jedit_check(text, &err) == 0;
    EXPECT(valid == (err.code == 0));
    if (!valid) err.code = 0;

    AUTO(buf) struct buf out = BUF_INIT(1 << 20);
    AUTO(buf) struct buf back = BUF_INIT(1 << 20);
    bool existed = jedit_find(text, path, depth, &found);
    int r = jedit_put(text, path, depth, SPAN("{\"x\":[1,\"y\"]}"), &out, &err);
    if (!valid) {
        EXPECT(r < 0);
        return 0;
    }
    check_removal(text, path, depth);
    if (r < 0) return 0;
    EXPECT(jedit_check(buf_span(&out), NULL) == 0);
    EXPECT(jedit_find(buf_span(&out), path, depth, &found));
    if (existed || depth == 0 || jedit_is_blank(text)) return 0;
    /* What was made on the way is removed as a whole. */
    while (depth > 1 && !jedit_find(text, path, depth - 1, &found))
        depth--;
    EXPECT(jedit_remove(buf_span(&out), path, depth, &back, NULL) == 0);
    EXPECT(span_eq(buf_span(&back), text));
    return 0;
}
