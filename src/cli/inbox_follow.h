/* The daemon's inbox as it happens: a connection to the board's socket. A plain descriptor for poll(); nothing here blocks. */
#pragma once

#include "app/daemon_file.h"
#include "base/err.h"
#include "base/span.h"

struct inbox_follow;

struct inbox_follow_events {
    void (*opened)(void *user);
    void (*message)(void *user, struct span json); /* valid during the call */
};

int inbox_follow_open(const struct daemon_info *daemon, const struct inbox_follow_events *events, void *user,
                      struct inbox_follow **ret, struct err *err);
void inbox_follow_close(struct inbox_follow *f); /* NULL is fine */

int inbox_follow_fd(const struct inbox_follow *f);
short inbox_follow_wants(const struct inbox_follow *f);
/* The descriptor is ready; events come from within. Fails with a sentence when the connection is over. */
int inbox_follow_ready(struct inbox_follow *f, short events, struct err *err);
int inbox_follow_send(struct inbox_follow *f, struct span json);
