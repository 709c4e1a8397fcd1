#define LOG_TAG "ingest"

#include "ingest/room.h"

#include "base/cleanup.h"
#include "base/log.h"
#include "base/own.h"
#include "ingest/reader.h"
#include "spool/reserve.h"

#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>

#define AGAIN_NS ((uint64_t)5000000000)

enum {
    SHARE = 4,                  /* of what is free on a small disk, one part */
    SMALLEST_BYTES = 128 << 10, /* less is no reserve */
};

static uint64_t affordable(const char *dir, uint64_t wanted) {
    struct statvfs fs;
    if (statvfs(dir, &fs) < 0) return wanted;
    uint64_t share = (uint64_t)fs.f_bavail * fs.f_frsize / SHARE;
    return MAX(MIN(wanted, share), (uint64_t)SMALLEST_BYTES);
}

static void make(uv_work_t *work) {
    struct room *room = CONTAINER_OF(work, struct room, work);
    room->result = reserve_make(room->dir, affordable(room->dir, room->bytes));
}

static void note(struct room *room, int result) {
    if (result < 0 && result != -EOPNOTSUPP && room->error != result)
        log_warn("no room can be reserved for events in %s: %s", room->dir, strerror(-result));
    else if (result == 0 && room->error < 0)
        log_info("there is room for events in %s again", room->dir);
    room->error = result;
    room->ready = result == 0;
}

static void on_made(uv_work_t *work, int status) {
    struct room *room = CONTAINER_OF(work, struct room, work);
    struct ingest *in = CONTAINER_OF(room, struct ingest, room);
    room->under_way = false;
    if (!in->closing) {
        note(room, status < 0 ? -ECANCELED : room->result);
        ingest_poke(in);
    }
    ingest_release(in);
}

static void ask(struct ingest *in) {
    struct room *room = &in->room;
    uint64_t now = uv_hrtime();
    if (room->under_way || (room->error < 0 && now - room->tried_ns < AGAIN_NS)) return;
    room->tried_ns = now;
    room->bytes = room->wanted;
    if (uv_queue_work(in->poll.loop, &room->work, make, on_made) < 0) return;
    room->under_way = true;
    in->handles_open++;
}

bool room_for_next(struct ingest *in) {
    struct room *room = &in->room;
    if (!room->wanted || room->ready || room->error == -EOPNOTSUPP) return true;
    ask(in);
    return false;
}

bool room_is_short(const struct ingest *in, const struct stat *st) {
    const struct room *room = &in->room;
    if (!room->wanted || room->error == -EOPNOTSUPP) return false;
    uint64_t left = reserve_left(st);
    return left < room->wanted / 2 && left < affordable(in->dir, room->wanted) / 2;
}

void room_is_enough(struct ingest *in) {
    if (in->room.error != -EOPNOTSUPP) in->room.error = 0;
}

void room_begin(struct ingest *in) {
    struct room *room = &in->room;
    if (!room->wanted || room->error == -EOPNOTSUPP) return;
    if (!room->ready) {
        ask(in);
        return;
    }
    AUTO(fd) int dir = own_dir(in->dir);
    if (dir < 0) return;
    reserve_use(dir);
    room->ready = false;
}
