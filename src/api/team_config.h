/* What Claude Code knows of a team: ~/.claude/teams/NAME/config.json, read when it is asked for. */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/path.h"

enum { TEAM_CONFIG_BYTES_MAX = 1 << 20 };

/* Where the teams are, from the environment (CLAUDE_CONFIG_DIR, HOME). -ENOENT when that says nothing. */
int team_config_dir(char ret[PATH_BYTES]);

/* The text of a team's configuration: one JSON object. The name is one path segment of harmless characters, whatever it
 * was before. -ENOENT when there is none, -EINVAL when it is not JSON or the name has nothing left. */
int team_config_read(const char *dir, struct span team, struct buf *ret);

struct team_config_member {
    struct span pane, backend, color;
};

/* What the configuration says of a member; false when it does not know it. */
bool team_config_member(struct span config, struct span name, struct arena *arena,
                        struct team_config_member *ret);
