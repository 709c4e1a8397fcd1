/* From the spool through the core: records in, effects carried out. */
#pragma once

#include "ingest/ingest.h"

/* What ingest_open() is given; `user` is a struct app. */
extern const struct ingest_ops feed_ops;

struct app;

/* The state is loaded: if it knows events of later than now, the clock was set back while no daemon ran. */
void feed_begin(struct app *app);

/* Sets the timer to the core's next deadline. */
void feed_arm_deadline(struct app *app);
