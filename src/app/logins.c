#define LOG_TAG "login"
#include "app/logins.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/log.h"
#include "config/config.h"
#include "net/access.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SWEEP_MS = 60 * 60 * 1000 };

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* Not forced to the disk: a power cut may bring back what was so a moment before, and nothing worse. */
static int write_file(const struct logins *l) {
    const struct auth *a = &l->auth;
    AUTO(buf) struct buf text = BUF_INIT(TOKENS_FILE_BYTES);
    tokens_write(&a->tokens, span_str(a->hash), &text);
    return text.failed ? -EFBIG : file_replace(l->file, buf_span(&text), 0600, false);
}

static void save(struct logins *l) {
    if (l->auth.tokens.count > 0) {
        int r = write_file(l);
        if (r == 0) return;
        log_warn("who is logged in cannot be kept in %s: %s", l->file, strerror(-r));
    }
    /* Better that all log in again than that one who logged out is back. */
    if (unlink(l->file) < 0 && errno != ENOENT) log_warn("cannot remove %s: %s", l->file, strerror(errno));
}

/* ---- time ------------------------------------------------------------------------------------------------------- */

static void on_timer(uv_timer_t *timer);

static void arm(struct logins *l) {
    int64_t now = auth_now_ms(&l->auth);
    int64_t next = tokens_sweep(&l->auth.tokens, now);
    (void)uv_timer_start(&l->timer, on_timer,
                         next == INT64_MAX ? SWEEP_MS : (uint64_t)MIN(next - now, SWEEP_MS), 0);
}

static void on_timer(uv_timer_t *timer) {
    struct logins *l = timer->data;
    size_t before = l->auth.tokens.count;
    arm(l);
    if (l->auth.tokens.count != before) save(l);
}

/* ---- comparing -------------------------------------------------------------------------------------------------- */

/* The name of the user who logs in; a number when it has none that is harmless. */
static void name_user(struct login *login) {
    char room[1024], *name = login->where.user;
    struct passwd entry, *found = NULL;
    if (!login->knows_user) return;
    (void)snprintf(name, sizeof login->where.user, "%u", (unsigned)login->user);
    if (getpwuid_r(login->user, &entry, room, sizeof room, &found) != 0 || !found) return;
    struct span text = span_str(found->pw_name);
    bool fits = text.n > 0 && text.n < sizeof login->where.user && !span_eq(text, SPAN("-"));
    if (fits && user_agent_harmless(text) && !memchr(text.p, ' ', text.n)) memcpy(name, text.p, text.n + 1);
}

static void compare(uv_work_t *work) {
    struct login *login = ((struct logins *)work->data)->at_work;
    name_user(login);
    login->right = password_verify(span_of(login->password, login->password_n), span_str(login->hash));
}

static void next(struct logins *l);

static void on_compared(uv_work_t *work, int status) {
    struct logins *l = work->data;
    struct login *login = l->at_work;
    l->at_work = NULL;
    if (status < 0 || !l->open)
        auth_abandon(&l->auth, login);
    else
        auth_verified(&l->auth, login);
    next(l);
}

static void next(struct logins *l) {
    struct login *login = list_first(&l->waiting, struct login, link);
    if (l->at_work || !login) return;
    list_remove(&login->link);
    l->at_work = login;
    l->work.data = l;
    (void)uv_queue_work(l->loop, &l->work, compare, on_compared);
}

static void on_verify(void *user, struct login *login) {
    struct logins *l = user;
    list_append(&l->waiting, &login->link);
    next(l);
}

/* ---- what auth wants -------------------------------------------------------------------------------------------- */

static void on_changed(void *user) {
    struct logins *l = user;
    if (!l->open) return;
    save(l);
    arm(l);
}

static void on_close_sockets(void *user, uint64_t holder) {
    struct logins *l = user;
    if (l->http) http_close_holder(l->http, holder, ACCESS_CLOSE_CODE, SPAN("Unauthorized"));
    if (l->ended && l->open) l->ended(l->ended_user);
}

static int on_reload(void *user, struct err *err) {
    struct logins *l = user;
    AUTO(config) struct config config = {0};
    int r = config_load(l->config_file, &config, err);
    if (r < 0) return r;
    auth_set_password_hash(&l->auth, config.password_hash);
    return 0;
}

static const struct auth_ops ops = {
    .verify = on_verify,
    .changed = on_changed,
    .close_sockets = on_close_sockets,
    .reload = on_reload,
};

/* ---- life ------------------------------------------------------------------------------------------------------- */

void logins_open(struct logins *l, uv_loop_t *loop, const struct clock *clock) {
    *l = (struct logins){.loop = loop};
    list_init(&l->waiting);
    auth_init(&l->auth, clock, &ops, l);
    (void)uv_timer_init(loop, &l->timer);
    l->timer.data = l;
}

int logins_load(struct logins *l, const struct paths *paths, struct err *err) {
    if (path_join(l->file, paths->state, "tokens") < 0 || config_path(paths, l->config_file) < 0 ||
        path_join(l->hook_token_file, paths->config, "hook.token") < 0)
        return err_set(err, -ENAMETOOLONG, "the path of the state or configuration directory is too long");
    int r = on_reload(l, err);
    if (r < 0) return r;
    AUTO(buf) struct buf text = BUF_INIT(TOKENS_FILE_BYTES);
    r = auth_has_password(&l->auth) ? file_read(l->file, &text) : -ENOENT;
    if (r == 0)
        r = tokens_read(&l->auth.tokens, buf_span(&text), span_str(l->auth.hash), auth_now_ms(&l->auth));
    if (r < 0 && r != -ENOENT)
        log_warn("%s cannot be read (%s): everybody has to log in again", l->file, strerror(-r));
    l->open = true;
    on_changed(l); /* what has ended meanwhile is not in the file either */
    return 0;
}

void logins_close(struct logins *l) {
    /* With when they were used last: if that fails, what the file says of who is logged in is true all the same. */
    if (l->open && l->auth.tokens.count > 0) (void)write_file(l);
    l->open = false;
    l->http = NULL;
    uv_close((uv_handle_t *)&l->timer, NULL);
    for (struct login *login; (login = list_first(&l->waiting, struct login, link));) {
        list_remove(&login->link);
        auth_abandon(&l->auth, login);
    }
}

void logins_free(struct logins *l) {
    if (l->loop) auth_fini(&l->auth);
}
