/* What the demo's agents are, do and say. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DEMO_NOBODY = -1, DEMO_PROMPTS = 3, DEMO_INPUTS = 3 };

struct demo_cast {
    const char *project, *cli, *model, *terminal;
    int leader; /* the cast that started it, or DEMO_NOBODY */
    const char *name, *color;
    const char *prompts[DEMO_PROMPTS];
};

struct demo_tool {
    const char *name;
    bool asks;                       /* may need an approval */
    uint64_t most_ms;                /* how long it takes; 0: it is a question */
    const char *inputs[DEMO_INPUTS]; /* as JSON */
};

extern const struct demo_cast demo_casts[];
extern const size_t demo_cast_count;

extern const struct demo_tool demo_tools[];
extern const size_t demo_tool_count;

/* Those that only Claude Code has, and that ask for an answer by themselves. */
extern const struct demo_tool demo_questions[];
extern const size_t demo_question_count;

/* How turns end, in Markdown. */
extern const char *const demo_words[];
extern const size_t demo_words_count;
