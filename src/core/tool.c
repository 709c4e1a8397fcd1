#include "core/tool.h"

#include "base/jscan.h"
#include "base/utf8.h"

enum { COMMAND_UNITS = 120, JSON_UNITS = 100, FIELD_UNITS = 1000 };

/* Which member of its input says what a tool is about. */
static const struct {
    const char *tool;
    struct span member;
    size_t units;
} subjects[] = {
    {"Read", SPAN("file_path"), FIELD_UNITS},
    {"Write", SPAN("file_path"), FIELD_UNITS},
    {"Edit", SPAN("file_path"), FIELD_UNITS},
    {"Bash", SPAN("command"), COMMAND_UNITS},
    {"Glob", SPAN("pattern"), FIELD_UNITS},
    {"WebFetch", SPAN("url"), FIELD_UNITS},
    {"Task", SPAN("description"), FIELD_UNITS},
    /* Gemini CLI's */
    {"run_shell_command", SPAN("command"), COMMAND_UNITS},
    {"read_file", SPAN("file_path"), FIELD_UNITS},
    {"write_file", SPAN("file_path"), FIELD_UNITS},
    {"replace", SPAN("file_path"), FIELD_UNITS},
    {"glob", SPAN("pattern"), FIELD_UNITS},
    {"google_web_search", SPAN("query"), FIELD_UNITS},
    {"web_fetch", SPAN("prompt"), COMMAND_UNITS},
};

static struct span member_text(struct span input, struct span name, struct arena *arena) {
    struct jmember m = {.name = name};
    struct span s;
    if (jscan_object(input, &m, 1) < 1 || jscan_string(m.value, arena, &s) < 0) return SPAN_NONE;
    return s;
}

static struct span grep_summary(struct span input, struct arena *arena) {
    struct span pattern = utf8_cut_units(member_text(input, SPAN("pattern"), arena), FIELD_UNITS);
    struct span path = utf8_cut_units(member_text(input, SPAN("path"), arena), FIELD_UNITS);
    if (!path.n) path = SPAN("cwd");
    struct span in = SPAN(" in ");
    char *out = arena_alloc(arena, pattern.n + in.n + path.n);
    if (!out) return SPAN_NONE;
    if (pattern.n) memcpy(out, pattern.p, pattern.n);
    memcpy(out + pattern.n, in.p, in.n);
    memcpy(out + pattern.n + in.n, path.p, path.n);
    return span_of(out, pattern.n + in.n + path.n);
}

struct span tool_summary(struct span tool, struct span input, struct arena *arena) {
    if (jscan_kind(input) == JKIND_NONE || jscan_kind(input) == JKIND_NULL) return SPAN_NONE;
    if (span_eq_str(tool, "Grep")) return grep_summary(input, arena);
    for (size_t i = 0; i < ARRAY_LEN(subjects); i++)
        if (span_eq_str(tool, subjects[i].tool))
            return utf8_cut_units(member_text(input, subjects[i].member, arena), subjects[i].units);
    return utf8_cut_units(input, JSON_UNITS);
}
