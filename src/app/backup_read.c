/* A backup read from anybody: every part is checked before anything is made of it. */
#include "app/backup.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/tar.h"
#include "crypto/digest.h"
#include "store/zstream.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_BYTES = 256 << 10, MANIFEST_BYTES_MAX = 64 << 20 };

/* A part that was read. */
struct seen {
    bool named; /* by the manifest */
    uint64_t size;
    char sha256[DIGEST_SHA256_HEX];
};

struct reading {
    struct zreader *z;
    const char *file;
    const struct backup_sink *sink;
    const struct backup_watch *watch;
    uint64_t done;       /* bytes of parts, for who watches */
    uint64_t unpacked;   /* all bytes */
    uint64_t file_bytes; /* packed; 0 when nobody knows how many there will be */
    struct map parts;    /* struct seen, by name */
    struct buf manifest; /* its text, when it has come */
    bool has_manifest;
    char chunk[CHUNK_BYTES];
};

static void reading_free(struct reading *r) {
    zreader_free(r->z);
    MAP_FOR_EACH(slot, &r->parts)
        free(slot->value);
    map_fini(&r->parts);
    buf_fini(&r->manifest);
    free(r);
}

static int refuse(const struct reading *r, const char *why, struct err *err) {
    return err_set(err, -EBADMSG, "%s is no backup that can be used: %s; nothing was changed", r->file, why);
}

/* A few bytes can be made to unpack to any number of them: nobody waits for that, or makes room for it. */
static int check_measure(const struct reading *r, uint64_t more, struct err *err) {
    uint64_t packed = MAX(r->file_bytes, zreader_packed(r->z));
    uint64_t all = more > UINT64_MAX - r->unpacked ? UINT64_MAX : r->unpacked + more;
    if (!backup_is_swollen(packed, all)) return 0;
    return refuse(r, "it would unpack to far more than a backup of its size holds", err);
}

/* Exactly `n` bytes. */
static int get(struct reading *r, void *to, size_t n, struct err *err) {
    ssize_t got = zreader_get(r->z, to, n);
    if (got > 0) r->unpacked += (uint64_t)got;
    if (got == (ssize_t)n) return check_measure(r, 0, err);
    if (got == -EBADMSG || got >= 0) return refuse(r, "it is damaged or was cut off", err);
    return err_sys(err, (int)got, "%s cannot be read", r->file);
}

static int tell(struct reading *r, size_t n) {
    r->done += n;
    bool go_on = !r->watch || !r->watch->tell || r->watch->tell(r->watch->user, r->done, 0);
    return go_on ? 0 : -ECANCELED;
}

static int take_part(struct reading *r, const struct tar_entry *e, struct seen *seen, struct err *err) {
    const struct backup_sink *k = r->sink;
    int code = tell(r, 0); /* a part may have no bytes */
    if (code == 0 && r->file_bytes) code = check_measure(r, e->size, err);
    if (code == 0 && k && k->begin) code = k->begin(k->user, e->name, e->size, e->mtime, err);
    struct digest *digest = digest_begin();
    for (uint64_t left = e->size; code == 0 && left;) {
        struct span bytes = span_of(r->chunk, (size_t)MIN(left, (uint64_t)CHUNK_BYTES));
        code = get(r, r->chunk, bytes.n, err);
        if (code < 0) break;
        digest_add(digest, bytes);
        left -= bytes.n;
        if (k && k->bytes) code = k->bytes(k->user, bytes, err);
        if (code == 0) code = tell(r, bytes.n);
    }
    digest_end(digest, seen->sha256);
    seen->size = e->size;
    if (code == 0 && k && k->end) code = k->end(k->user, err);
    return code;
}

static int take_manifest(struct reading *r, uint64_t size, struct err *err) {
    char *room = size && size < MANIFEST_BYTES_MAX ? buf_reserve(&r->manifest, (size_t)size) : NULL;
    if (!room) return refuse(r, "its manifest has no sensible size", err);
    int code = get(r, room, (size_t)size, err);
    if (code == 0) buf_grew(&r->manifest, (size_t)size);
    r->has_manifest = true;
    return code;
}

static int take_entry(struct reading *r, const struct tar_entry *e, struct err *err) {
    char padding[TAR_BLOCK];
    int code;
    if (r->has_manifest) return refuse(r, "something follows its manifest", err);
    if (strcmp(e->name, "manifest.json") == 0) {
        code = take_manifest(r, e->size, err);
    } else {
        if (!backup_is_part(e->name)) return refuse(r, "it holds something that ostler does not write", err);
        if (map_get(&r->parts, span_str(e->name)) || r->parts.count >= BACKUP_PARTS_MAX)
            return refuse(r, "it holds a part twice, or too many", err);
        struct seen *seen = xcalloc(1, sizeof *seen);
        (void)map_put(&r->parts, span_str(e->name), seen);
        code = take_part(r, e, seen, err);
    }
    return code < 0 ? code : get(r, padding, tar_padding(e->size), err);
}

