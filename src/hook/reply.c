#include "hook/reply.h"

#include "base/path.h"
#include "hook/out.h"
#include "hook/reply_line.h"
#include "platform/unixsock.h"
#include "spool/append.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum {
    FIRST_MS = 1000,    /* for the daemon to say that it is there */
    SILENCE_MS = 15000, /* after which it is not there any more; it says so every 5 s */
    LINE_MAX = 160,
};

static char received[REPLY_ANSWER_MAX + 2 * LINE_MAX];

static char *put_hex(char *to, uint64_t v) {
    char digits[16];
    size_t n = 0;
    do
        digits[n++] = "0123456789abcdef"[v & 15];
    while (v >>= 4);
    while (n)
        *to++ = digits[--n];
    return to;
}

void reply_key(char ret[REPLY_KEY_BYTES], uint64_t pid, uint64_t now_us) {
    char *to = put_hex(ret, pid);
    *to++ = '-';
    to = put_hex(to, now_us);
    *to = '\0';
}

static bool write_all(int fd, struct span text) {
    while (text.n) {
        ssize_t n = write(fd, text.p, text.n);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) {
            struct pollfd wait = {.fd = fd, .events = POLLOUT};
            if (poll(&wait, 1, FIRST_MS) == 1) continue;
        }
        if (n <= 0) return false;
        text = span_skip(text, (size_t)n);
    }
    return true;
}

/* The CLI has the answer: that is so whatever becomes of the daemon. */
static void note_answer(const struct reply_line *a) {
    char text[512], spool[PATH_BYTES], end[] = "}},\"payload\":{}}";
    struct out o = {.p = text, .cap = sizeof text};
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    out_raw(&o, SPAN("{\"ostler\":{\"v\":1,\"via\":\"daemon\",\"hook_sent_at\":"));
    out_u64(&o, (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000);
    out_raw(&o, SPAN(",\"command\":{\"name\":\"replied\""));
    out_member_string(&o, "session", a->session);
    out_member_string(&o, "request", a->request);
    out_member_string(&o, "value", a->decision);
    const struct iovec parts[] = {{o.p, o.n}, {end, sizeof end - 1}};
    if (!o.full && path_spool(spool) == 0) (void)spool_append(spool, parts, ARRAY_LEN(parts));
}

enum step { STEP_MORE, STEP_DONE };

/* Takes in what has come. `*n` is how much is there; what is understood is cut off. */
static enum step take(int fd, size_t *n) {
    for (char *end; (end = memchr(received, '\n', *n));) {
        struct span line = span_of(received, (size_t)(end - received));
        struct reply_line answer;
        size_t used = line.n + 1;
        if (span_eq(line, SPAN("offer"))) {
            if (!write_all(fd, SPAN("take\n"))) return STEP_DONE;
        } else if (reply_line_parse(line, &answer)) {
            if (*n - used < answer.n) return STEP_MORE;
            if (write_all(STDOUT_FILENO, span_of(received + used, answer.n))) note_answer(&answer);
            return STEP_DONE;
        } else if (!span_eq(line, SPAN("held")) && !span_eq(line, SPAN("beat"))) {
            return STEP_DONE;
        }
        *n -= used;
        memmove(received, received + used, *n);
    }
    return *n < sizeof received ? STEP_MORE : STEP_DONE;
}

static void wait_for_answer(int fd) {
    size_t n = 0;
    bool first = true;
    for (;;) {
        /* Nobody reads our output any more: the CLI has gone. */
        struct pollfd waits[] = {{.fd = fd, .events = POLLIN}, {.fd = STDOUT_FILENO, .events = 0}};
        int ready = poll(waits, ARRAY_LEN(waits), first ? FIRST_MS : SILENCE_MS);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0 || waits[1].revents) return;
        ssize_t got = read(fd, received + n, sizeof received - n);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got <= 0) return;
        first = false;
        n += (size_t)got;
        if (take(fd, &n) == STEP_DONE) return;
    }
}

static bool is_ours(int fd) {
    struct unixsock_peer peer;
    return unixsock_peer(fd, &peer) == 0 && (peer.uid == geteuid() || peer.uid == 0);
}

void reply_wait(const char *key, const char *cli) {
    struct paths paths;
    struct err err;
    char socket[PATH_BYTES];
    (void)signal(SIGPIPE, SIG_IGN);
    if (paths_resolve(&paths, &err) < 0 || path_join(socket, paths.state, "reply.sock") < 0) return;
    int fd = unixsock_connect(socket);
    if (fd < 0) return;
    bool greeted = is_ours(fd) && write_all(fd, SPAN("hold 1 ")) && write_all(fd, span_str(key)) &&
                   write_all(fd, SPAN(" ")) && write_all(fd, span_str(cli)) && write_all(fd, SPAN("\n"));
    if (greeted) wait_for_answer(fd);
    (void)close(fd);
}
