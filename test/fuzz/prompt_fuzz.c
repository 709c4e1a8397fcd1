/* Any bytes as a transcript's line and as a time. What is found is what was promised: one line of words with single blanks,
 * within its limit, and a directory; also with next to no memory. */
#include "base/iso8601.h"
#include "repair/claude.h"
#include "repair/prompt.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) abort();
}

static void check_line(struct span line, size_t arena_bytes) {
    struct arena arena = ARENA_INIT(arena_bytes);
    struct prompt p;
    if (prompt_of_line(line, &arena, &p)) {
        require(p.text.n > 0 && p.text.n <= PROMPT_BYTES_MAX && p.text.n <= line.n);
        require(p.text.p[0] != ' ' && p.text.p[p.text.n - 1] != ' ');
        require(!memchr(p.text.p, '\n', p.text.n) && !memmem(p.text.p, p.text.n, "  ", 2));
        require(p.cwd.n > 0 && p.cwd.n <= PROMPT_CWD_BYTES_MAX);
    }
    arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span text = span_of((const char *)data, size);
    check_line(text, 1 << 20);
    check_line(text, 24);

    int64_t ms = 0;
    if (iso8601_parse(text, &ms)) /* years 0 to 9999, and a day more for the zone */
        require(ms >= -62167305600000 && ms <= 253402387199999);
    struct span id = claude_session_of(text);
    require(id.n <= text.n && (id.n == 0 || !memchr(id.p, '/', id.n)));
    if (claude_is_session_id(id)) require(id.n == SESSION_ID_CHARS);
    return 0;
}
