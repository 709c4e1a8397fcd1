#include "core/source.h"

/* In order: the first row with a match wins. */
static const struct {
    const char *name; /* what the terminal program's name contains */
    const char *source;
} programs[] = {
    {"vscode", "vscode"},      {"code", "vscode"},      {"jetbrains", "jetbrains"},
    {"intellij", "jetbrains"}, {"idea", "jetbrains"},   {"webstorm", "jetbrains"},
    {"pycharm", "jetbrains"},  {"goland", "jetbrains"}, {"clion", "jetbrains"},
    {"phpstorm", "jetbrains"}, {"rider", "jetbrains"},  {"rubymine", "jetbrains"},
    {"datagrip", "jetbrains"}, {"iterm", "iterm"},      {"warp", "warp"},
    {"kitty", "kitty"},        {"ghostty", "ghostty"},  {"alacritty", "alacritty"},
    {"wezterm", "wezterm"},    {"hyper", "hyper"},      {"apple_terminal", "terminal"},
};

static struct span lower_case(struct span s, struct arena *arena) {
    char *copy = arena_strndup(arena, s.p, s.n);
    if (!copy) return SPAN_NONE;
    for (size_t i = 0; i < s.n; i++)
        if (copy[i] >= 'A' && copy[i] <= 'Z') copy[i] = (char)(copy[i] + 32);
    return span_of(copy, s.n);
}

struct span source_detect(const struct event *ev, struct arena *arena) {
    if (ev->in_vscode) return SPAN("vscode");
    for (size_t i = 0; i < ARRAY_LEN(programs); i++)
        if (span_icontains(ev->term_program, span_str(programs[i].name))) return span_str(programs[i].source);
    if (ev->in_ghostty) return SPAN("ghostty");
    if (ev->in_wezterm) return SPAN("wezterm");
    if (ev->in_tmux) return SPAN("tmux");
    return ev->term_program.n ? lower_case(ev->term_program, arena) : SPAN("terminal");
}
