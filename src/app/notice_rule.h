/*
 * What people are notified of, and when. Whatever asks for a person (core/attention) is told once, a moment after it began: what is
 * answered at the desk at once never makes a phone buzz. What was told and is over is told as well, so that notifications can be
 * taken back. Pure: sessions and a time in, news out.
 */
#pragma once

#include "base/clock_step.h"
#include "base/list.h"
#include "base/map.h"
#include "core/model.h"

enum {
    NOTICE_DELAY_MS = 1500,
    NOTICE_OLD_MS = 15 * 60 * 1000, /* what began longer ago is no news, when it is first seen */
    NOTICE_JUST_MS = 60 * 1000, /* what began so shortly before the daemon did may not have been told yet */
    NOTICE_KEY_BYTES = ID_BYTES + 40,
};

/* One thing that a person is wanted for. */
struct notice_item {
    struct list link;
    char key[NOTICE_KEY_BYTES]; /* tells it from all others */
    char session[ID_BYTES];
    char request[ID_BYTES]; /* "": it is no request */
    enum attention_kind kind;
    int64_t since_ms, due_ms;
    bool told;   /* or kept to ourselves */
    bool silent; /* the latter */
    bool before; /* it was told before this daemon started, if at all: nobody knows to whom */
    bool seen;   /* by the last look */
};

struct notice_rule {
    struct map sessions; /* stable id → struct list of items */
    struct list over;    /* told, and over */
    int64_t delay_ms;
};

void notice_rule_init(struct notice_rule *n, int64_t delay_ms);
void notice_rule_fini(struct notice_rule *n);

/* The session as it is now. */
void notice_rule_look(struct notice_rule *n, const struct session *s, int64_t now_ms);
/* The same at the daemon's start: what was so before is known. */
void notice_rule_know(struct notice_rule *n, const struct session *s, int64_t now_ms);
/* It has left the board. */
void notice_rule_removed(struct notice_rule *n, const struct session *s);

enum notice_news { NOTICE_NOTHING, NOTICE_TELL, NOTICE_OVER };

/* The next thing to do, which is noted as done; `*ret` is a copy. */
enum notice_news notice_rule_next(struct notice_rule *n, int64_t now_ms, struct notice_item *ret);
/* This one was kept from everybody: its end is no news either. */
void notice_rule_hush(struct notice_rule *n, const struct notice_item *item);
/* When there may be more to do; INT64_MAX: not before something changes. */
int64_t notice_rule_due(const struct notice_rule *n);
/* The clock was set, by so much: what waits waits for as long as before. */
void notice_rule_clock_set(struct notice_rule *n, int64_t by_ms);
