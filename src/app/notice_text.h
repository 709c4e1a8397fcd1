/* What a notification says: the JSON that a push carries, and that a command of the user's own gets. Pure. */
#pragma once

#include "api/push_ticket.h"
#include "app/notice_rule.h"
#include "app/push_queue.h"
#include "base/buf.h"

enum {
    NOTICE_TEXT_UNITS = 1000, /* of what is asked, in a push: more does not fit, with all that goes with it */
    NOTICE_WHOLE_UNITS =
        240, /* so much of it systems show, and so many lines; only then it may be allowed from there */
    NOTICE_WHOLE_LINES = 5,
    NOTICE_REQUEST_TTL_S = 4 * 60 * 60,
    NOTICE_TTL_S = 60 * 60,
};

/* What is told. */
struct notice_text {
    const struct notice_item *item;
    const struct session *session;
    const struct request *request; /* NULL: it is none */
    unsigned
        decisions; /* enum push_decision: what may be answered from a notification that holds all of it */
    const char *digest; /* of what is asked; NULL: it is no request, or cannot be answered */
    struct span ticket; /* "": none */
};

/* Does a notification show all that is asked? */
bool notice_text_is_whole(const struct notice_text *t);

/* For a browser: {kind, title, project, text, whole, sessionId, requestId, digest, can, token, tag, url, at}. */
void notice_text_push(const struct notice_text *t, struct buf *out);
/* For a browser that was told and whose notification is to go: {gone: true, tag}. */
void notice_text_over(const struct notice_item *item, struct buf *out);
/* For a command: the same facts, with the whole of what is asked. */
void notice_text_command(const struct notice_text *t, const char *url, struct buf *out);

/* What all messages about the same thing have in common. */
void notice_text_topic(const struct notice_item *item, char ret[PUSH_TOPIC_BYTES]);
