#include "core/agent.h"

#include "core/find.h"

/* The CLIs whose hooks are understood come first, in the order of enum cli. */
static const struct agent agents[] = {
    {"claude", "ANTHROPIC_API_KEY", CLI_CLAUDE, true},
    {"gemini", "GEMINI_API_KEY", CLI_GEMINI, false}, /* only where its hooks are installed */
    {"codex", "OPENAI_API_KEY", CLI_CODEX, false},   /* with the first prompt */
    {"copilot", "ANTHROPIC_API_KEY", CLI_COPILOT, false},
    {"opencode", "ANTHROPIC_API_KEY", CLI_OPENCODE, false},
    {"aider", "ANTHROPIC_API_KEY", CLI_N_, false},
    {"amp", "ANTHROPIC_API_KEY", CLI_N_, false},
    {"crush", "ANTHROPIC_API_KEY", CLI_N_, false},
    {"cursor-agent", "ANTHROPIC_API_KEY", CLI_N_, false},
    {"goose", "ANTHROPIC_API_KEY", CLI_N_, false},
    {"qwen", "OPENAI_API_KEY", CLI_N_, false},
};

const struct agent *agent_find(struct span program) {
    struct span name = find_program_name(program);
    for (size_t i = 0; i < ARRAY_LEN(agents); i++)
        if (span_eq_str(name, agents[i].name)) return &agents[i];
    return NULL;
}

const struct agent *agent_of(enum cli cli) {
    return &agents[cli];
}
