#include "app/backup_stream.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/jwrite.h"
#include "base/mem.h"
#include "base/tar.h"
#include "base/version.h"
#include "crypto/digest.h"
#include "store/zstream.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum { CHUNK_BYTES = 256 << 10, MANIFEST_BYTES_MAX = 64 << 20 };

struct backup_stream {
    struct zwriter *z;
    const struct backup_watch *watch;
    uint64_t done, total, bytes, parts;
    struct buf list; /* the parts, as JSON */
    char chunk[CHUNK_BYTES];
};

int backup_stream_open(int out, const struct backup_watch *watch, uint64_t total,
                       struct backup_stream **ret) {
    struct backup_stream *s = xcalloc(1, sizeof *s);
    s->watch = watch;
    s->total = total;
    s->list = BUF_INIT(MANIFEST_BYTES_MAX);
    int r = zwriter_open(out, &s->z);
    if (r < 0) {
        backup_stream_free(s);
        return r;
    }
    *ret = s;
    return 0;
}

void backup_stream_free(struct backup_stream *s) {
    if (!s) return;
    zwriter_free(s->z);
    buf_fini(&s->list);
    free(s);
}

int backup_stream_advance(struct backup_stream *s, uint64_t bytes) {
    s->done += bytes;
    bool go_on = !s->watch || !s->watch->tell || s->watch->tell(s->watch->user, s->done, s->total);
    return go_on ? 0 : -ECANCELED;
}

static int put_head(struct backup_stream *s, const char *name, uint64_t size, int64_t mtime) {
    char block[TAR_BLOCK];
    struct tar_entry e = {.size = size, .mtime = MAX(mtime, (int64_t)0)};
    if ((size_t)snprintf(e.name, sizeof e.name, "%s", name) >= sizeof e.name) return -ENAMETOOLONG;
    int r = tar_write(block, &e);
    return r < 0 ? r : zwriter_put(s->z, span_of(block, sizeof block));
}

static int put_padding(struct backup_stream *s, size_t n) {
    static const char zeros[2 * TAR_BLOCK];
    return zwriter_put(s->z, span_of(zeros, n));
}

static void list_part(struct backup_stream *s, const char *name, uint64_t size, const char *sha256) {
    struct jwrite w = JWRITE_INIT(&s->list);
    if (s->parts++) (void)buf_append_char(&s->list, ',');
    jwrite_object(&w);
    jwrite_kcstr(&w, "name", name);
    jwrite_ku64(&w, "size", size);
    jwrite_kcstr(&w, "sha256", sha256);
    jwrite_object_end(&w);
    s->bytes += size;
}

/* `size` bytes of the file, into the archive and the digest. */
static int copy(struct backup_stream *s, int fd, uint64_t size, struct digest *digest) {
    for (uint64_t at = 0; at < size;) {
        ssize_t n = pread(fd, s->chunk, (size_t)MIN(size - at, (uint64_t)CHUNK_BYTES), (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? -errno : -ESTALE;
        struct span bytes = span_of(s->chunk, (size_t)n);
        digest_add(digest, bytes);
        int r = zwriter_put(s->z, bytes);
        if (r == 0) r = backup_stream_advance(s, bytes.n);
        if (r < 0) return r;
        at += bytes.n;
    }
    return 0;
}

int backup_stream_file(struct backup_stream *s, const char *name, int fd, uint64_t size, int64_t mtime,
                       struct err *err) {
    char sha256[DIGEST_SHA256_HEX];
    int r = backup_is_part(name) ? put_head(s, name, size, mtime) : -EINVAL;
    if (s->parts >= BACKUP_PARTS_MAX) r = -EFBIG;
    if (r == 0) {
        struct digest *digest = digest_begin();
        r = copy(s, fd, size, digest);
        digest_end(digest, sha256);
    }
    if (r == 0) r = put_padding(s, tar_padding(size));
    if (r == 0) list_part(s, name, size, sha256);
    if (r == -ECANCELED) return r;
    return r < 0 ? err_sys(err, r, "%s cannot be put into the backup", name) : 0;
}

static int put_bytes(struct backup_stream *s, const char *name, struct span bytes) {
    int r = put_head(s, name, bytes.n, usec_to_msec(clock_wall(&clock_system)) / 1000);
    if (r == 0) r = zwriter_put(s->z, bytes);
    return r < 0 ? r : put_padding(s, tar_padding(bytes.n));
}

int backup_stream_bytes(struct backup_stream *s, const char *name, struct span bytes, struct err *err) {
    char sha256[DIGEST_SHA256_HEX];
    digest_sha256(bytes, sha256);
    int r = backup_is_part(name) ? put_bytes(s, name, bytes) : -EINVAL;
    if (r == 0) list_part(s, name, bytes.n, sha256);
    return r < 0 ? err_sys(err, r, "%s cannot be put into the backup", name) : 0;
}

int backup_stream_end(struct backup_stream *s, struct backup_info *info, struct err *err) {
    AUTO(buf) struct buf text = BUF_INIT(MANIFEST_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&text);
    (void)snprintf(info->version, sizeof info->version, "%s", version_text);
    info->parts = s->parts;
    info->bytes = s->bytes;
    jwrite_object(&w);
    jwrite_ki64(&w, "format", BACKUP_FORMAT);
    jwrite_kcstr(&w, "version", info->version);
    jwrite_ki64(&w, "createdAt", info->created_ms);
    jwrite_kbool(&w, "secrets", info->secrets);
    jwrite_ku64(&w, "sessions", info->sessions);
    jwrite_ku64(&w, "terminals", info->terminals);
    jwrite_key(&w, "parts");
    (void)buf_append_char(&text, '[');
    (void)buf_append_span(&text, buf_span(&s->list));
    (void)buf_append_char(&text, ']');
    jwrite_object_end(&w);
    (void)buf_append_char(&text, '\n');
    int r = text.failed || s->list.failed ? -EFBIG : put_bytes(s, "manifest.json", buf_span(&text));
    if (r == 0) r = put_padding(s, 2 * (size_t)TAR_BLOCK);
    if (r == 0) r = zwriter_end(s->z);
    if (r == 0 && backup_is_swollen(zwriter_packed(s->z), s->bytes))
        return err_set(
            err, -EFBIG,
            "the backup would be packed to less than a thousandth, which nobody would unpack again");
    return r < 0 ? err_sys(err, r, "the backup cannot be written") : 0;
}
