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

struct span source_detect(const struct event *ev) {
    if (ev->in_vscode) return SPAN("vscode");
    for (size_t i = 0; i < ARRAY_LEN(programs); i++)
        if (span_icontains(ev->term_program, span_str(programs[i].name))) return span_str(programs[i].source);
    if (ev->in_ghostty) return SPAN("ghostty");
    if (ev->in_wezterm) return SPAN("wezterm");
    if (ev->in_tmux) return SPAN("tmux");
    return ev->term_program.n ? ev->term_program : SPAN("terminal");
}
