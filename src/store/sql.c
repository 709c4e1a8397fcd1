#include "store/sql.h"

#include "store/session_row.h"

#define NAME(c) ", " #c
#define MARK(c) ", ?"
#define SET(c) ", " #c " = excluded." #c
#define EACH(F) SESSION_COLUMNS(F, F, F)

/* The newest ?2 rows of a session from position ?3 on, oldest first: the inner select finds the place where they
 * begin. */
#define NEWEST(columns, table)                                                                    \
    "SELECT pos, timestamp, " columns " FROM " table " WHERE session_id = ?1 AND pos >= max(?3, " \
    "coalesce((SELECT pos FROM " table                                                            \
    " WHERE session_id = ?1 ORDER BY pos DESC LIMIT 1 OFFSET ?2 - 1), 0)) ORDER BY pos"

/* A row that is there already is the same one: it came from the same record. */
#define APPEND(columns, marks, table) \
    "INSERT OR IGNORE INTO " table "(session_id, pos, timestamp, " columns ") VALUES (?, ?, ?, " marks ")"

const char *const sql_texts[SQL_N_] = {
    SQL_COMMON,

    /* Sets neither id nor on_board, so that no index is touched. `kind` comes twice for the sake of the commas. */
    [SQL_SESSION_PUT] = "INSERT INTO sessions(id" EACH(NAME) ") VALUES (?" EACH(
        MARK) ") "
              "ON CONFLICT(id) DO UPDATE SET kind = excluded.kind" EACH(SET),
    [SQL_SESSION_REMOVE] = "UPDATE sessions SET on_board = 0 WHERE id = ?",
    /* Most batches bring nothing new here; then no page is touched. */
    [SQL_WORKER_PUT] = "INSERT INTO workers(id, session_id, type) VALUES (?, ?, ?) ON CONFLICT(id) DO UPDATE "
                       "SET session_id = excluded.session_id, type = excluded.type "
                       "WHERE session_id <> excluded.session_id OR type <> excluded.type",
    [SQL_ALIAS_PUT] = "INSERT INTO aliases(alias, session_id, worker_id) VALUES (?, ?, ?) "
                      "ON CONFLICT(alias) DO UPDATE "
                      "SET session_id = excluded.session_id, worker_id = excluded.worker_id "
                      "WHERE session_id <> excluded.session_id OR worker_id <> excluded.worker_id",
    [SQL_PROJECT_PUT] = "INSERT INTO projects(name, sessions) VALUES (?, ?) "
                        "ON CONFLICT(name) DO UPDATE SET sessions = excluded.sessions",
    [SQL_TEAM_PUT] = "INSERT INTO teams(id, name, parent_session_id, created_at, removal_due) "
                     "VALUES (?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET name = excluded.name, "
                     "parent_session_id = excluded.parent_session_id, created_at = excluded.created_at, "
                     "removal_due = excluded.removal_due",
    [SQL_TEAM_REMOVE] = "DELETE FROM teams WHERE id = ?",
    [SQL_KEY_PUT] = "INSERT OR IGNORE INTO idempotency(key, at) VALUES (?, ?)",
    [SQL_KEYS_PRUNE] = "DELETE FROM idempotency WHERE id <= (SELECT max(id) FROM idempotency) - ?",
    [SQL_META_PUT] = "UPDATE meta SET spool_base = ?, spool_off = ?, spool_fingerprint = ?, seq = ?",

    /* A request has one end: a replayed record brings the same one. What is told once more is who was first. */
    [SQL_APPROVAL_PUT] =
        "INSERT INTO approvals(id, session_id, agent_session_id, title, project, cli, kind, form, tool, "
        "agent, text, detail, certain, state, decision, answered_by, asked_at, ended_at, "
        "call) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(session_id, id) DO UPDATE "
        "SET state = excluded.state, answered_by = excluded.answered_by",
    [SQL_AWAY_PUT] =
        "INSERT INTO away(id, away, since, said_by) VALUES (1, ?, ?, ?) ON CONFLICT(id) DO UPDATE "
        "SET away = excluded.away, since = excluded.since, said_by = excluded.said_by",
    [SQL_RULE_PUT] =
        "INSERT INTO rules(id, session_id, cli, rule, place, project, written_by, written_at, undone_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET undone_at = excluded.undone_at",

    [SQL_PROMPT_PUT] = APPEND("text", "?", "prompts"),
    [SQL_TOOL_PUT] = APPEND("tool_name, tool_input_summary, failed, error", "?, ?, ?, ?", "tool_calls"),
    [SQL_RESPONSE_PUT] = APPEND("text_excerpt", "?", "responses"),
    [SQL_EVENT_PUT] = APPEND("event_type, detail", "?, ?", "events"),
    [SQL_TOOL_AMEND] = "UPDATE tool_calls SET failed = ?, error = ? WHERE session_id = ? AND pos = ?",

    [SQL_META_GET] = "SELECT spool_base, spool_off, spool_fingerprint, seq FROM meta",
    /* Ids are a letter and a number that grows, without leading zeros: this is the order of birth. */
    [SQL_SESSIONS_GET] = "SELECT id" EACH(NAME) " FROM sessions WHERE on_board = 1 ORDER BY length(id), id",
    [SQL_TOOL_USAGE_GET] = "SELECT key, value FROM json_each(?)",
    [SQL_WORKERS_GET] = "SELECT id, type FROM workers WHERE session_id = ?",
    [SQL_ALIASES_GET] = "SELECT alias, worker_id FROM aliases WHERE session_id = ? ORDER BY id",
    [SQL_PROJECTS_GET] = "SELECT name, sessions FROM projects",
    [SQL_TEAMS_GET] =
        "SELECT id, name, parent_session_id, created_at, removal_due FROM teams ORDER BY number",
    [SQL_KEYS_GET] = "SELECT key FROM idempotency ORDER BY id",

    [SQL_APPROVALS_GET] =
        "SELECT id, session_id, agent_session_id, title, project, cli, kind, form, tool, agent, text, detail, "
        "certain, state, decision, answered_by, asked_at, ended_at, call FROM "
        "(SELECT * FROM approvals ORDER BY number DESC LIMIT ?) ORDER BY number",
    [SQL_AWAY_GET] = "SELECT away, since, said_by FROM away",
    [SQL_RULES_GET] =
        "SELECT id, session_id, cli, rule, place, project, written_by, written_at, undone_at FROM "
        "(SELECT * FROM rules ORDER BY number DESC LIMIT ?) ORDER BY number",

    [SQL_PROMPTS_GET] = NEWEST("text", "prompts"),
    [SQL_TOOLS_GET] = NEWEST("tool_name, tool_input_summary, failed, error", "tool_calls"),
    [SQL_RESPONSES_GET] = NEWEST("text_excerpt", "responses"),
    [SQL_EVENTS_GET] = NEWEST("event_type, detail", "events"),
};
