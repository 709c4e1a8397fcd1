/* Whether events were lost on their way, or not understood. */
#include "app/refused.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/jscan.h"
#include "base/own.h"
#include "cli/doctor.h"
#include "spool/append.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WHEN_BYTES = 32 };
#define RECENT_MS ((int64_t)24 * 3600 * 1000)

static int64_t wall_ms(void) {
    return usec_to_msec(clock_wall(&clock_system));
}

static void local_time(int64_t ms, char ret[WHEN_BYTES]) {
    time_t seconds = ms / 1000;
    struct tm tm;
    if (!localtime_r(&seconds, &tm) || strftime(ret, WHEN_BYTES, "%F %H:%M", &tm) == 0) ret[0] = '\0';
}

/* "the disk was full: 12, …" */
static void list_losses(const struct losses *l, char *out, size_t room) {
    size_t n = 0;
    out[0] = '\0';
    for (enum loss why = 0; why < LOSS_N_ && n < room; why++)
        if (l->count[why])
            n += (size_t)snprintf(out + n, room - n, "%s%s: %llu", n ? ", " : "", loss_words(why),
                                  (unsigned long long)l->count[why]);
}

/* What the last one of the file says, and how many there are but for unknown events. */
struct kept {
    unsigned refused;
    int64_t at_ms;
    char why[128];
};

static void read_kept(const char *file, struct kept *ret) {
    AUTO(buf) struct buf text = BUF_INIT(2 * REFUSED_BYTES_MAX);
    AUTO(fd) int fd = own_open(file, O_RDONLY, 0);
    if (fd < 0 || file_read_fd(fd, &text) < 0) return;
    for (struct span rest = buf_span(&text); rest.n;) {
        struct jmember m[] = {JMEMBER("reason"), JMEMBER("why"), JMEMBER("at")};
        AUTO(arena) struct arena arena = ARENA_INIT(64 << 10);
        struct span line = span_split(&rest, '\n');
        if (!line.n || jscan_object(line, m, ARRAY_LEN(m)) < (int)ARRAY_LEN(m)) continue;
        if (span_eq_str(jscan_text(m[0].value, &arena), event_refusal_to_str(REFUSAL_UNKNOWN_EVENT)))
            continue;
        ret->refused++;
        (void)jscan_i64(m[2].value, &ret->at_ms);
        (void)snprintf(ret->why, sizeof ret->why, "%.*s", SPAN_ARG(jscan_text(m[1].value, &arena)));
    }
}

void doctor_events(const struct doctor *d, struct doctor_line *line) {
    struct losses losses = {0};
    struct kept kept = {0};
    char file[PATH_BYTES], when[WHEN_BYTES], words[ERR_MSG_BYTES / 2];
    losses_read(d->paths.spool, &losses);
    losses_read(d->paths.run, &losses);
    int cannot = spool_check(d->paths.spool);
    if (path_join(file, d->paths.state, REFUSED_NAME) == 0) read_kept(file, &kept);
    if (losses_total(&losses)) {
        list_losses(&losses, words, sizeof words);
        local_time(losses.last_ms, when);
        bool recent = wall_ms() - losses.last_ms < RECENT_MS;
        doctor_say(line, recent ? DOCTOR_WARN : DOCTOR_OK, "%llu were lost (%s), the last one on %s",
                   (unsigned long long)losses_total(&losses), words, when);
        if (recent)
            doctor_advise(line, "see to the disk and the spool above; rm %s/" SPOOL_LOSSES " counts anew",
                          d->paths.spool);
    } else if (cannot < 0) {
        doctor_say(line, DOCTOR_BAD, "those that come now are lost, and cannot be counted: %s",
                   strerror(-cannot));
        doctor_advise(line, "see to the disk and the spool above");
    } else if (kept.refused) {
        local_time(kept.at_ms, when);
        bool recent = wall_ms() - kept.at_ms < RECENT_MS;
        doctor_say(line, recent ? DOCTOR_WARN : DOCTOR_OK,
                   "%u of those kept were not understood, the last one on %s: %s", kept.refused, when,
                   kept.why);
        if (recent) doctor_advise(line, "look at what came: tail -n 1 %s", file);
    } else {
        doctor_say(line, DOCTOR_OK, "none was lost or refused");
    }
}
