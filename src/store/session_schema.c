/* The sessions' database. */
#include "base/compiler.h"
#include "store/sql.h"

/*
 * `session_id` in every table but `sessions` is sessions.id, the stable id; sessions.session_id is the agent's own
 * newest one, for people who look into the file. History is found by (session, position): a position names the
 * record that made the row, so a replayed record makes no second row. The tables that grow by the event are
 * clustered that way and have no other index; prompts and responses have their position as rowid, which full-text
 * search needs.
 *
 * A session's row is rewritten with every batch that has news of it, so `sessions` has no index on what that
 * statement sets: `on_board` is changed by another one.
 */
static const char *const steps[] = {
    "CREATE TABLE meta("
    "  id INTEGER PRIMARY KEY CHECK (id = 1),"
    "  spool_base INTEGER NOT NULL,"
    "  spool_off INTEGER NOT NULL,"
    "  spool_fingerprint INTEGER NOT NULL,"
    "  seq INTEGER NOT NULL"
    ") STRICT;"
    "INSERT INTO meta VALUES (1, 0, 0, 0, 0);"

    "CREATE TABLE sessions("
    "  id TEXT PRIMARY KEY NOT NULL,"
    "  session_id TEXT,"
    "  primary_worker TEXT NOT NULL,"
    "  kind TEXT NOT NULL,"
    "  cli TEXT NOT NULL,"
    "  project_path TEXT,"
    "  project_name TEXT,"
    "  number INTEGER NOT NULL,"
    "  title TEXT,"
    "  titled INTEGER NOT NULL DEFAULT 0,"
    "  model TEXT,"
    "  status TEXT NOT NULL,"
    "  status_since INTEGER,"
    "  animation TEXT NOT NULL,"
    "  emote TEXT,"
    "  evidence_source TEXT NOT NULL,"
    "  evidence_event TEXT,"
    "  evidence_at INTEGER,"
    "  source TEXT,"
    "  label TEXT,"
    "  summary TEXT,"
    "  accent_color TEXT,"
    "  character_model TEXT,"
    "  started_at INTEGER,"
    "  ended_at INTEGER,"
    "  last_activity_at INTEGER,"
    "  total_prompts INTEGER NOT NULL DEFAULT 0,"
    "  total_tool_calls INTEGER NOT NULL DEFAULT 0,"
    "  turn_tool_calls INTEGER NOT NULL DEFAULT 0,"
    "  subagents INTEGER NOT NULL DEFAULT 0,"
    "  last_subagent_name TEXT,"
    "  current_prompt TEXT,"
    "  permission_mode TEXT,"
    "  transcript_path TEXT,"
    "  transcript_health TEXT,"
    "  transcript_depth INTEGER NOT NULL DEFAULT 0,"
    "  transcript_messages INTEGER NOT NULL DEFAULT 0,"
    "  transcript_links INTEGER NOT NULL DEFAULT 0,"
    "  transcript_checked_at INTEGER,"
    "  transcript_message TEXT,"
    "  pending_tool TEXT,"
    "  pending_tool_detail TEXT,"
    "  pending_agent TEXT,"
    "  error_kind TEXT,"
    "  error_detail TEXT,"
    "  error_at INTEGER,"
    "  waiting_detail TEXT,"
    "  tool_now TEXT,"
    "  tool_now_input TEXT,"
    "  tool_now_at INTEGER,"
    "  pid INTEGER NOT NULL DEFAULT 0,"
    "  pid_start INTEGER NOT NULL,"
    "  pid_guessed INTEGER NOT NULL,"
    "  pid_doubtful INTEGER NOT NULL,"
    "  removal_due INTEGER,"
    "  approval_due INTEGER,"
    "  idle_due INTEGER,"
    "  resume_due INTEGER,"
    "  restarted_at INTEGER,"
    "  history_from INTEGER NOT NULL DEFAULT 0," /* earlier rows are of previous conversations */
    "  previous TEXT,"
    "  terminal_id TEXT,"
    "  last_terminal_id TEXT,"
    "  terminal_pid INTEGER NOT NULL DEFAULT 0,"
    "  linked_at INTEGER,"
    "  team_id TEXT,"
    "  team_role TEXT,"
    "  team_joined INTEGER NOT NULL DEFAULT 0,"
    "  team_name TEXT,"
    "  agent_name TEXT,"
    "  agent_type TEXT,"
    "  agent_color TEXT,"
    "  tmux_pane TEXT,"
    "  backend TEXT,"
    "  spawned INTEGER NOT NULL DEFAULT 0,"
    "  spawned_at INTEGER,"
    "  spawned_type TEXT,"
    "  queue_count INTEGER NOT NULL DEFAULT 0,"
    "  archived INTEGER NOT NULL DEFAULT 0,"
    "  tool_usage TEXT,"
    "  on_board INTEGER NOT NULL DEFAULT 1"
    ") STRICT;"
    "CREATE INDEX sessions_on_board ON sessions(id) WHERE on_board = 1;"

    "CREATE TABLE workers("
    "  id TEXT PRIMARY KEY NOT NULL,"
    "  session_id TEXT NOT NULL,"
    "  type TEXT NOT NULL"
    ") STRICT;"
    "CREATE INDEX workers_session ON workers(session_id);"

    "CREATE TABLE aliases("
    "  id INTEGER PRIMARY KEY," /* order of birth */
    "  alias TEXT UNIQUE NOT NULL,"
    "  session_id TEXT NOT NULL,"
    "  worker_id TEXT NOT NULL"
    ") STRICT;"
    "CREATE INDEX aliases_session ON aliases(session_id);"

    "CREATE TABLE prompts("
    "  pos INTEGER PRIMARY KEY,"
    "  session_id TEXT NOT NULL,"
    "  text TEXT,"
    "  timestamp INTEGER NOT NULL"
    ") STRICT;"
    "CREATE INDEX prompts_session ON prompts(session_id);"

    "CREATE TABLE responses("
    "  pos INTEGER PRIMARY KEY,"
    "  session_id TEXT NOT NULL,"
    "  text_excerpt TEXT,"
    "  timestamp INTEGER NOT NULL"
    ") STRICT;"
    "CREATE INDEX responses_session ON responses(session_id);"

    "CREATE TABLE tool_calls("
    "  session_id TEXT NOT NULL,"
    "  pos INTEGER NOT NULL,"
    "  timestamp INTEGER NOT NULL,"
    "  tool_name TEXT,"
    "  tool_input_summary TEXT,"
    "  failed INTEGER NOT NULL DEFAULT 0,"
    "  error TEXT,"
    "  PRIMARY KEY (session_id, pos)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE events("
    "  session_id TEXT NOT NULL,"
    "  pos INTEGER NOT NULL,"
    "  timestamp INTEGER NOT NULL,"
    "  event_type TEXT,"
    "  detail TEXT,"
    "  PRIMARY KEY (session_id, pos)"
    ") STRICT, WITHOUT ROWID;"

    "CREATE TABLE projects("
    "  name TEXT PRIMARY KEY NOT NULL,"
    "  sessions INTEGER NOT NULL"
    ") STRICT;"

    "CREATE TABLE teams("
    "  number INTEGER PRIMARY KEY," /* order of birth */
    "  id TEXT UNIQUE NOT NULL,"
    "  name TEXT,"
    "  parent_session_id TEXT,"
    "  created_at INTEGER,"
    "  removal_due INTEGER"
    ") STRICT;"

    "CREATE TABLE idempotency("
    "  id INTEGER PRIMARY KEY,"
    "  key TEXT UNIQUE NOT NULL,"
    "  at INTEGER NOT NULL"
    ") STRICT;",
};

const struct db_schema session_schema = {
    .application_id = 0x6f73746c, /* "ostl" */
    .busy_timeout_ms = 250,       /* then the caller says so and tries again */
    .when_full = "Until then hook events wait in the spool.",
    .steps = steps,
    .step_count = ARRAY_LEN(steps),
    .statements = sql_texts,
    .statement_count = SQL_N_,
};
