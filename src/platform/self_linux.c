#include "platform/self.h"

#include "base/span.h"

#include <errno.h>
#include <libgen.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the kernel adds to the name of a file that was replaced. */
#define REPLACED " (deleted)"

int self_path(char ret[PATH_BYTES]) {
    ssize_t n = readlink("/proc/self/exe", ret, PATH_BYTES - 1);
    if (n < 0) return -errno;
    ret[n] = '\0';
    if (span_ends(span_of(ret, (size_t)n), SPAN(REPLACED))) ret[n - (ssize_t)strlen(REPLACED)] = '\0';
    return 0;
}

int self_sibling(char ret[PATH_BYTES], const char *name) {
    char self[PATH_BYTES];
    int r = self_path(self);
    if (r == 0) r = path_join(ret, dirname(self), name);
    if (r < 0) return r;
    return access(ret, X_OK) < 0 ? -errno : 0;
}

/* Only what is never written: relocations are in segments that were. */
static int forget(struct dl_phdr_info *object, size_t size UNUSED, void *user UNUSED) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        uintptr_t from = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t to = object->dlpi_addr + segment->p_vaddr + segment->p_filesz;
        (void)madvise((void *)from, to - from, MADV_DONTNEED); // NOLINT(performance-no-int-to-ptr)
    }
    return 0;
}

void self_forget_start(void) {
    (void)dl_iterate_phdr(forget, NULL);
}
