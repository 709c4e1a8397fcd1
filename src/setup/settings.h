/*
 * One CLI's settings as text: what is in them of ours, and what they are to become. The four forms that these take (JSON that is
 * shared, TOML that is shared, two kinds of files of our own) meet here. Pure.
 */
#pragma once

#include "base/strv.h"
#include "setup/found.h"

enum { SETTINGS_BYTES_MAX = 8 << 20 };

/* What was there before the first change, so that taking ours out again leaves exactly that. */
struct settings_past {
    bool created; /* there was no file */
    char *blank;  /* there was one without any value in it: these bytes; NULL: not so */
    char **kept;  /* lists that were there and empty */
};

void settings_past_fini(struct settings_past *p);

struct settings_wish {
    struct event_wish events;
    struct span command;
    const char *source; /* the file's path as the CLI knows it */
};

/* `was` has no bytes and `exists` is false when there is no file. `past` is filled in when none of ours was in it. */
int settings_install(struct span was, bool exists, const struct settings_wish *wish,
                     struct settings_past *past, struct buf *out, struct err *err);

/* `*ret_delete`: the file should go altogether. */
int settings_remove(struct span was, enum cli cli, const struct settings_past *past, struct buf *out,
                    bool *ret_delete, struct err *err);

int settings_find(struct span text, enum cli cli, const char *source, struct setup_found *ret,
                  struct err *err);
