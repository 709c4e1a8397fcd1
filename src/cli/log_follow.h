/* The same, live: what a terminal prints from a place on, until its program ends. Masked as its journal is. */
#pragma once

#include "cli/log_play.h"
#include "cli/roster.h"

int log_follow(const struct roster *r, const struct roster_entry *e, struct tape_place place,
               const struct log_sink *sink, void *user, struct err *err);
