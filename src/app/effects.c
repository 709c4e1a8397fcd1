#define LOG_TAG "effects"
#include "app/effects.h"

#include "api/team_config.h"
#include "app/app.h"
#include "app/inbox_glue.h"
#include "app/terminals_glue.h"
#include "app/transcripts.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "base/str.h"

/* A guess that had several answers: why an agent got a card of its own. */
static void say_ambiguous(const struct effect *e) {
    log_warn("an agent started in %s, where %zu cards are %s: it gets its own",
             str_or_empty(e->session->project_path), e->candidates, e->guess);
}

/* What Claude Code's own files say of a team's member goes into the spool, like everything from outside. */
static void look_up_member(struct app *app, const struct session *s, const struct team *team) {
    AUTO(buf) struct buf config = BUF_INIT(TEAM_CONFIG_BYTES_MAX);
    AUTO(arena) struct arena arena = ARENA_INIT(TEAM_CONFIG_BYTES_MAX);
    struct team_config_member m;
    if (!app->teams_dir[0] || team_config_read(app->teams_dir, span_str(team->name), &config) < 0 ||
        !team_config_member(buf_span(&config), span_str(s->agent_name), &arena, &m))
        return;
    struct command cmd = {.kind = COMMAND_MEMBER,
                          .session = span_str(s->id),
                          .pane = m.pane,
                          .backend = m.backend,
                          .color = m.color};
    int r = calls_note(&app->calls, &cmd);
    if (r < 0) log_warn("cannot note what is configured for %s: %s", s->agent_name, strerror(-r));
}

static void carry_out(struct app *app, const struct effect *e) {
    switch (e->kind) {
    case EFFECT_BROADCAST:
        broadcast_changed(&app->broadcast, e->session);
        state_files_session(&app->state_files, e->session);
        records_session(&app->records, e->session);
        plan_files_session(&app->plan_files, e->session);
        answers_session(&app->answers, e->session);
        notices_session(&app->notices, e->session);
        ttys_session_changed(&app->ttys, e->session);
        break;
    case EFFECT_APPEND: persist_append(&app->persist, e->session, e->history, e->entry); break;
    case EFFECT_AMEND:
        persist_amend(&app->persist, e->session, e->history, e->entry);
        board_amended(app->board, e->session, e->entry);
        break;
    case EFFECT_PROBE: probe_run(&app->notes, e->session, e->probe); break;
    case EFFECT_REMOVE:
        persist_removed(&app->persist, e->session);
        broadcast_removed(&app->broadcast, e->session);
        watch_forget(&app->watch, e->session);
        records_forget(&app->records, e->session);
        notices_removed(&app->notices, e->session);
        terminals_glue_removed(app, e->session);
        break;
    case EFFECT_WATCH: watch_session(&app->watch, e->session); break;
    case EFFECT_AMBIGUOUS: say_ambiguous(e); break;
    case EFFECT_ANSWER: calls_applied(&app->calls, e); break;
    case EFFECT_ASKED: inbox_glue_asked(app, e); break;
    case EFFECT_ENDED: inbox_glue_ended(app, e); break;
    case EFFECT_REPLY: inbox_glue_reply(app, e); break;
    case EFFECT_RULE: persist_rule(&app->persist, e->rule); break;
    case EFFECT_AWAY: inbox_glue_away(app); break;
    case EFFECT_TRANSCRIPT: transcripts_ended(app, e->session); break;
    case EFFECT_TEAM: board_publish_team(app->board, e->team); break;
    case EFFECT_TEAM_REMOVED:
        persist_team_removed(&app->persist, e->team);
        board_publish_team_removed(app->board, e->team->id);
        break;
    case EFFECT_TEAM_CONFIG: look_up_member(app, e->session, e->team); break;
    }
}

void effects_carry_out(struct app *app) {
    for (size_t i = 0; i < app->fx.count; i++)
        carry_out(app, &app->fx.items[i]);
    effects_clear(&app->fx);
    state_reap(&app->state);
}
