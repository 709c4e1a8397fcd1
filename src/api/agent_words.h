/* The words of an agent's command line: which of them are said again when its conversation goes on, what leads to that, and
 * how a model is chosen. Pure. */
#pragma once

#include "base/err.h"
#include "base/strv.h"
#include "core/agent.h"

/* The program and the options that it was started with, for another start: without the prompts that were given with them and
 * without what chose a conversation. An option that nobody knows, and that may belong to the word behind it, goes with that
 * word: it might be a prompt. */
char **agent_words_again(enum cli cli, const char *const *words);

/* Adds what makes the CLI go on with conversation `id`. */
void agent_words_resume(char ***words, enum cli cli, struct span id);

/* Adds what chooses a model and how much effort it takes, each "" for none. -EINVAL with a sentence for what the CLI does not
 * know, or was told already. */
int agent_words_choose(char ***words, const struct agent *agent, struct span model, struct span effort,
                       struct err *err);
