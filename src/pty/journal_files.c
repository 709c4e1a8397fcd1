#include "pty/journal_files.h"

#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/own.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <zstd.h>

enum { NUMBER_DIGITS = 20 };

void cleanup_journal_files(struct journal_files *files) {
    free(files->v);
}

bool journal_files_busy(int error) {
    return error == -EMFILE || error == -ENFILE || error == -ENOMEM;
}

int journal_files_path(char out[PATH_BYTES], const char *dir, uint64_t number, const char *suffix) {
    int n = snprintf(out, PATH_BYTES, "%s/%020" PRIu64 ".%s", dir, number, suffix);
    return n < PATH_BYTES ? 0 : -ENAMETOOLONG;
}

static struct journal_file *entry(struct journal_files *files, uint64_t number) {
    for (size_t i = files->n; i > 0; i--)
        if (files->v[i - 1].number == number) return &files->v[i - 1];
    files->v = xreallocarray(files->v, files->n + 1, sizeof *files->v);
    files->v[files->n] = (struct journal_file){.number = number};
    return &files->v[files->n++];
}

static void add(struct journal_files *files, const char *name) {
    struct span s = span_str(name);
    uint64_t number;
    if (s.n <= NUMBER_DIGITS || s.p[NUMBER_DIGITS] != '.' ||
        !span_u64(span_take(s, NUMBER_DIGITS), &number) || !number)
        return;
    struct span suffix = span_skip(s, NUMBER_DIGITS + 1);
    if (span_eq_str(suffix, "seg")) entry(files, number)->plain = true;
    if (span_eq_str(suffix, "seg.zst")) entry(files, number)->packed = true;
    if (span_eq_str(suffix, "screen")) entry(files, number)->screen = true;
}

static int by_number(const void *a, const void *b) {
    uint64_t x = ((const struct journal_file *)a)->number, y = ((const struct journal_file *)b)->number;
    return x < y ? -1 : x > y;
}

int journal_files_list(const char *dir, struct journal_files *ret) {
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    AUTO(dir) DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d) return -errno;
    struct journal_files files = {0};
    for (const struct dirent *e; (e = readdir(d));)
        add(&files, e->d_name);
    if (files.n) qsort(files.v, files.n, sizeof *files.v, by_number);
    *ret = files;
    return 0;
}

/* Reads `path`, at most `max` bytes of it. */
static int read_file(const char *path, size_t max, struct buf *out) {
    AUTO(fd) int fd = own_open(path, O_RDONLY, 0);
    struct stat st;
    if (fd < 0) return fd;
    if (fstat(fd, &st) < 0) return -errno;
    size_t left = (size_t)MIN((uint64_t)st.st_size, (uint64_t)max);
    char *to = buf_reserve(out, left);
    if (!to) return -ENOBUFS;
    while (left) {
        ssize_t n = read(fd, to, left);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -errno;
        if (n == 0) break;
        buf_grew(out, (size_t)n);
        to += n;
        left -= (size_t)n;
    }
    return 0;
}

static int unpack(struct span packed, size_t max, struct buf *out) {
    unsigned long long size = ZSTD_getFrameContentSize(packed.p, packed.n);
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > max) return -EBADMSG;
    char *to = buf_reserve(out, (size_t)size);
    if (!to) return -ENOBUFS;
    size_t n = ZSTD_decompress(to, (size_t)size, packed.p, packed.n);
    if (ZSTD_isError(n)) return -EBADMSG;
    buf_grew(out, n);
    return 0;
}

int journal_files_pack(struct span bytes, int level, struct buf *out) {
    size_t bound = ZSTD_compressBound(bytes.n);
    char *to = buf_reserve(out, bound);
    if (!to) return -ENOBUFS;
    size_t n = ZSTD_compress(to, bound, bytes.p, bytes.n, level);
    if (ZSTD_isError(n)) return -ENOMEM;
    buf_grew(out, n);
    return 0;
}

/* A segment is packed before its plain file goes: one of them is always there. `plain` gets the one, or `packed` the other. */
static int read_either(const char *dir, uint64_t number, size_t max, struct buf *plain, struct buf *packed) {
    char path[PATH_BYTES];
    int r = journal_files_path(path, dir, number, "seg");
    if (r == 0) r = read_file(path, max, plain);
    if (r != -ENOENT) return r;
    r = journal_files_path(path, dir, number, "seg.zst");
    return r < 0 ? r : read_file(path, max, packed);
}

