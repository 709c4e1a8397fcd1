#include "core/agent.h"

#include "core/find.h"

/* The CLIs whose hooks are understood come first, in the order of enum cli. */
static const struct agent agents[] = {
    {"claude", CLI_CLAUDE, "ANTHROPIC_API_KEY", true},
    {"gemini", CLI_GEMINI, "GEMINI_API_KEY", false}, /* only where its hooks are installed */
    {"codex", CLI_CODEX, "OPENAI_API_KEY", false},   /* with the first prompt */
    {"aider", CLI_N_, "ANTHROPIC_API_KEY", false},
    {"amp", CLI_N_, "ANTHROPIC_API_KEY", false},
    {"copilot", CLI_N_, "ANTHROPIC_API_KEY", false},
    {"crush", CLI_N_, "ANTHROPIC_API_KEY", false},
    {"cursor-agent", CLI_N_, "ANTHROPIC_API_KEY", false},
    {"goose", CLI_N_, "ANTHROPIC_API_KEY", false},
    {"opencode", CLI_N_, "ANTHROPIC_API_KEY", false},
    {"qwen", CLI_N_, "OPENAI_API_KEY", false},
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
