/* What the daemon makes of transcripts: who looks at one moves it to the front, and what is found goes to them and to the
 * card. */
#pragma once

#include "api/api.h"
#include "app/mend_queue.h"

struct app;

/* For mend_queue_open(); `user` is the struct app. */
extern const struct mend_queue_ops transcripts_queue_ops;

/* A client looks at a session: struct board_ops.look; `user` is the struct app. */
void transcripts_look(void *user, struct span session_id, const struct session *s,
                      enum board_urgency urgency);

/* Somebody wants it mended and waits for the outcome: struct api.repair. */
void transcripts_repair(void *user, struct http_exchange *x, const struct session *s);

/* What was found, in the words of the card. */
enum transcript_health transcripts_health(const struct mend_news *n);

/* The session's agent has ended. */
void transcripts_ended(struct app *app, const struct session *s);
