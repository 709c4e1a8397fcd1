/*
 * Any bytes as a line of a CLI's own record, and as what a tool was called with. What comes out is text for people: valid where
 * the line was, whole or marked as cut, without a NUL that would hide the rest.
 */
#include "base/jscan.h"
#include "core/cli_line.h"
#include "core/model.h"
#include "core/tool.h"
#include "core/tool_words.h"

#include <stdlib.h>

enum { ARENA_BYTES = 1 << 22 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) abort();
}

static void require_text(struct span s) {
    require(!s.n || !memchr(s.p, '\0', s.n));
}

static void read_as_line(struct span line, struct arena *arena) {
    for (enum cli cli = 0; cli < CLI_N_; cli++) {
        struct cli_line l;
        arena_reset(arena);
        if (!cli_line_read(cli, line, arena, &l)) continue;
        require(cli_line_has_any(cli) && l.activity < ACTIVITY_N_);
        require_text(l.text);
        require_text(l.call);
        if (l.input.n && jvalid(line, 64) == 0) require(jvalid(l.input, 64) == 0);
    }
}

static void read_as_input(struct span input, struct arena *arena) {
    static const char *const tools[] = {"Bash",         "Write", "Edit", "MultiEdit", "AskUserQuestion",
                                        "ExitPlanMode", "Task",  "Read", "Grep",      "apply_patch",
                                        "mcp__a__b",    "mcp_a", "odd"};
    if (jvalid(input, 64) < 0) return;
    for (size_t i = 0; i < ARRAY_LEN(tools); i++) {
        struct tool_words w;
        arena_reset(arena);
        tool_words(span_str(tools[i]), input, arena, &w);
        require(w.text.n && w.detail.n <= REQUEST_DETAIL_BYTES);
        require_text(w.text);
        require_text(w.detail);
        require_text(tool_summary(span_str(tools[i]), input, arena));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena arena = ARENA_INIT(ARENA_BYTES);
    struct span bytes = span_of((const char *)data, size);
    read_as_line(bytes, &arena);
    read_as_input(bytes, &arena);
    arena_fini(&arena);
    return 0;
}
