/* A backup from anybody. The bytes are read as they are, and once more as an archive that somebody has packed properly: what is
 * taken has names that ostler writes, each once, and as many bytes as its head said. Heads that are read are written the same. */
#include "app/backup.h"
#include "base/cleanup.h"
#include "base/tar.h"
#include "store/zstream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) abort();
}

struct part {
    uint64_t left;
    bool open;
};

static int on_begin(void *user, const char *name, uint64_t size, int64_t mtime, struct err *err) {
    struct part *p = user;
    (void)err;
    require(!p->open && backup_is_part(name) && mtime >= 0);
    require(name[0] != '/' && !strstr(name, "..") && !strstr(name, "//"));
    *p = (struct part){.left = size, .open = true};
    return 0;
}

static int on_bytes(void *user, struct span bytes, struct err *err) {
    struct part *p = user;
    (void)err;
    require(p->open && bytes.n <= p->left);
    p->left -= bytes.n;
    return 0;
}

static int on_end(void *user, struct err *err) {
    struct part *p = user;
    (void)err;
    require(p->open && p->left == 0);
    p->open = false;
    return 0;
}

static void read_backup(int fd) {
    struct part part = {0};
    struct backup_sink sink = {on_begin, on_bytes, on_end, &part};
    struct backup_info info;
    struct err err = {0};
    require(lseek(fd, 0, SEEK_SET) == 0);
    int r = backup_read(fd, "f", &sink, NULL, &info, &err);
    require(r == 0 || (err.msg[0] && r < 0));
}

static void check_head(const char block[TAR_BLOCK]) {
    char again[TAR_BLOCK];
    struct tar_entry e, same;
    if (tar_read(block, &e) != 1 || tar_write(again, &e) < 0) return;
    require(tar_read(again, &same) == 1);
    require(same.size == e.size && same.mtime == e.mtime && strcmp(same.name, e.name) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    AUTO(fd) int raw = memfd_create("raw", MFD_CLOEXEC);
    AUTO(fd) int packed = memfd_create("packed", MFD_CLOEXEC);
    require(write(raw, data, size) == (ssize_t)size);
    read_backup(raw);
    AUTO(zwriter) struct zwriter *z = NULL;
    require(zwriter_open(packed, &z) == 0 && zwriter_put(z, span_of((const char *)data, size)) == 0 &&
            zwriter_end(z) == 0);
    read_backup(packed);
    for (size_t at = 0; at + TAR_BLOCK <= size; at += TAR_BLOCK)
        check_head((const char *)data + at);
    return 0;
}
