/* What can be known of a terminal whose own notes are lost: its keeper tells, by its command line. */
#pragma once

#include "pty/meta.h"

/* Is this a keeper, and of a terminal whose directory is in `dir`? Its name then. */
bool salvage_name(pid_t keeper, const char *dir, char ret_id[TERMINAL_ID_BYTES]);

/* Does the keeper run this incarnation? 0 when it does not tell. */
uint64_t salvage_epoch(pid_t keeper);

/* What its command line tells of the terminal `id`; as little as its name when there is no keeper (0). */
void salvage_meta(const char *id, pid_t keeper, struct meta *ret);
