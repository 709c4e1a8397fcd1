#include "hook/env.h"

#define NAME_X(name) SPAN(#name),
static const struct span names[ENV_N_] = {ENV_MAP(NAME_X)};

/* The letters that the names begin with, as bits from 'A': most variables are passed over with one look. */
static uint32_t first_letters(void) {
    uint32_t letters = 0;
    for (size_t i = 0; i < ENV_N_; i++)
        letters |= UINT32_C(1) << (names[i].p[0] - 'A');
    return letters;
}

static void take(struct env *env, const char *variable) {
    for (size_t i = 0; i < ENV_N_; i++) {
        if (names[i].p[0] != variable[0] || strncmp(variable, names[i].p, names[i].n) != 0) continue;
        if (variable[names[i].n] != '=') continue; /* a longer name that begins like this one */
        env->value[i] = span_str(variable + names[i].n + 1);
        return;
    }
}

void env_read(struct env *ret, char *const *environment) {
    uint32_t letters = first_letters();
    *ret = (struct env){0};
    for (; *environment; environment++) {
        unsigned letter = (unsigned)(**environment - 'A');
        if (letter < 26 && letters >> letter & 1) take(ret, *environment);
    }
}
