/*
 * The terminals there are, as the daemon tells them, or without one as they lie on the disk; and which of them somebody means.
 */
#pragma once

#include "app/daemon_file.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/path.h"

enum { ROSTER_BYTES_MAX = 64 << 20, ROSTER_DISK_MAX = 10000 };

struct roster_entry {
    struct span id;      /* term-1731740000000-x7f3ab */
    struct span session; /* its card's id on the wire; empty without a daemon, like `card` */
    struct span card;    /* and for life */
    struct span title, label, command, directory;
    struct span kind;       /* "shell", "agent", "command" */
    struct span connection; /* "live", "ended", … */
    int64_t since_ms;       /* it started, or ended */
    int64_t viewers;
    struct span json; /* as the daemon told it */
};

struct roster {
    struct arena arena; /* what the entries' spans are in */
    struct roster_entry *entries;
    size_t n, room;
    struct paths paths;
    bool has_daemon;
    struct daemon_info daemon;
    struct err no_daemon; /* why not */
};

/* From the daemon when one answers, else from the disk. */
int roster_load(struct roster *r, struct err *err);
/* The sessions of the board that are in no terminal of ours, as entries whose id is the session's; none without a daemon. */
int roster_load_sessions(struct roster *r, const struct roster *terminals, struct err *err);
void roster_fini(struct roster *r);

/* The array of GET /api/terminals. Entries that are none are left out. Nothing of `json` is copied. */
int roster_read(struct roster *r, struct span json);

/* The object of GET /api/sessions, likewise; those with a terminal are left out. */
int roster_read_sessions(struct roster *r, struct span json);

/* The part of a terminal's id that people type. */
struct span roster_short(struct span id);
bool roster_is_live(const struct roster_entry *e);

/* The one that a word means: an id, the short one, a session's id, a title, or a beginning of one. Of several the one that
 * lives, if only one does. -ENOENT, -EEXIST when several are meant; *ret_n says how many, and the first of them are in
 * `ret`. */
enum { ROSTER_MEANT_MAX = 8 };
int roster_find(const struct roster *r, struct span word, const struct roster_entry *ret[ROSTER_MEANT_MAX],
                size_t *ret_n);

/* The newest terminal of a card; NULL when it has none. */
const struct roster_entry *roster_of_card(const struct roster *r, struct span card);

/* The terminal's directory. */
int roster_dir(const struct roster *r, const struct roster_entry *e, char out[PATH_BYTES]);

static inline void cleanup_roster(struct roster *r) {
    roster_fini(r);
}
