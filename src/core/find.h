/*
 * Which process is the agent's, when no hook said so? Only what the facts allow: a guess could end a stranger's work.
 * Candidates are the processes whose program is an agent CLI; where two would do, none is chosen.
 */
#pragma once

#include "core/enums.h"

enum { FIND_CANDIDATES_MAX = 1024 };

struct find_candidate {
    int64_t pid, parent;
    uint64_t start; /* clock ticks since boot */
    enum cli cli;
    bool script;  /* an interpreter runs it: it may be a launcher of the real program */
    bool has_tty; /* it has a terminal */
    bool claimed; /* it belongs to another card already, or is no agent of its own */
    struct span cwd;
};

/* What a program is called: "/usr/bin/claude.js" → "claude". */
struct span find_program_name(struct span path);

/* The CLI that a command line (words, a NUL behind each) is of, and whether an interpreter runs it. The program's own
 * name decides: an editor with a file called claude.md is none. False when it is none. */
bool find_cli(struct span args, enum cli *ret_cli, bool *ret_script);

/* One agent is often two processes: a script that starts the real program, or an agent with a helper of the same name.
 * Claims the one of each such pair that hooks do not name. */
void find_claim_pairs(struct find_candidate *v, size_t n);

struct find_query {
    enum cli cli;
    struct span dir;  /* the session's directory; may be empty */
    uint64_t born_by; /* ticks: who began later cannot have sent what was heard of it; 0 = unknown */
};

enum find_rule {
    FIND_NONE,      /* nobody, or more than one would do */
    FIND_ONLY,      /* nobody in the directory, and one free process of the CLI in all */
    FIND_TERMINAL,  /* several in the directory, one of them with a terminal */
    FIND_DIRECTORY, /* one in the directory */
};

struct find_hit {
    enum find_rule rule; /* greater is stronger */
    size_t index;        /* of the candidate */
};

struct find_hit find_process(const struct find_candidate *v, size_t n, const struct find_query *q);

/* Does another of `hits`, each for a session of its own, want the process of hits[i] with as good a reason? Then neither
 * may have it. */
bool find_is_contested(const struct find_hit *hits, size_t n, size_t i);
