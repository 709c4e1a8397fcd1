#include "repair/prompt_history.h"

#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "repair/claude.h"
#include "repair/lines.h"
#include "repair/prompt.h"
#include "repair/reading.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

enum {
    LOOK_BYTES_MAX = 64 << 20,             /* of a transcript, for its first prompt */
    LINE_ARENA_BYTES = 2 * LINES_LINE_MAX, /* strings of one line, decoded */
    ENTRY_BYTES_MAX = 6 * (PROMPT_BYTES_MAX + PROMPT_CWD_BYTES_MAX) + 512 /* if every byte is an escape */
};

int prompt_history_open(struct prompt_history *h, const char *home) {
    struct prompt_history fresh = {.known = MAP_INIT};
    int r = path_join(fresh.file, home, "history.jsonl");
    if (r < 0) return r;
    *h = fresh;
    return 0;
}

void prompt_history_close(struct prompt_history *h) {
    map_fini(&h->known);
}

/* ---- what is known --------------------------------------------------------------------------------------------- */

static void forget(struct prompt_history *h) {
    map_fini(&h->known);
    h->device = h->inode = h->read = 0;
}

static void learn(struct prompt_history *h, struct span line, struct arena *arena) {
    struct jmember m = JMEMBER("sessionId");
    struct span id;
    if (jscan_object(line, &m, 1) < 1 || jscan_string(m.value, arena, &id) < 0) return;
    if (claude_is_session_id(id)) (void)map_put(&h->known, id, h);
}

static bool is_line_end(int fd, uint64_t at) {
    char c;
    return pread(fd, &c, 1, (off_t)at) == 1 && c == '\n';
}

/* Is this the file that we know the beginning of? Another one, a shorter one, or one that has other bytes where a line
 * ended, is not. */
static bool went_on(const struct prompt_history *h, int fd, const struct stat *st) {
    if (h->device != st->st_dev || h->inode != st->st_ino || (uint64_t)st->st_size < h->read) return false;
    return h->read == 0 || is_line_end(fd, h->read - 1);
}

/* Reads what came since. */
static int catch_up(struct prompt_history *h, int fd) {
    struct stat st;
    if (fstat(fd, &st) < 0) return -errno;
    if (!S_ISREG(st.st_mode)) return -EINVAL;
    if (!went_on(h, fd, &st)) {
        forget(h);
        h->device = st.st_dev;
        h->inode = st.st_ino;
    }
    AUTO(arena) struct arena arena = ARENA_INIT(LINE_ARENA_BYTES);
    AUTO(lines) struct lines lines;
    lines_init(&lines, fd, h->read, UINT64_MAX);
    struct span line;
    bool whole;
    int r;
    while ((r = lines_next(&lines, &line, &whole)) == 1) {
        learn(h, line, &arena);
        arena_reset(&arena);
        h->read = lines.at;
    }
    return r;
}

/* The same for whatever file is there now; most often it has nothing new. */
static int look(struct prompt_history *h) {
    struct stat st;
    if (stat(h->file, &st) == 0 && h->inode == st.st_ino && h->device == st.st_dev &&
        h->read == (uint64_t)st.st_size)
        return 0;
    AUTO(fd) int fd = open(h->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0) return catch_up(h, fd);
    if (errno != ENOENT) return -errno;
    forget(h);
    return 0;
}

/* ---- what is added --------------------------------------------------------------------------------------------- */

static void write_entry(struct buf *out, const struct prompt *p, struct span session_id) {
    struct jwrite w = JWRITE_INIT(out);
    jwrite_object(&w);
    jwrite_kstr(&w, "display", p->text);
    jwrite_key(&w, "pastedContents");
    jwrite_object(&w);
    jwrite_object_end(&w);
    jwrite_ki64(&w, "timestamp", p->at_ms);
    jwrite_kstr(&w, "project", p->cwd);
    jwrite_kstr(&w, "sessionId", session_id);
    jwrite_object_end(&w);
    (void)buf_append_char(out, '\n');
}

/* The entry for a transcript's first prompt. 1, or 0 when it has none. */
static int first_entry(const char *transcript, struct span session_id, struct buf *out) {
    struct stat st;
    AUTO(fd) int fd = open_regular(transcript, O_RDONLY, &st);
    if (fd < 0) return fd == -EISDIR || fd == -EINVAL ? 0 : fd;
    AUTO(arena) struct arena arena = ARENA_INIT(LINE_ARENA_BYTES);
    AUTO(lines) struct lines lines;
    lines_init(&lines, fd, 0, LOOK_BYTES_MAX);
    struct span line;
    bool whole;
    int r;
    while ((r = lines_next(&lines, &line, &whole)) == 1) {
        struct prompt p;
        if (prompt_of_line(line, &arena, &p)) {
            write_entry(out, &p, session_id);
            return out->failed ? 0 : 1;
        }
        arena_reset(&arena);
    }
    return r;
}

/* The history, open and locked: two of us never add the same session. The lock is on the file itself, so one that was
 * put in its place meanwhile is opened anew. */
static int open_locked(const char *file) {
    for (;;) {
        AUTO(fd) int fd = open(file, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
        struct stat mine, there;
        if (fd < 0) return -errno;
        while (flock(fd, LOCK_EX) < 0)
            if (errno != EINTR) return -errno;
        if (fstat(fd, &mine) < 0) return -errno;
        if (stat(file, &there) == 0 && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
            return TAKE_FD(fd);
    }
}

/* All of it, at the end; in one piece unless the disk is full. */
static int append(int fd, struct span text) {
    while (text.n) {
        ssize_t n = write(fd, text.p, text.n);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -errno;
        text = span_skip(text, (size_t)n);
    }
    return 0;
}

static int enter(struct prompt_history *h, struct span session_id, struct buf *entry) {
    AUTO(fd) int fd = open_locked(h->file);
    if (fd == -ENOENT) return 0; /* no Claude Code here */
    if (fd < 0) return fd;
    int r = catch_up(h, fd);
    if (r < 0) return r;
    if (map_get(&h->known, session_id)) return 0;

    struct stat st;
    if (fstat(fd, &st) < 0) return -errno;
    bool mid_line = st.st_size > 0 && !is_line_end(fd, (uint64_t)st.st_size - 1);
    /* entry->p[0] is a line end kept for this case */
    r = append(fd, span_skip(buf_span(entry), mid_line ? 0 : 1));
    if (r < 0) return r;
    (void)map_put(&h->known, session_id, h);
    return 1;
}

int prompt_history_add(struct prompt_history *h, struct span session_id, const char *transcript,
                       struct err *err) {
    if (!claude_is_session_id(session_id)) return 0;
    int r = look(h);
    if (r < 0) return err_sys(err, r, "%s cannot be read", h->file);
    if (map_get(&h->known, session_id)) return 0;

    AUTO(buf) struct buf entry = BUF_INIT(ENTRY_BYTES_MAX);
    (void)buf_append_char(&entry, '\n');
    r = first_entry(transcript, session_id, &entry);
    if (r < 0) return err_sys(err, r, "%s cannot be read", transcript);
    if (r == 0) return 0;
    r = enter(h, session_id, &entry);
    return r < 0 ? err_sys(err, r, "%s cannot be added to", h->file) : r;
}