/* Behind the last part: an empty block, perhaps some more of them, and nothing else. */
static int take_end(struct reading *r, struct err *err) {
    enum { BLOCKS_MAX = 2048 }; /* tars fill up to so many, at most */
    for (int i = 0; i < BLOCKS_MAX; i++) {
        char block[TAR_BLOCK];
        struct tar_entry e;
        ssize_t n = zreader_get(r->z, block, sizeof block);
        if (n == 0) return 0;
        if (n != sizeof block || tar_read(block, &e) != 0) break;
    }
    return refuse(r, "something follows its end", err);
}

static int take_all(struct reading *r, struct err *err) {
    for (;;) {
        char block[TAR_BLOCK];
        struct tar_entry e;
        int code = get(r, block, sizeof block, err);
        if (code < 0) return code;
        code = tar_read(block, &e);
        if (code == 0) return take_end(r, err);
        if (code < 0) return refuse(r, "it holds something else than plain files of its own", err);
        code = take_entry(r, &e, err);
        if (code < 0) return code;
    }
}

/* Each part that the manifest names was read, is as it says, and is named once. */
static int check_parts(const struct reading *r, struct span list, struct backup_info *info) {
    AUTO(arena) struct arena arena = ARENA_INIT(2 * (size_t)MANIFEST_BYTES_MAX);
    size_t named = 0;
    struct span rest = list, item;
    if (jscan_kind(list) != JKIND_ARRAY) return -EBADMSG;
    while (jscan_array_next(&rest, &item) == 1) {
        struct jmember m[] = {JMEMBER("name"), JMEMBER("size"), JMEMBER("sha256")};
        int64_t size = -1;
        if (jscan_kind(item) != JKIND_OBJECT || jscan_object(item, m, ARRAY_LEN(m)) < 0 ||
            !jscan_i64(m[1].value, &size))
            return -EBADMSG;
        struct span name = jscan_text(m[0].value, &arena);
        struct seen *seen = map_get(&r->parts, name);
        if (!seen || seen->named || (uint64_t)size != seen->size ||
            !span_eq_str(jscan_text(m[2].value, &arena), seen->sha256))
            return -EBADMSG;
        seen->named = true;
        named++;
        info->bytes += seen->size;
    }
    info->parts = named;
    return named == r->parts.count ? 0 : -EBADMSG;
}

static uint64_t count_of(struct span value) {
    int64_t n = 0;
    return jscan_i64(value, &n) && n > 0 ? (uint64_t)n : 0;
}

static int check_manifest(const struct reading *r, struct backup_info *ret, struct err *err) {
    struct span text = span_trim(buf_span(&r->manifest));
    struct jmember m[] = {JMEMBER("format"),   JMEMBER("version"),   JMEMBER("createdAt"), JMEMBER("secrets"),
                          JMEMBER("sessions"), JMEMBER("terminals"), JMEMBER("parts")};
    AUTO(arena) struct arena arena = ARENA_INIT(1 << 16);
    struct backup_info info = {0};
    int64_t format = 0;
    if (!r->has_manifest) return refuse(r, "it has no manifest", err);
    if (jvalid(text, 8) < 0 || jscan_kind(text) != JKIND_OBJECT || jscan_object(text, m, ARRAY_LEN(m)) < 0 ||
        !jscan_i64(m[0].value, &format) || format < 1)
        return refuse(r, "its manifest makes no sense", err);
    (void)snprintf(info.version, sizeof info.version, "%.*s", SPAN_ARG(jscan_text(m[1].value, &arena)));
    if (format > BACKUP_FORMAT)
        return err_set(err, -ENOTSUP, "%s was made by a newer ostler (%s): restore it with that one", r->file,
                       info.version);
    if (!jscan_i64(m[2].value, &info.created_ms) || !jscan_bool(m[3].value, &info.secrets))
        return refuse(r, "its manifest makes no sense", err);
    info.sessions = count_of(m[4].value);
    info.terminals = count_of(m[5].value);
    if (check_parts(r, m[6].value, &info) < 0)
        return refuse(r, "its parts are not what its manifest says", err);
    *ret = info;
    return 0;
}

/* How many bytes a file has, from where it is read; of a pipe nobody knows. */
static uint64_t bytes_of(int in) {
    struct stat st;
    off_t at = lseek(in, 0, SEEK_CUR);
    return fstat(in, &st) == 0 && S_ISREG(st.st_mode) && at >= 0 && st.st_size > at
               ? (uint64_t)(st.st_size - at)
               : 0;
}

int backup_read(int in, const char *file, const struct backup_sink *sink, const struct backup_watch *watch,
                struct backup_info *ret, struct err *err) {
    struct reading *r = xcalloc(1, sizeof *r);
    r->file = file;
    r->sink = sink;
    r->watch = watch;
    r->file_bytes = bytes_of(in);
    r->manifest = BUF_INIT(MANIFEST_BYTES_MAX);
    int code = zreader_open(in, &r->z);
    if (code < 0)
        (void)err_sys(err, code, "%s cannot be read", file);
    else
        code = take_all(r, err);
    if (code == 0) code = check_manifest(r, ret, err);
    reading_free(r);
    return code;
}
