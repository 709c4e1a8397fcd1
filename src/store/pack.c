#include "store/pack.h"

#include "base/cleanup.h"
#include "base/mem.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

enum {
    LEVEL = 6,           /* higher ones take much longer and give little more */
    WINDOW_LOG_MAX = 23, /* 8 MB: more than that level uses, and a bound on what a foreign file can ask for */
    HEAD_BYTES = 18,     /* most that the head of a frame takes (ZSTD_FRAMEHEADERSIZE_MAX) */
};

static inline void cleanup_packer(ZSTD_CCtx **z) {
    (void)ZSTD_freeCCtx(*z);
}

static inline void cleanup_unpacker(ZSTD_DCtx **z) {
    (void)ZSTD_freeDCtx(*z);
}

static ssize_t read_some(const struct pack_job *job, void *p, size_t n, struct err *err) {
    ssize_t got;
    do
        got = read(job->in, p, n);
    while (got < 0 && errno == EINTR);
    return got < 0 ? err_sys(err, -errno, "%s cannot be read", job->from) : got;
}

static int write_all(const struct pack_job *job, const void *p, size_t n, struct err *err) {
    for (const char *at = p; n > 0;) {
        ssize_t put = write(job->out, at, n);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return err_sys(err, -errno, "%s cannot be written", job->to);
        at += put;
        n -= (size_t)put;
    }
    return 0;
}

static int no_memory(const struct pack_job *job, struct err *err) {
    return err_set(err, -ENOMEM, "There is not enough memory to pack or unpack %s.", job->from);
}

static ZSTD_CCtx *new_packer(uint64_t size) {
    ZSTD_CCtx *z = ZSTD_createCCtx();
    if (z && !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, LEVEL)) &&
        !ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1)) &&
        !ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(z, size)))
        return z;
    (void)ZSTD_freeCCtx(z);
    return NULL;
}

/* Uses a chunk up, the last one together with the end of the frame. */
static int pack_chunk(const struct pack_job *job, ZSTD_CCtx *z, ZSTD_inBuffer in, bool last,
                      ZSTD_outBuffer out, struct err *err) {
    for (;;) {
        out.pos = 0;
        size_t left = ZSTD_compressStream2(z, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) return no_memory(job, err); /* the only way it fails here */
        int r = write_all(job, out.dst, out.pos, err);
        if (r < 0) return r;
        if (last ? left == 0 : in.pos == in.size) return 0;
    }
}

int pack(const struct pack_job *job, struct err *err) {
    const size_t in_bytes = ZSTD_CStreamInSize(), out_bytes = ZSTD_CStreamOutSize();
    AUTO(packer) ZSTD_CCtx *z = new_packer(job->size);
    AUTO(free) char *chunk = xmalloc(in_bytes);
    AUTO(free) char *room = xmalloc(out_bytes);
    if (!z) return no_memory(job, err);
    uint64_t left = job->size;
    do {
        ssize_t got = read_some(job, chunk, left < in_bytes ? (size_t)left : in_bytes, err);
        if (got < 0) return (int)got;
        if (got == 0 && left > 0)
            return err_set(err, -ESTALE, "%s became shorter while it was being read.", job->from);
        left -= (uint64_t)got;
        int r = pack_chunk(job, z, (ZSTD_inBuffer){chunk, (size_t)got, 0}, left == 0,
                           (ZSTD_outBuffer){room, out_bytes, 0}, err);
        if (r < 0) return r;
    } while (left > 0);
    return 0;
}

static int damaged(const struct pack_job *job, const char *why, struct err *err) {
    return err_set(err, -EUCLEAN, "%s is damaged (%s); it cannot be unpacked.", job->from, why);
}

struct unpacking {
    ZSTD_DCtx *z;
    ZSTD_outBuffer out;
    uint64_t left; /* bytes still expected */
    bool ended;    /* the frame did */
};

static int unpack_chunk(const struct pack_job *job, struct unpacking *u, ZSTD_inBuffer in, struct err *err) {
    do {
        if (u->ended) return damaged(job, "something follows its end", err);
        u->out.pos = 0;
        size_t rc = ZSTD_decompressStream(u->z, &u->out, &in);
        if (ZSTD_isError(rc)) return damaged(job, ZSTD_getErrorName(rc), err);
        if (u->out.pos > u->left) return damaged(job, "it holds more than was kept", err);
        u->left -= u->out.pos;
        u->ended = rc == 0;
        int r = write_all(job, u->out.dst, u->out.pos, err);
        if (r < 0) return r;
    } while (in.pos < in.size || (u->out.pos == u->out.size && !u->ended));
    return 0;
}

int unpack(const struct pack_job *job, struct err *err) {
    const size_t in_bytes = ZSTD_DStreamInSize(), out_bytes = ZSTD_DStreamOutSize();
    AUTO(unpacker) ZSTD_DCtx *z = ZSTD_createDCtx();
    AUTO(free) char *chunk = xmalloc(in_bytes);
    AUTO(free) char *room = xmalloc(out_bytes);
    if (!z || ZSTD_isError(ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, WINDOW_LOG_MAX)))
        return no_memory(job, err);
    struct unpacking u = {.z = z, .out = {room, out_bytes, 0}, .left = job->size};
    for (;;) {
        ssize_t got = read_some(job, chunk, in_bytes, err);
        if (got < 0) return (int)got;
        if (got == 0) break;
        int r = unpack_chunk(job, &u, (ZSTD_inBuffer){chunk, (size_t)got, 0}, err);
        if (r < 0) return r;
    }
    if (!u.ended) return damaged(job, "its end is missing", err);
    return u.left ? damaged(job, "it holds less than was kept", err) : 0;
}

int pack_size(int fd, uint64_t *ret) {
    char head[HEAD_BYTES];
    ssize_t got = pread(fd, head, sizeof head, 0);
    if (got < 0) return -errno;
    unsigned long long size = ZSTD_getFrameContentSize(head, (size_t)got);
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) return -EUCLEAN;
    *ret = size;
    return 0;
}
