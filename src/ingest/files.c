#include "ingest/files.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/own.h"
#include "base/path.h"
#include "spool/record.h"
#include "spool/segment.h"
#include "spool/survey.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

enum { RACE_TRIES = 20 }; /* each lost one means that a segment was sealed or deleted while we looked */

void sealed_list_fini(struct sealed_list *list) {
    free(list->v);
    *list = (struct sealed_list){0};
}

void sealed_list_add(struct sealed_list *list, const struct sealed *s) {
    if (list->n == list->room) {
        list->room = list->room ? list->room * 2 : 16;
        list->v = xreallocarray(list->v, list->room, sizeof *list->v);
    }
    list->v[list->n++] = *s;
}

void sealed_list_remove_first(struct sealed_list *list) {
    assert(list->n > 0);
    memmove(list->v, list->v + 1, --list->n * sizeof *list->v);
}

bool sealed_list_has(const struct sealed_list *list, uint64_t number) {
    for (size_t i = 0; i < list->n; i++)
        if (list->v[i].number == number) return true;
    return false;
}

static int by_number(const void *a, const void *b) {
    uint64_t x = ((const struct sealed *)a)->number, y = ((const struct sealed *)b)->number;
    return x < y ? -1 : x > y;
}

static void add_found(void *user, const struct survey_segment *s) {
    sealed_list_add(user,
                    &(struct sealed){.number = s->number, .size = s->size, .dev = s->dev, .ino = s->ino});
}

int files_list(const char *dir, struct sealed_list *ret) {
    AUTO(sealed_list) struct sealed_list list = {0};
    AUTO(fd) int fd = own_dir(dir);
    int r = fd < 0 ? fd : survey_sealed(fd, add_found, &list);
    if (r < 0) return r;
    if (list.n) qsort(list.v, list.n, sizeof *list.v, by_number);
    *ret = list;
    list = (struct sealed_list){0};
    return 0;
}

void source_close(struct source *s) {
    if (s->fd >= 0) (void)close(s->fd);
    *s = (struct source){.fd = -1};
}

void source_consume(struct source *s, struct span bytes) {
    if (s->off < sizeof s->head && bytes.n)
        memcpy(s->head + s->off, bytes.p, MIN(bytes.n, sizeof s->head - (size_t)s->off));
    s->off += bytes.n;
}

struct spool_mark source_mark(const struct source *s) {
    struct span head = span_of(s->head, (size_t)MIN(s->off, sizeof s->head));
    return (struct spool_mark){s->base, s->off, record_fingerprint(head)};
}

/* Opens sealed segment `number`, the active one for 0. Returns 1, 0 when there is no such file, or -errno. What has only the name of
 * one is none: the next writer moves it out of the way. */
static int open_source(const char *path, uint64_t number, struct source *ret) {
    char name[SPOOL_SEALED_NAME_BYTES] = SPOOL_ACTIVE;
    if (number) segment_name(name, number);
    AUTO(fd) int dir = own_dir(path);
    if (dir < 0) return dir == -ENOENT ? 0 : dir;
    int fd = own_open_at(dir, name, O_RDONLY, 0);
    if (fd < 0) return fd == -ENOENT || own_refusal(fd) ? 0 : fd;
    *ret = (struct source){.fd = fd, .number = number};
    return 1;
}

/* Opens a segment if it is the one that `mark` points into. Returns 1, 0 when not, or -errno. */
static int open_marked(const char *dir, uint64_t number, const struct spool_mark *mark, struct source *ret) {
    struct source s = {.fd = -1};
    int r = open_source(dir, number, &s);
    if (r <= 0) return r;
    AUTO(fd) int fd = s.fd;
    size_t want = (size_t)MIN(mark->off, sizeof s.head);
    ssize_t got = pread(fd, s.head, want, 0);
    if (got < 0) return -errno;
    struct stat st;
    if (fstat(fd, &st) < 0) return -errno;
    if ((size_t)got < want || record_fingerprint(span_of(s.head, want)) != mark->fingerprint) return 0;
    s.base = mark->base;
    s.off = mark->off;
    if ((uint64_t)st.st_size < mark->off) {
        /* A power failure took its end, which was consumed already. Go on where the file ends now, at the
         * position where we were: positions never go back. */
        s.off = (uint64_t)st.st_size;
        s.base = spool_mark_position(mark) - s.off;
        s.lost_tail = true;
    }
    s.fd = TAKE_FD(fd);
    *ret = s;
    return 1;
}

