#include "spool/survey.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What getdents64(2) fills in. opendir(3) would allocate. */
struct entry {
    uint64_t inode;
    int64_t next;
    unsigned short bytes;
    unsigned char type;
    char name[];
};

enum { ENTRIES_BYTES = 4096 };

int survey_sealed(int dir, void (*each)(void *user, const struct survey_segment *s), void *user) {
    if (lseek(dir, 0, SEEK_SET) < 0) return -errno;
    for (;;) {
        _Alignas(struct entry) char entries[ENTRIES_BYTES];
        long n = syscall(SYS_getdents64, dir, entries, sizeof entries);
        if (n <= 0) return n < 0 ? -errno : 0;
        for (long at = 0; at < n;) {
            const struct entry *e = (const void *)(entries + at);
            at += e->bytes;
            struct survey_segment s;
            struct stat st;
            if (!segment_number(e->name, &s.number)) continue;
            if (fstatat(dir, e->name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
                if (errno == ENOENT) continue;
                return -errno;
            }
            if (!S_ISREG(st.st_mode) || st.st_uid != geteuid()) continue;
            s.size = (uint64_t)st.st_size;
            s.dev = st.st_dev;
            s.ino = st.st_ino;
            each(user, &s);
        }
    }
}

int survey_names(int dir, const char *name, int fd) {
    struct stat open_file, named;
    if (fstat(fd, &open_file) < 0) return -errno;
    if (fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
    return open_file.st_ino == named.st_ino && open_file.st_dev == named.st_dev;
}
