/* What a service manager is told of us, where one asked for it: systemd's NOTIFY_SOCKET and WATCHDOG_USEC. */
#pragma once

#include "base/clock.h"

/* Reads what the manager asked for and takes it out of the environment: programs that we start are not who it means. */
void notify_open(void);
/* Puts it back, for a program that takes our place. */
void notify_hand_on(void);

/* How often it wants a sign of life; 0: it does not. */
usec_t notify_interval(void);
/* "READY=1" and the like; from any thread, never waits. Nothing happens where nobody asked. */
void notify_tell(const char *state);
