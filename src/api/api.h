/*
 * The HTTP and WebSocket interface: one table of routes, one file a resource. Handlers get `struct api`, which
 * borrows everything from struct app.
 */
#pragma once

#include "api/board.h"
#include "api/calls.h"
#include "api/push.h"
#include "base/clock.h"
#include "config/config.h"
#include "core/hook_stats.h"
#include "core/state.h"
#include "ingest/ingest.h"
#include "loop/watchdog.h"
#include "net/guard.h"
#include "net/rate.h"
#include "net/router.h"
#include "spool/losses.h"

/* Counters that app keeps and handlers show. */
struct api_stats {
    int64_t started_ms;
    usec_t begun;          /* the same moment, by the clock that nobody sets */
    int64_t last_event_ms; /* when the newest event was applied; 0 = none yet */
    uint64_t applied;
    uint64_t refused;                        /* records that were no valid event */
    uint64_t refused_by[REFUSAL_N_];         /* of them, by reason */
    int64_t refused_ms;                      /* when the newest was; 0 = none since the start */
    uint64_t torn;                           /* records that were not written to their ends */
    uint64_t duplicates;                     /* events whose Idempotency-Key was known */
    uint64_t oversized;                      /* payloads that a hook did not keep */
    uint64_t dropped;                        /* notes in the spool that segments were given up */
    uint64_t committed;                      /* spool position that the database has */
    char store_problem[ERR_MSG_BYTES];       /* why nothing is being committed; "" = all is well */
    char certificate_problem[ERR_MSG_BYTES]; /* of TLS; "" = all is well */
    int64_t certificate_expires_ms;          /* of one that somebody has to renew; 0 = there is none */
    int store_error;                         /* the same as a negative errno */
    struct api_heard {
        int64_t event_ms; /* when its newest event was applied; 0 = none since the start */
        char probe[64];   /* the id of the newest probe of its hooks; "" = none */
    } heard[CLI_N_];
};

enum { API_TROUBLE_MAX = 5 };

/* What is asked about the hooks of the CLIs on this machine. */
struct hook_setup_request {
    enum hook_setup { HOOK_SETUP_STATUS, HOOK_SETUP_INSTALL, HOOK_SETUP_UNINSTALL } what;
    unsigned clis; /* bits 1 << enum cli; 0: as usual */
    bool has_density;
    enum config_density density;
};

enum { RULES_BY_BYTES = 128 };

/* What is asked about rules that were written from here, and about policies. */
struct rules_request {
    enum rules_what { RULES_LIST, RULES_UNDO, RULES_POLICIES, RULES_SET_POLICY } what;
    const struct session *session; /* of policies */
    struct span name;              /* a rule's id; a policy's name */
    bool on;                       /* the policy shall hold */
    char by[RULES_BY_BYTES];       /* who asks, in words */
};

struct api {
    struct state *state;
    struct board *board;
    struct ingest *ingest;
    const struct clock *clock;
    const struct api_stats *stats;
    struct hook_stats *hook_stats;
    struct calls *calls;
    struct rate *hook_rate;
    struct auth *auth;
    const struct http_server *http;
    const char *hook_token_file;
    const char *spool_dir;
    const char *run_dir; /* where losses are counted, too */
    const char *refused_file;
    const char *teams_dir; /* of Claude Code's teams; "" when unknown */
    struct guard guard;
    const char *lan_url; /* for browsers elsewhere; "" when there is none */
    struct push *push;
    struct terminals *terminals;
    const struct agent_place *place; /* for what is started in them */
    struct terminal_calls *terminal_calls;
    struct ttys *ttys;
    /* Ends a process, if it is still the one with this start: 0, -ESRCH, -EPERM. */
    int (*kill)(void *user, int64_t pid, uint64_t start);
    /* Looks after the transcript of the session's agent and answers the request with what was found. */
    void (*repair)(void *user, struct http_exchange *x, const struct session *s);
    /* Brings back what of the session is not live, and answers. */
    void (*resume)(void *user, struct http_exchange *x, const struct session *s);
    /* Types the next prompt into the terminal of the session's agent, and answers once the agent has it. */
    void (*prompt)(void *user, struct http_exchange *x, const struct session *s, struct span text);
    /* Interrupts the agent, and answers once it has stopped. */
    void (*interrupt)(void *user, struct http_exchange *x, const struct session *s);
    /* Looks at the CLIs' settings, or changes them, and answers. */
    void (*hook_setup)(void *user, struct http_exchange *x, const struct hook_setup_request *r);
    /* Looks rules up in the CLIs' settings, or changes them there, and answers. */
    void (*rules)(void *user, struct http_exchange *x, const struct rules_request *r);
    /* Answers with what the terminals' processes take. */
    void (*pty_stats)(void *user, struct http_exchange *x);
    /* Answers how the environment of the person's shell was found out; `again`: after it was found out anew. */
    void (*shell_environment)(void *user, struct http_exchange *x, bool again);
    /* Does a hook wait for an answer under this key (which may be NULL)? */
    bool (*is_held)(void *user, const char *hold);
    /* What of a request could be answered by keys, typed into its agent's terminal: bits of enum can. NULL: nothing. */
    unsigned (*typed_can)(void *user, const struct worker *w, const struct request *r);
    /* Has no key been typed for so long that the person is taken to be away? */
    bool (*is_auto_away)(void *user);
    int64_t away_after_minutes; /* 0: never by itself */
    void *user;                 /* for the above */
    struct watchdog *watchdog;
};

