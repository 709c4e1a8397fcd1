/* The environment variables that the hook looks at, found in one pass: looking each of them up would cost more than
 * everything else that the hook computes. */
#pragma once

#include "base/span.h"

/* X(constant): the variable's name is the constant itself. */
#define ENV_MAP(X)                   \
    X(TERM_PROGRAM)                  \
    X(TERM_PROGRAM_VERSION)          \
    X(VSCODE_PID)                    \
    X(TERM)                          \
    X(ITERM_SESSION_ID)              \
    X(KITTY_WINDOW_ID)               \
    X(WARP_SESSION_ID)               \
    X(WEZTERM_PANE)                  \
    X(TERM_SESSION_ID)               \
    X(WINDOWID)                      \
    X(TMUX)                          \
    X(TMUX_PANE)                     \
    X(GHOSTTY_RESOURCES_DIR)         \
    X(KITTY_PID)                     \
    X(AGENT_MANAGER_TERMINAL_ID)     \
    X(OSTLER_WORKER)                 \
    X(OSTLER_HOSTED)                 \
    X(OSTLER_TTY)                    \
    X(OSTLER_TAB_TITLE)              \
    X(CLAUDE_PROJECT_DIR)            \
    X(CLAUDE_CODE_PARENT_SESSION_ID) \
    X(CLAUDE_CODE_TEAM_NAME)         \
    X(CLAUDE_CODE_AGENT_NAME)        \
    X(CLAUDE_CODE_AGENT_TYPE)        \
    X(CLAUDE_CODE_AGENT_ID)          \
    X(CLAUDE_CODE_AGENT_COLOR)       \
    X(CLAUDE_CODE_SESSION_ATTENDED)  \
    X(CLAUDE_CODE_ENTRYPOINT)        \
    X(CLAUDE_JOB_DIR)                \
    X(GEMINI_SESSION_ID)             \
    X(GEMINI_CWD)

#define ENV_X(name) ENV_##name,
enum env_name { ENV_MAP(ENV_X) ENV_N_ };

/* The values; empty for a variable that is unset or empty: nothing is said about it either way. */
struct env {
    struct span value[ENV_N_];
};

void env_read(struct env *ret, char *const *environment);
