#define LOG_TAG "tls"
#include "app/certificates.h"

#include "base/clock.h"
#include "base/log.h"
#include "net/tls.h"

#include <stdio.h>
#include <sys/stat.h>

enum { QUIET_MS = 500, DAY_MS = 24 * 60 * 60 * 1000 };

static void look(struct certificates *c);

static void on_timer(uv_timer_t *timer) {
    struct certificates *c = timer->data;
    c->due = false;
    look(c);
}

/* When it expires, but within a day: the clock may be set meanwhile. */
static void arm(struct certificates *c) {
    int64_t left = tls_expires_ms(c->reach->tls) - usec_to_msec(clock_wall(&clock_system));
    bool is_near = left > 0 && left < DAY_MS;
    (void)uv_timer_start(&c->timer, on_timer, is_near ? (uint64_t)left + 1 : DAY_MS, 0);
}

static void tell(struct certificates *c, const char *problem) {
    char *told = c->stats->certificate_problem;
    if (strcmp(told, problem) == 0) return;
    (void)snprintf(told, ERR_MSG_BYTES, "%s", problem);
    if (problem[0]) log_error("%s; the certificate that there was is used further", problem);
}

/* One of our own is made anew by itself. */
static void note_expiry(struct certificates *c) {
    const struct tls *tls = c->reach->tls;
    c->stats->certificate_expires_ms = tls_is_own(tls) ? 0 : tls_expires_ms(tls);
}

static void take_up(struct certificates *c) {
    struct tls *tls = c->reach->tls;
    bool differs = strcmp(tls_fingerprint(tls), tls_fingerprint(c->fresh)) != 0;
    tls_replace(tls, c->fresh);
    note_expiry(c);
    if (!differs) return;
    log_info("the certificate was replaced; its fingerprint (SHA-256) is %s", tls_fingerprint(tls));
    c->changed(c->user);
}

static void on_read(uv_work_t *work, int status UNUSED) {
    struct certificates *c = work->data;
    c->working = false;
    if (!c->closing && !c->known) {
        if (c->result == 0) take_up(c);
        tell(c, c->result < 0 ? c->err.msg : "");
    }
    tls_free(c->fresh);
    c->fresh = NULL;
    if (c->closing) return;
    if (c->again)
        look(c);
    else if (!c->due)
        arm(c);
}

static struct certificate_mark mark_of(const char *file) {
    struct stat st;
    if (stat(file, &st) < 0) return (struct certificate_mark){0};
    return (struct certificate_mark){st.st_ino, st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};
}

/* Is it what was read last, and is it good still? */
static bool is_known(struct certificates *c) {
    struct certificate_mark now[2] = {mark_of(c->reach->cert_file), mark_of(c->reach->key_file)};
    bool same = memcmp(now, c->marks, sizeof now) == 0;
    memcpy(c->marks, now, sizeof now);
    return same && tls_expires_ms(c->reach->tls) > usec_to_msec(clock_wall(&clock_system));
}

static void read_files(uv_work_t *work) {
    struct certificates *c = work->data;
    const struct reach *r = c->reach;
    c->known = is_known(c);
    if (c->known) return;
    c->result = tls_is_own(r->tls)
                    ? tls_open_own(r->cert_file, (const char *const *)r->more_names, &c->fresh, &c->err)
                    : tls_open(r->cert_file, r->key_file, &c->fresh, &c->err);
}

static void look(struct certificates *c) {
    c->again = c->working;
    if (c->working) return;
    c->working = true;
    c->work.data = c;
    c->err = (struct err){0};
    (void)uv_queue_work(c->loop, &c->work, read_files, on_read);
}

/* The pair is two files, and each is written by and by. Other files of the directory change, too, and links that lead to ours
 * may have any name: whether it was ours is seen on the pool. */
static void on_change(uv_fs_event_t *watch, const char *name UNUSED, int events UNUSED, int status UNUSED) {
    struct certificates *c = watch->data;
    if (c->due) return;
    c->due = true;
    (void)uv_timer_start(&c->timer, on_timer, QUIET_MS, 0);
}

static void watch_directory(uv_fs_event_t *watch, const char *file) {
    char dir[PATH_BYTES];
    (void)snprintf(dir, sizeof dir, "%s", file);
    char *slash = strrchr(dir, '/');
    if (slash) slash[slash == dir ? 1 : 0] = '\0';
    int r = uv_fs_event_start(watch, on_change, slash ? dir : ".", 0);
    if (r < 0)
        log_warn("%s cannot be watched (%s): a certificate that is replaced is taken up within a day", file,
                 uv_strerror(r));
}

void certificates_open(struct certificates *c, uv_loop_t *loop, const struct reach *reach,
                       struct api_stats *stats, void (*changed)(void *user), void *user) {
    *c =
        (struct certificates){.loop = loop, .reach = reach, .stats = stats, .changed = changed, .user = user};
    const char *const files[] = {reach->cert_file, reach->key_file};
    c->open = true;
    note_expiry(c);
    (void)uv_timer_init(loop, &c->timer);
    c->timer.data = c;
    uv_unref((uv_handle_t *)&c->timer);
    for (size_t i = 0; i < ARRAY_LEN(c->watches); i++) {
        (void)uv_fs_event_init(loop, &c->watches[i]);
        c->watches[i].data = c;
        uv_unref((uv_handle_t *)&c->watches[i]);
        watch_directory(&c->watches[i], files[i]);
    }
    arm(c);
}

void certificates_close(struct certificates *c) {
    if (!c->open) return;
    c->open = false;
    c->closing = true;
    uv_close((uv_handle_t *)&c->timer, NULL);
    for (size_t i = 0; i < ARRAY_LEN(c->watches); i++)
        uv_close((uv_handle_t *)&c->watches[i], NULL);
}