/* What http_open() is given; `user` is a struct api. */
extern const struct http_ops api_http_ops;

/* What troubles the daemon now, and what a person may want to know besides: trouble.c. */
struct trouble {
    char problems[API_TROUBLE_MAX][ERR_MSG_BYTES]; /* sentences */
    char hints[API_TROUBLE_MAX][ERR_MSG_BYTES];
    size_t problem_count, hint_count;
    struct losses losses;
};
bool trouble_is_any(const struct api *api); /* without a look at the disk */
void trouble_look(const struct api *api, struct trouble *ret);

/* The handlers, one file a resource; the table is in routes.c. */
typedef void api_handler(void *user, struct http_exchange *x, const struct route_params *params);
api_handler api_get_health, api_get_life, api_get_mq_stats; /* health.c */
api_handler api_get_auth_status, api_login, api_logout, api_reload_password, api_renew_login, api_get_logins,
    api_delete_login;                           /* login.c */
api_handler api_pair_device, api_claim_pairing; /* pair.c */
api_handler api_get_push, api_post_push_subscription, api_delete_push_subscription, api_test_push,
    api_answer_push;                                           /* push.c */
api_handler api_get_sessions, api_get_session, api_get_source; /* sessions.c */
api_handler api_put_title, api_put_label, api_put_accent_color, api_put_character_model, api_put_muted,
    api_seen_session, api_kill_session, api_delete_session, api_repair_session,
    api_resume_session;                                /* session_changes.c */
api_handler api_prompt_session, api_interrupt_session; /* prompting.c */
api_handler api_post_terminal, api_get_terminals, api_get_terminal, api_delete_terminal, api_keep_terminal,
    api_get_screen, api_get_snapshot, api_write_terminal, api_get_pty_stats;    /* terminals.c */
api_handler api_get_shell_environment, api_resolve_shell_environment;           /* shell_environment.c */
api_handler api_get_rules, api_delete_rule, api_get_policies, api_post_policy;  /* rules.c */
api_handler api_get_approvals, api_answer_approval, api_get_away, api_put_away; /* approvals.c */
api_handler api_get_team_config;                                                /* teams.c */
api_handler api_get_hook_stats, api_reset_hook_stats, api_reset_browsers;       /* stats.c */
api_handler api_post_hook;                                                      /* hooks.c */
api_handler api_get_hook_setup, api_install_hooks, api_uninstall_hooks;         /* hook_setup.c */

/* The session that the path's first parameter names; answers 404 and returns NULL when there is none. */
const struct session *api_find_session(const struct api *api, struct http_exchange *x,
                                       const struct route_params *params);

/* The body's member `name`, raw; empty when absent. False, and answered, when the body is no JSON object. */
bool api_body_member(struct http_exchange *x, const char *name, struct span *ret);

/* A JSON body that was written into `body`; 500 when it did not fit. */
void api_reply_json(struct http_exchange *x, int status, struct buf *body);
enum { API_BODY_MAX = 256 << 20 };
