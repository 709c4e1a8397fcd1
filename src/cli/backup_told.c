#include "cli/backup_told.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jwrite.h"
#include "cli/screen.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OBJECT_BYTES_MAX = 64 << 10 };

static atomic_bool is_stopped;

static void on_signal(int number UNUSED) {
    atomic_store(&is_stopped, true);
}

static bool on_tell(void *user, uint64_t done, uint64_t total) {
    struct backup_told *t = user;
    struct stat st;
    if (t->in >= 0) {
        off_t at = lseek(t->in, 0, SEEK_CUR);
        done = at < 0 ? 0 : (uint64_t)at;
        total = fstat(t->in, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    }
    t->bar.total = total;
    progress_bar_show(&t->bar, done);
    return !atomic_load(&is_stopped);
}

void backup_told_begin(struct backup_told *t, const char *verb, int in) {
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
    *t = (struct backup_told){.begun = true, .in = in};
    t->watch = (struct backup_watch){on_tell, t};
    progress_bar_init(&t->bar, verb, 0);
    (void)sigaction(SIGINT, &act, NULL);
    (void)sigaction(SIGTERM, &act, NULL);
    (void)sigaction(SIGHUP, &act, NULL);
}

void backup_told_end(struct backup_told *t) {
    progress_bar_clear(&t->bar);
}

void backup_told_counts(const struct backup_info *info) {
    screen_print("%s, %s, %s", screen_count(info->sessions, "session", "sessions").text,
                 screen_count(info->terminals, "terminal", "terminals").text, screen_size(info->bytes).text);
}

void backup_told_json(const char *file, const struct backup_info *info, const char *aside) {
    AUTO(buf) struct buf out = BUF_INIT(OBJECT_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&out);
    jwrite_object(&w);
    jwrite_kcstr(&w, "file", file);
    jwrite_kcstr(&w, "version", info->version);
    jwrite_ki64(&w, "createdAt", info->created_ms);
    jwrite_kbool(&w, "secrets", info->secrets);
    jwrite_ku64(&w, "sessions", info->sessions);
    jwrite_ku64(&w, "terminals", info->terminals);
    jwrite_ku64(&w, "parts", info->parts);
    jwrite_ku64(&w, "bytes", info->bytes);
    if (aside) jwrite_kcstr(&w, "before", aside[0] ? aside : NULL);
    jwrite_object_end(&w);
    screen_json(buf_span(&out));
}
