/* How what somebody asks for becomes a program in a terminal. Agents and lists of words are executed as they are; a command
 * line is typed into the user's shell. */
#pragma once

#include "base/arena.h"
#include "base/strv.h"
#include "core/model.h"
#include "pty/terminals.h"
#include "setup/place.h"
#include "wire/terminal_request.h"

/* What does not change. Borrowed; NULL where it is not known. */
struct agent_place {
    const char *hook;                /* ostler-hook */
    const char *hooks_dir;           /* for what hooks need for a run */
    const struct setup_notes *notes; /* about programs; given with hooks_dir */
    const char *home;
    const char *(*path)(
        void *user); /* the PATH of programs that bring no environment; NULL: it is not known (yet) */
    void *user;      /* for it */
};

/* What is to be started, with the memory for it. */
struct agent_launch {
    struct terminal_spec spec; /* points into the rest */
    char directory[PATH_BYTES];
    char **words, **argv, **env, **secrets;
    struct buf typed;
};

void agent_launch_fini(struct agent_launch *l);

/* What a client asked for. -EINVAL with a sentence, also for a directory that is not there. */
int agent_launch_prepare(struct agent_launch *ret, const struct agent_place *place,
                         const struct terminal_request *req, struct arena *arena, struct err *err);

/* The argv that runs `words` (NULL-terminated), with the hooks of its agent; `path` is the PATH of its environment, NULL where it
 * brings none. `ret_marked`: it has some, which are told from those
 * of other agents by the number in its environment. */
char **agent_launch_argv(const struct agent_place *place, const char *const *words, const char *path,
                         bool *ret_marked);

/* What ran before, as far as it is known. */
struct agent_before {
    const char *const *words; /* what was asked for; NULL: not known */
    struct span command;      /* the line that people are shown; "" when unknown */
};

/* The words that bring a conversation back with the options that it had, or begin a new one when it has no id that could be
 * asked for, or `*fresh`, which then becomes true. `ret_message` may get a sentence about what will happen. */
char **agent_launch_resume_words(const struct conversation *c, const struct agent_before *before, bool *fresh,
                                 const char **ret_message);
