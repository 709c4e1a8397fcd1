#define LOG_TAG "terminal"
#include "app/terminals_glue.h"

#include "api/terminal_shape.h"
#include "app/app.h"
#include "app/inbox_glue.h"
#include "app/patterns.h"
#include "app/screens.h"
#include "app/serve.h"
#include "base/log.h"
#include "platform/self.h"
#include "setup/place.h"

#include <errno.h>
#include <stdlib.h>

enum { MS_PER_MINUTE = 60 * 1000 };

static void note(struct app *app, const struct command *cmd) {
    int r = calls_note(&app->calls, cmd);
    if (r < 0) log_warn("cannot note what became of %.*s: %s", SPAN_ARG(cmd->terminal), strerror(-r));
}

/* What they tell */

static const struct worker *worker_of(const struct app *app, const char *terminal_id) {
    const struct worker *w = state_find(&app->state, span_str(terminal_id));
    return w && w->terminal_id && strcmp(w->terminal_id, terminal_id) == 0 ? w : NULL;
}

/* Somebody asked for it and makes the card with the answer, or it was adopted and has one, or is to get one. */
static void on_started(void *user, struct terminal *t) {
    struct app *app = user;
    struct command made;
    terminal_made_command(&made, t);
    struct terminal_facts f;
    terminal_facts(t, &f);
    if (!terminal_calls_has(&app->terminal_calls, made.terminal) && !worker_of(app, f.id)) note(app, &made);
}

static void on_changed(void *user, struct terminal *t) {
    struct app *app = user;
    board_terminal_changed(app->board, t);
    ttys_changed(&app->ttys, t);
}

static void on_painted(void *user, struct terminal *t) {
    struct app *app = user;
    board_terminal_painted(app->board, t);
}

static void on_shown(void *user, struct terminal *t) {
    struct app *app = user;
    screens_shown(app, t);
    typed_answers_shown(app, t);
    typings_shown(&app->typings, t);
}

static void tell_gone(struct app *app, const struct terminal *t) {
    struct terminal_facts f;
    terminal_facts(t, &f);
    char words[TERMINAL_END_BYTES];
    terminal_end_words(words, t);
    const struct command gone = {.kind = COMMAND_TERMINAL_GONE,
                                 .terminal = span_str(f.id),
                                 .value = span_str(words),
                                 .number = f.told_to_end};
    note(app, &gone);
}

static void on_gone(void *user, struct terminal *t) {
    struct app *app = user;
    typings_gone(&app->typings, t);
    tell_gone(app, t);
}

static bool on_may_rest(void *user, struct terminal *t) {
    const struct app *app = user;
    struct terminal_facts f;
    terminal_facts(t, &f);
    const struct worker *w = worker_of(app, f.id);
    if (!w) return true;
    enum session_status s = w->conversation.status;
    return s == SESSION_STATUS_IDLE || s == SESSION_STATUS_WAITING || s == SESSION_STATUS_ENDED;
}

static void on_typed(void *user, struct terminal *t) {
    inbox_glue_typed(user, t);
}

static const struct terminals_ops ops = {
    .started = on_started,
    .changed = on_changed,
    .painted = on_painted,
    .shown = on_shown,
    .gone = on_gone,
    .environment = shell_glue_environment,
    .may_rest = on_may_rest,
    .typed = on_typed,
};

/* Opening */

int terminals_glue_open(struct app *app, const struct serve_options *wanted, struct err *err) {
    int r = patterns_compile(&app->paths, &app->redact, err);
    if (r < 0) return r;
    char dir[PATH_BYTES], keeper[PATH_BYTES];
    r = path_join(dir, app->paths.state, "terminals");
    if (r == 0) r = path_join(app->hooks_dir, app->paths.state, "hosted");
    if (r == 0) r = setup_notes_resolve(&app->program_notes, app->paths.state);
    if (r == 0) r = path_make_dirs(dir);
    if (r < 0) return err_sys(err, r, "cannot create the directory %s/terminals", app->paths.state);
    if (self_sibling(keeper, "ostler-keeper") < 0)
        return err_set(err, -ENOENT, "ostler-keeper is not beside this program: install both");
    app->place = (struct agent_place){.hook = app->board_ops.hook,
                                      .hooks_dir = app->hooks_dir,
                                      .notes = &app->program_notes,
                                      .home = getenv("HOME"),
                                      .path = shell_glue_path,
                                      .user = app};
    const struct terminals_options options = {.dir = dir,
                                              .keeper = keeper,
                                              .max = wanted->max_terminals,
                                              .idle_ms = (int64_t)wanted->rest_minutes * MS_PER_MINUTE,
                                              .redact = app->redact,
                                              .clock = app->clock,
                                              .umask = &app->umask};
    app->terminals = terminals_open(&app->loop, &options, &ops, app);
    board_set_terminals(app->board, app->terminals);
    return 0;
}

static void tell_board(void *user, struct terminal *t) {
    struct app *app = user;
    board_terminal_changed(app->board, t);
}

void terminals_glue_adopt(struct app *app) {
    terminals_adopt(app->terminals);
    terminals_each(app->terminals, tell_board, app);
}

static void check_worker(struct app *app, const struct worker *w) {
    if (!w->terminal_id) return;
    const struct terminal *t = terminals_find(app->terminals, span_str(w->terminal_id));
    struct terminal_facts f = {.connection = TERMINAL_ENDED};
    if (t) terminal_facts(t, &f);
    if (f.connection == TERMINAL_LIVE || f.connection == TERMINAL_STARTING) return;
    if (t) {
        tell_gone(app, t);
        return;
    }
    const struct command gone = {.kind = COMMAND_TERMINAL_GONE,
                                 .terminal = span_str(w->terminal_id),
                                 .value = SPAN("its terminal is not there any more")};
    note(app, &gone);
}

void terminals_glue_caught_up(struct app *app) {
    list_for_each(pos, &app->state.sessions) {
        const struct session *s = list_entry(pos, struct session, in_state);
        list_for_each(at, &s->workers)
            check_worker(app, list_entry(at, struct worker, in_session));
    }
}

/* A worker's names are those of its terminals, too. */
void terminals_glue_removed(struct app *app, const struct session *s) {
    list_for_each(pos, &s->workers) {
        const struct worker *w = list_entry(pos, struct worker, in_session);
        for (size_t i = 0; i < w->alias_count; i++) {
            struct span id = span_str(w->aliases[i]);
            const struct terminal *t = terminals_find(app->terminals, id);
            if (!t) continue;
            typings_gone(&app->typings, t);
            terminals_delete(app->terminals, id);
            board_terminal_removed(app->board, w->aliases[i]);
        }
    }
}

void terminals_glue_close(struct app *app) {
    if (app->terminals) terminals_close(app->terminals);
    terminal_calls_close(&app->terminal_calls);
}

void terminals_glue_free(struct app *app) {
    terminals_free(app->terminals);
    redact_set_free(app->redact);
}