/* One look at all of them. The newest number that it saw lets the caller notice a segment sealed
 * meanwhile. */
static int locate_once(const char *dir, const struct spool_mark *mark, struct source *ret,
                       struct sealed_list *done, uint64_t *ret_newest) {
    AUTO(sealed_list) struct sealed_list list = {0};
    int r = files_list(dir, &list);
    if (r < 0) return r;
    *ret_newest = list.n ? list.v[list.n - 1].number : 0;
    for (size_t i = 0; i <= list.n; i++) {
        r = open_marked(dir, i < list.n ? list.v[i].number : 0, mark, ret);
        if (r < 0) return r;
        if (r == 0) continue;
        for (size_t before = 0; before < i; before++) {
            list.v[before].end = ret->base; /* at most: it was consumed before this one */
            sealed_list_add(done, &list.v[before]);
        }
        return 1;
    }
    return 0;
}

static int newest_now(const char *dir, uint64_t *ret) {
    AUTO(sealed_list) struct sealed_list list = {0};
    int r = files_list(dir, &list);
    if (r < 0) return r;
    *ret = list.n ? list.v[list.n - 1].number : 0;
    return 0;
}

int files_locate(const char *dir, const struct spool_mark *mark, struct source *ret,
                 struct sealed_list *done) {
    if (mark->off == 0) return 0; /* nothing consumed: every segment would match */
    for (int i = 0; i < RACE_TRIES; i++) {
        uint64_t newest = 0, newest_after = 0;
        int r = locate_once(dir, mark, ret, done, &newest);
        if (r != 0) return r;
        r = newest_now(dir, &newest_after);
        if (r < 0) return r;
        if (newest == newest_after) return 0;
    }
    return -EAGAIN;
}

static int first_unread(const char *dir, const struct sealed_list *done, uint64_t *ret) {
    AUTO(sealed_list) struct sealed_list list = {0};
    int r = files_list(dir, &list);
    if (r < 0) return r;
    *ret = 0;
    for (size_t i = 0; i < list.n && *ret == 0; i++)
        if (!sealed_list_has(done, list.v[i].number)) *ret = list.v[i].number;
    return 0;
}

int files_open_next(const char *dir, const struct sealed_list *done, uint64_t base, struct source *ret) {
    for (int i = 0; i < RACE_TRIES; i++) {
        uint64_t number, number_after;
        struct source s = {.fd = -1};
        int r = first_unread(dir, done, &number);
        if (r < 0) return r;
        r = open_source(dir, number, &s);
        if (r < 0) return r;
        if (number == 0) {
            /* Between the two looks the active one may have been sealed and another begun: that would be
             * skipped. */
            int listed = first_unread(dir, done, &number_after);
            if (listed < 0 || number_after) source_close(&s);
            if (listed < 0) return listed;
            if (number_after) continue;
            if (r == 0) return 0;
        }
        if (r == 0) continue;
        s.base = base;
        *ret = s;
        return 1;
    }
    return -EAGAIN;
}

int files_check_active(const char *dir, struct source *s) {
    AUTO(fd) int fd = own_dir(dir);
    int r = fd < 0 ? fd : survey_names(fd, SPOOL_ACTIVE, s->fd);
    if (r != 0 && r != -ENOENT) return r;
    struct stat st;
    if (fstat(s->fd, &st) < 0) return -errno;
    AUTO(sealed_list) struct sealed_list list = {0};
    r = files_list(dir, &list);
    if (r < 0 && r != -ENOENT) return r;
    s->unnamed = true;
    for (size_t i = 0; i < list.n; i++) {
        if (list.v[i].ino != st.st_ino || list.v[i].dev != st.st_dev) continue;
        s->number = list.v[i].number;
        s->unnamed = false;
    }
    return 0;
}
