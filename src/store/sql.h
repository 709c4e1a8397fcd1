/* Every statement on the sessions' database that is kept prepared, by name. */
#pragma once

#include "store/schema.h"

enum sql {
    SQL_SESSION_PUT = SQL_COMMON_N_,
    SQL_SESSION_REMOVE,
    SQL_WORKER_PUT,
    SQL_ALIAS_PUT,
    SQL_PROJECT_PUT,
    SQL_TEAM_PUT,
    SQL_TEAM_REMOVE,
    SQL_KEY_PUT,
    SQL_KEYS_PRUNE,
    SQL_META_PUT,
    SQL_APPROVAL_PUT,
    SQL_AWAY_PUT,
    SQL_RULE_PUT,
    /* one for each enum history_kind, in its order */
    SQL_PROMPT_PUT,
    SQL_TOOL_PUT,
    SQL_RESPONSE_PUT,
    SQL_EVENT_PUT,
    SQL_TOOL_AMEND,

    SQL_META_GET,
    SQL_SESSIONS_GET,
    SQL_TOOL_USAGE_GET,
    SQL_WORKERS_GET,
    SQL_ALIASES_GET,
    SQL_PROJECTS_GET,
    SQL_TEAMS_GET,
    SQL_KEYS_GET,
    SQL_APPROVALS_GET,
    SQL_AWAY_GET,
    SQL_RULES_GET,
    /* again in the order of enum history_kind */
    SQL_PROMPTS_GET,
    SQL_TOOLS_GET,
    SQL_RESPONSES_GET,
    SQL_EVENTS_GET,
    SQL_N_
};

extern const char *const sql_texts[SQL_N_];