int journal_files_read(const char *dir, uint64_t number, struct buf *out) {
    AUTO(buf) struct buf packed = BUF_INIT(JOURNAL_FILES_SEGMENT_MAX);
    int r = read_either(dir, number, JOURNAL_FILES_SEGMENT_MAX, out, &packed);
    return r < 0 || !packed.n ? r : unpack(buf_span(&packed), JOURNAL_FILES_SEGMENT_MAX, out);
}

/* The first bytes of what is packed. */
static size_t unpack_first(struct span packed, char *out, size_t n) {
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer from = {packed.p, packed.n, 0};
    ZSTD_outBuffer to = {out, n, 0};
    size_t r = stream ? 1 : 0;
    while (r && !ZSTD_isError(r) && to.pos < n && from.pos < from.size)
        r = ZSTD_decompressStream(stream, &to, &from);
    ZSTD_freeDStream(stream);
    return to.pos;
}

int journal_files_place(const char *dir, uint64_t number, struct tape_place *ret) {
    enum { FIRST_BLOCK_BYTES = 160 << 10 }; /* what a packed one needs for its first bytes, at most */
    AUTO(buf) struct buf plain = BUF_INIT(FIRST_BLOCK_BYTES);
    AUTO(buf) struct buf packed = BUF_INIT(FIRST_BLOCK_BYTES);
    int r = read_either(dir, number, FIRST_BLOCK_BYTES, &plain, &packed);
    if (r < 0) return r;
    char head[TAPE_HEAD_BYTES];
    struct span file = buf_span(&plain);
    if (packed.n) file = span_of(head, unpack_first(buf_span(&packed), head, sizeof head));
    struct tape_reader reader;
    r = tape_open(&reader, file);
    if (r == 0) *ret = reader.place;
    return r;
}

uint64_t journal_files_size(const char *dir, uint64_t number) {
    enum { FRAME_HEAD_BYTES_MAX = 18 };
    AUTO(buf) struct buf packed = BUF_INIT(FRAME_HEAD_BYTES_MAX);
    char path[PATH_BYTES];
    struct stat st;
    if (journal_files_path(path, dir, number, "seg") == 0 && lstat(path, &st) == 0)
        return (uint64_t)st.st_size;
    if (journal_files_path(path, dir, number, "seg.zst") < 0 || read_file(path, packed.cap, &packed) < 0)
        return 0;
    unsigned long long size = ZSTD_getFrameContentSize(packed.p, packed.n);
    return size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN ? 0 : size;
}

int journal_files_read_screen(const char *dir, uint64_t number, struct tape_place *ret, struct buf *out) {
    AUTO(buf) struct buf file = BUF_INIT(JOURNAL_FILES_SCREEN_MAX);
    char path[PATH_BYTES];
    int r = journal_files_path(path, dir, number, "screen");
    if (r == 0) r = read_file(path, JOURNAL_FILES_SCREEN_MAX, &file);
    struct span packed = SPAN_NONE;
    if (r == 0) r = tape_get_screen(buf_span(&file), ret, &packed);
    return r < 0 ? r : unpack(packed, JOURNAL_FILES_SCREEN_MAX, out);
}

static int sync_dir(const char *dir) {
    AUTO(fd) int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

int journal_files_write(const char *dir, uint64_t number, const char *suffix, struct span content,
                        struct err *err) {
    char path[PATH_BYTES];
    int r = journal_files_path(path, dir, number, suffix);
    if (r < 0) return err_sys(err, r, "%s cannot hold a journal", dir);
    r = file_replace(path, content, 0600, true);
    if (r == 0) r = sync_dir(dir);
    return r < 0 ? err_sys(err, r, "%s cannot be written", path) : 0;
}

int journal_files_write_screen(const char *dir, uint64_t number, struct tape_place place, struct span packed,
                               struct err *err) {
    AUTO(buf) struct buf file = BUF_INIT(JOURNAL_FILES_SCREEN_MAX);
    int r = tape_put_screen(&file, place, packed);
    if (r < 0) return err_sys(err, r, "The screen is too large for a journal");
    return journal_files_write(dir, number, "screen", buf_span(&file), err);
}

void journal_files_put_aside(const char *dir) {
    char path[PATH_BYTES];
    int n = snprintf(path, sizeof path, "%s.damaged", dir);
    if (n > 0 && (size_t)n < sizeof path) (void)rename(dir, path);
}
