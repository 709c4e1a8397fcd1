/* How what somebody asks for becomes a program in a terminal. Agents and lists of words are executed as they are, by way of
 * a login shell that only replaces itself with them; a command line is typed into the user's shell. */
#pragma once

#include "base/arena.h"
#include "base/strv.h"
#include "core/model.h"
#include "pty/terminals.h"
#include "wire/terminal_request.h"

/* What does not change. Borrowed; NULL where it is not known. */
struct agent_place {
    const char *hook;      /* ostler-hook */
    const char *hooks_dir; /* for what hooks need for a run */
    const char *versions;  /* what programs said of their versions; given with hooks_dir */
    const char *home, *shell;
};

/* What is to be started, with the memory for it. */
struct agent_launch {
    struct terminal_spec spec; /* points into the rest */
    char directory[PATH_BYTES];
    char **argv, **env, **secrets;
    struct buf typed;
};

void agent_launch_fini(struct agent_launch *l);

/* What a client asked for. -EINVAL with a sentence, also for a directory that is not there. */
int agent_launch_prepare(struct agent_launch *ret, const struct agent_place *place,
                         const struct terminal_request *req, struct arena *arena, struct err *err);

/* The argv that runs `words` (NULL-terminated): with the hooks of its agent, through the login shell. */
char **agent_launch_argv(const struct agent_place *place, const char *const *words);

/* The words that bring a conversation back, or begin a new one when it has no id that could be asked for (or `fresh`);
 * `program` is what ran before, "" when unknown. `ret_message` may get a sentence about what will happen. */
char **agent_launch_resume_words(const struct conversation *c, bool fresh, struct span program,
                                 const char **ret_message);
