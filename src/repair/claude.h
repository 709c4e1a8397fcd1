/* Where Claude Code keeps its transcripts, and a walk through them. */
#pragma once

#include "base/err.h"
#include "repair/verdict.h"

enum { SESSION_ID_CHARS = 36 };

/* $CLAUDE_CONFIG_DIR, $CLAUDE_HOME, or ~/.claude. -ENOENT when none is known. */
int claude_home(char out[PATH_BYTES]);
/* Its "projects". */
int claude_projects(char out[PATH_BYTES]);

/* Whether a path lies below that directory, as it is written. */
bool claude_holds(const char *projects, const char *path);

/* A canonical UUID, in any case of letters: only such names are ever looked for. */
bool claude_is_session_id(struct span name);

/* The session of a transcript's path: the file's name without ".jsonl". */
struct span claude_session_of(struct span path);

/* What stat() says of a file, as far as it tells one version of it from another. */
struct stat;
struct file_mark claude_mark(const struct stat *st);

/* Calls for every <projects>/<project>/<name>.jsonl that is a regular file, in no particular order; stops when it returns
 * non-zero, and returns that. A directory that is not there holds nothing, nor does a project that may not be read. What
 * the subagents of a session wrote is left alone. `projects` may be a link of the person's; beneath it none is followed. */
typedef int claude_each_fn(void *user, const char *path, const struct file_mark *mark);
int claude_each(const char *projects, claude_each_fn *fn, void *user);
/* The same for those that lie in `dir` itself. */
int claude_each_in(const char *dir, claude_each_fn *fn, void *user);

/* The transcript of one session, wherever below `projects` it is: of several the one that was changed last. -ENOENT. */
int claude_find(const char *projects, struct span session_id, char out[PATH_BYTES]);
