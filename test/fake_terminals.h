/*
 * pty/terminals.h in memory: terminals without keepers, whose output a test says item by item. Every viewer gets every item from
 * the moment on when it attached, after a snapshot or the place that it asked for.
 */
#pragma once

#include "pty/terminals.h"
#include "pty/viewers.h"

struct fake_item {
    struct terminal_item item;
    char *bytes;
};

enum { FAKE_TERMINALS = 4, FAKE_ITEMS = 64 };

struct terminal {
    struct terminals *owner;
    char id[TERMINAL_ID_BYTES];
    struct terminal_facts facts;
    bool loading; /* its screen is not in memory */
    bool deleted;
    struct fake_item items[FAKE_ITEMS];
    size_t n;
    struct terminal_viewer *viewers[16];
    char input[256]; /* what was typed, and the sizes that were asked for as "[COLSxROWS]" */
    bool ended;      /* somebody hung up */
    int refuse;      /* what input and resizes are answered with */
    void (*waiting)(void *user, struct terminal *t);
    void *waiting_user;
};

struct terminals {
    struct terminal v[FAKE_TERMINALS];
    size_t n;
};

struct terminal *fake_terminal(struct terminals *ts, const char *id);
/* Output at the next offset. */
void fake_prints(struct terminal *t, const char *text);
/* Any item; `offset` and `epoch` are filled in. */
void fake_happens(struct terminal *t, struct terminal_item item);
/* Its screen is in memory now. */
void fake_loaded(struct terminal *t);
void fake_deleted(struct terminal *t);
void fake_free(struct terminals *ts);
