#include "repair/file.h"

#include "base/cleanup.h"
#include "repair/chain.h"
#include "repair/claude.h"
#include "repair/reading.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static void cleanup_transcript(struct transcript *t) {
    transcript_fini(t);
}

/* A failed read: what is a verdict, and what is not. */
static int read_failed(int r, const char *path, struct scan_verdict *verdict, struct err *err) {
    if (r == -ECANCELED || r == -ENOMEM) return err_sys(err, r, "%s was not read to its end", path);
    *verdict = (struct scan_verdict){.status = TRANSCRIPT_UNREADABLE};
    (void)err_sys(err, r, "%s cannot be read", path);
    return 0;
}

int transcript_scan(const char *path, const char *root, const struct progress *progress,
                    struct scan_verdict *ret, struct err *err) {
    struct stat st = {0};
    AUTO(place) struct place place;
    int found = place_open(path, root, &place);
    AUTO(fd)
    int fd =
        found < 0 ? cannot_open(path, found, ret, err) : open_transcript(&place, O_RDONLY, &st, ret, err);
    if (fd < 0) return 0;
    AUTO(transcript) struct transcript t;
    start_transcript(&t);
    struct scan_verdict v;
    int r = read_messages(fd, &st, &t, progress, (uint64_t)st.st_size);
    if (r == 0) r = chain_judge(&t, &v);
    if (r < 0) return read_failed(r, path, ret, err);
    v.mark = claude_mark(&st);
    *ret = v;
    return 0;
}

int transcript_stat(const char *path, const char *root, struct stat *ret) {
    AUTO(place) struct place place;
    int r = place_open(path, root, &place);
    AUTO(fd) int fd = r < 0 ? r : place_open_file(&place, O_RDONLY, ret);
    return MIN(fd, 0);
}
