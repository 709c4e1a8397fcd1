#include "store/zstream.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

enum {
    LEVEL = 3,           /* most of what is packed was packed before, or is a database */
    WINDOW_LOG_MAX = 23, /* a bound on what a foreign file can ask for */
};

struct zwriter {
    ZSTD_CCtx *z;
    int fd;
    uint64_t packed;
    size_t room;
    char out[];
};

int zwriter_open(int fd, struct zwriter **ret) {
    size_t room = ZSTD_CStreamOutSize();
    struct zwriter *w = xcalloc(1, sizeof *w + room);
    *w = (struct zwriter){.z = ZSTD_createCCtx(), .fd = fd, .room = room};
    if (!w->z || ZSTD_isError(ZSTD_CCtx_setParameter(w->z, ZSTD_c_compressionLevel, LEVEL)) ||
        ZSTD_isError(ZSTD_CCtx_setParameter(w->z, ZSTD_c_checksumFlag, 1))) {
        zwriter_free(w);
        return -ENOMEM;
    }
    *ret = w;
    return 0;
}

static int compress(struct zwriter *w, struct span bytes, ZSTD_EndDirective how) {
    ZSTD_inBuffer in = {bytes.p, bytes.n, 0};
    for (;;) {
        ZSTD_outBuffer out = {w->out, w->room, 0};
        size_t left = ZSTD_compressStream2(w->z, &out, &in, how);
        if (ZSTD_isError(left)) return -ENOMEM; /* the only way it fails here */
        int r = file_write_fd(w->fd, span_of(w->out, out.pos));
        if (r < 0) return r;
        w->packed += out.pos;
        if (how == ZSTD_e_end ? left == 0 : in.pos == in.size) return 0;
    }
}

int zwriter_put(struct zwriter *w, struct span bytes) {
    return compress(w, bytes, ZSTD_e_continue);
}

int zwriter_end(struct zwriter *w) {
    return compress(w, SPAN(""), ZSTD_e_end);
}

uint64_t zwriter_packed(const struct zwriter *w) {
    return w->packed;
}

void zwriter_free(struct zwriter *w) {
    if (!w) return;
    (void)ZSTD_freeCCtx(w->z);
    free(w);
}

struct zreader {
    ZSTD_DCtx *z;
    int fd;
    bool ended; /* the frame did */
    uint64_t packed;
    ZSTD_inBuffer in;
    size_t room;
    char chunk[];
};

int zreader_open(int fd, struct zreader **ret) {
    size_t room = ZSTD_DStreamInSize();
    struct zreader *r = xcalloc(1, sizeof *r + room);
    *r = (struct zreader){.z = ZSTD_createDCtx(), .fd = fd, .room = room};
    r->in.src = r->chunk;
    if (!r->z || ZSTD_isError(ZSTD_DCtx_setParameter(r->z, ZSTD_d_windowLogMax, WINDOW_LOG_MAX))) {
        zreader_free(r);
        return -ENOMEM;
    }
    *ret = r;
    return 0;
}

/* More packed bytes: 1, 0 at the end of the file. */
static int fill(struct zreader *r) {
    ssize_t n;
    do
        n = read(r->fd, r->chunk, r->room);
    while (n < 0 && errno == EINTR);
    if (n < 0) return -errno;
    r->packed += (uint64_t)n;
    r->in.size = (size_t)n;
    r->in.pos = 0;
    return n > 0;
}

ssize_t zreader_get(struct zreader *r, void *to, size_t n) {
    ZSTD_outBuffer out = {to, n, 0};
    while (out.pos < n) {
        if (r->ended && r->in.pos < r->in.size) return -EBADMSG;
        size_t had = out.pos;
        size_t rc = r->ended ? 0 : ZSTD_decompressStream(r->z, &out, &r->in);
        if (ZSTD_isError(rc)) return -EBADMSG;
        if (rc == 0) r->ended = true;
        if (out.pos > had || (r->in.pos < r->in.size && !r->ended)) continue;
        int more = fill(r);
        if (more < 0) return more;
        if (more == 0) return r->ended ? (ssize_t)out.pos : -EBADMSG;
    }
    return (ssize_t)n;
}

uint64_t zreader_packed(const struct zreader *r) {
    return r->packed;
}

void zreader_free(struct zreader *r) {
    if (!r) return;
    (void)ZSTD_freeDCtx(r->z);
    free(r);
}
