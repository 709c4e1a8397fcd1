/*
 * A session as the row of table `sessions`, between struct session and SQLite. The columns are named once, here;
 * statements, binding and reading follow from the list.
 */
#pragma once

#include "base/arena.h"
#include "core/state.h"
#include "store/db.h"

/* TIME is Unix milliseconds, NULL for none. `id` is the stable id and comes first, before the list. */
#define SESSION_COLUMNS(TEXT, INT, TIME) \
    TEXT(session_id)                     \
    TEXT(primary_worker)                 \
    TEXT(kind)                           \
    TEXT(cli)                            \
    TEXT(project_path)                   \
    TEXT(project_name)                   \
    INT(number)                          \
    TEXT(title)                          \
    INT(titled)                          \
    TEXT(model)                          \
    TEXT(status)                         \
    TIME(status_since)                   \
    TEXT(animation)                      \
    TEXT(emote)                          \
    TEXT(evidence_source)                \
    TEXT(evidence_event)                 \
    TIME(evidence_at)                    \
    TEXT(source)                         \
    TEXT(label)                          \
    TEXT(summary)                        \
    TEXT(accent_color)                   \
    TEXT(character_model)                \
    TIME(started_at)                     \
    TIME(ended_at)                       \
    TIME(last_activity_at)               \
    INT(total_prompts)                   \
    INT(total_tool_calls)                \
    INT(turn_tool_calls)                 \
    TEXT(last_subagent_name)             \
    TEXT(current_prompt)                 \
    TEXT(permission_mode)                \
    TEXT(transcript_path)                \
    TEXT(transcript_health)              \
    INT(transcript_depth)                \
    INT(transcript_messages)             \
    INT(transcript_links)                \
    TIME(transcript_checked_at)          \
    TEXT(transcript_message)             \
    TEXT(error_kind)                     \
    TEXT(error_detail)                   \
    TIME(error_at)                       \
    TEXT(tool_now)                       \
    TEXT(tool_now_input)                 \
    TIME(tool_now_at)                    \
    INT(pid)                             \
    INT(pid_start)                       \
    INT(pid_guessed)                     \
    INT(pid_doubtful)                    \
    TIME(removal_due)                    \
    TIME(approval_due)                   \
    TIME(idle_due)                       \
    TIME(resume_due)                     \
    TIME(restarted_at)                   \
    INT(history_from)                    \
    TEXT(previous)                       \
    TEXT(terminal_id)                    \
    TEXT(last_terminal_id)               \
    INT(terminal_pid)                    \
    TIME(linked_at)                      \
    TEXT(team_id)                        \
    TEXT(team_role)                      \
    INT(team_joined)                     \
    TEXT(team_name)                      \
    TEXT(agent_name)                     \
    TEXT(agent_type)                     \
    TEXT(agent_color)                    \
    TEXT(tmux_pane)                      \
    TEXT(backend)                        \
    INT(spawned)                         \
    TIME(spawned_at)                     \
    TEXT(spawned_type)                   \
    INT(queue_count)                     \
    INT(archived)                        \
    TEXT(asking)                         \
    TEXT(notice_kind)                    \
    TEXT(notice_form)                    \
    TEXT(notice_text)                    \
    TEXT(notice_detail)                  \
    TIME(notice_at)                      \
    TEXT(last_words)                     \
    INT(background)                      \
    INT(by_hook)                         \
    INT(runner_pid)                      \
    INT(is_shell)                        \
    INT(starts_fresh)                    \
    INT(hidden)                          \
    INT(muted)                           \
    TEXT(tool_usage)

struct session_row {
    struct span id;
#define TEXT(c) struct span c;
#define NUMBER(c) int64_t c;
    SESSION_COLUMNS(TEXT, NUMBER, NUMBER)
#undef TEXT
#undef NUMBER
};

/* Copies what the row holds into `arena`; false when that is full. */
bool session_row_from(struct session_row *row, const struct session *s, struct arena *arena);

int session_row_put(struct db *db, const struct session_row *row, struct err *err);

/* Reads the current row of SQL_SESSIONS_GET; the spans point into SQLite, until the next step. */
void session_row_read(struct session_row *row, const struct query *q);

/* Makes the session in `st`, which has its team already. Its tool counts are left out: they need a statement of their own. */
struct session *session_row_restore(const struct session_row *row, struct state *st);

/* Adds the counts from the row's JSON text. */
int session_row_tool_usage(struct db *db, const struct session_row *row, struct conversation *c,
                           struct err *err);
