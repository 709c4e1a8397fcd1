/* The status machine: event table row → status, animation, emote, with the evidence for it. */
#pragma once

#include "core/apply.h"

/* Moves the conversation as the event's row says. */
void status_apply(struct turn *t, const struct event *ev);
