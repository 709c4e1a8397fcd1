/* Every part of the daemon, owned in one place and built in this order. */
#pragma once

#include "api/agent_launch.h"
#include "api/terminals.h"
#include "api/tty.h"
#include "app/answers.h"
#include "app/broadcast.h"
#include "app/certificates.h"
#include "app/holds.h"
#include "app/hook_setup.h"
#include "app/hook_sync.h"
#include "app/kill.h"
#include "app/late_notes.h"
#include "app/logins.h"
#include "app/mend_queue.h"
#include "app/notices.h"
#include "app/persist.h"
#include "app/plan_files.h"
#include "app/pty_stats.h"
#include "app/reach.h"
#include "app/records.h"
#include "app/refused.h"
#include "app/rules.h"
#include "app/shell_glue.h"
#include "app/signals.h"
#include "app/state_files.h"
#include "app/stats_feed.h"
#include "app/typed_answers.h"
#include "app/typing.h"
#include "app/watch.h"
#include "base/clock_step.h"
#include "base/path.h"
#include "core/apply.h"
#include "loop/watchdog.h"
#include "net/http.h"
#include "setup/place.h"

#include <uv.h>

struct app {
    uv_loop_t loop;
    const struct clock *clock;
    struct clock_step step;
    struct paths paths;
    char hook[PATH_BYTES];      /* where ostler-hook is */
    char teams_dir[PATH_BYTES]; /* where Claude Code keeps its teams; "" when unknown */
    uint64_t pid_namespace;
    mode_t umask; /* of who started us: what programs in terminals get */
    int lock;     /* descriptor of the state directory's lock */
    struct watchdog *watchdog;

    struct state state;
    struct effects fx;
    struct arena arena; /* scratch memory of the event being applied */

    struct post *mail;
    struct store *store;
    struct board *board;
    struct board_ops board_ops;
    struct broadcast broadcast;
    struct persist persist;
    struct ingest *ingest;
    struct http_server *http;
    struct reach reach;
    struct certificates certificates;

    struct api_stats stats;
    struct hook_stats hook_stats;
    struct refused refused;
    struct stats_feed stats_feed;
    struct calls calls;
    struct rate hook_rate;
    struct logins logins;
    struct notes notes;
    struct late_notes late_notes;
    struct watch watch;
    struct state_files state_files;
    struct records records;
    struct plan_files plan_files;
    struct answers answers;
    struct pushes pushes;
    struct notices notices;
    struct kills kills;
    struct holds holds; /* hooks that wait for an answer */
    usec_t
        typed_at;   /* when somebody typed into a terminal last, or we began, by the clock that nobody sets */
    bool caught_up; /* the spool was read to its end once */
    struct mend_queue mend_queue;
    struct map mended; /* session ids whose transcripts were mended since the start → how many links */
    struct redact_set *redact; /* what is masked on its way to the disk */
    struct shell_glue shell;
    struct terminals *terminals;
    struct terminal_calls terminal_calls;
    struct agent_place place;
    char hooks_dir[PATH_BYTES]; /* for the hooks of hosted agents */
    struct setup_notes program_notes;
    struct ttys ttys;
    struct pty_stats pty_stats;
    struct typings typings;
    struct typed_answers typed;
    struct hook_setups hook_setups;
    struct rules rules;
    struct hook_sync hook_sync;
    struct api api;

    uv_timer_t deadline; /* the core's next deadline */
    uv_timer_t away;     /* no key was typed for so long that the person counts as away */
    uv_timer_t announce; /* daemon.json could not be written: tries again */
    struct signals signals;
    bool stopping;
    bool again; /* it stops to start anew */
};
