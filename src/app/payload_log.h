/* What came from agents, in the log of a daemon that was told to say more (--debug). */
#pragma once

#include "term/redact.h"

/* One line a record: its beginning, with secrets masked. Does nothing unless LOG_DEBUG is wanted, or without patterns. */
void payload_log(const struct redact_set *patterns, uint64_t pos, struct span record);
