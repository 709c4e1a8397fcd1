/*
 * Hooks in config.toml whose event is written in one piece: `Stop = [{ hooks = [{ … }] }]` in the table [hooks]. TOML lets nobody add
 * a table to such a list, so ours becomes its last element. Pure.
 */
#pragma once

#include "base/buf.h"
#include "setup/events.h"

struct codex_list {
    struct span event;
    struct span value; /* the list, as a span of the text */
};

/* The lists of a text that was read before, one after the other: `*at` is 0 before the first. */
struct codex_lists {
    struct span text;
    struct arena *arena; /* for names */
    size_t at;
    bool in_hooks; /* the table is [hooks] */
    bool at_root;
};

#define CODEX_LISTS_INIT(t, a) ((struct codex_lists){.text = (t), .arena = (a), .at_root = true})
bool codex_lists_next(struct codex_lists *l, struct codex_list *ret);
bool codex_lists_has(struct span text, struct span event, struct codex_list *ret, struct arena *arena);

/* Our handler in a list: its command, and its group's place among the others. */
bool codex_list_ours(const struct codex_list *list, struct arena *arena, struct span *ret_command,
                     size_t *ret_index);

/* How many groups of others are in it. */
size_t codex_list_others(const struct codex_list *list, struct arena *arena);

/* Appends the text with ours behind the last element of each list of a wanted event, and nowhere else; without a command they are all
 * taken out. `at_root`: the text does not begin inside of some table. */
int codex_lists_write(struct span text, bool at_root, struct span command, const struct event_wish *wish,
                      struct buf *out, struct err *err);
