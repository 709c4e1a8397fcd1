#include "pty/link.h"

#include "base/buf.h"
#include "base/mem.h"
#include "loop/doing.h"
#include "platform/unixsock.h"
#include "term/frame_feed.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { READ_BYTES = 64 << 10, UNSENT_MAX = 1 << 20 };

struct link {
    uv_poll_t poll;
    int fd;
    const struct link_ops *ops;
    void *user;
    bool closed;
    bool writing; /* waits until the keeper takes more */
    struct buf unsent;
    uint64_t input_sent, input_taken; /* bytes, since hello */
    struct buf input;                 /* beyond the window */
    struct frame_feed feed;
};

static void on_poll(uv_poll_t *poll, int status, int events);

static void watch(struct link *l) {
    (void)uv_poll_start(&l->poll, UV_READABLE | (l->writing ? UV_WRITABLE : 0), on_poll);
}

static void on_closed(uv_handle_t *handle) {
    struct link *l = handle->data;
    (void)close(l->fd);
    buf_fini(&l->unsent);
    buf_fini(&l->input);
    free(l);
}

void link_close(struct link *l) {
    if (!l || l->closed) return;
    l->closed = true;
    (void)uv_poll_stop(&l->poll);
    uv_close((uv_handle_t *)&l->poll, on_closed);
}

static void lose(struct link *l, const char *why) {
    if (l->closed) return;
    link_close(l);
    l->ops->lost(l->user, why);
}

/* Reading */

static void on_output(void *user, uint64_t offset, struct span bytes) {
    struct link *l = user;
    l->ops->output(l->user, offset, bytes);
}

static void on_refused(struct link *l, struct span sentence) {
    char why[ERR_MSG_BYTES];
    size_t n = MIN(sentence.n, sizeof why - 1);
    if (n) memcpy(why, sentence.p, n);
    why[n] = '\0';
    lose(l, why);
}

static void on_taken(struct link *l, uint64_t bytes);

static void on_frame(void *user, const struct frame *f) {
    struct link *l = user;
    union {
        struct frame_welcome welcome;
        struct frame_size size;
        struct frame_gap gap;
        struct frame_exit exit;
        struct frame_guests guests;
        struct frame_taken taken;
    } u;
    switch (f->type) {
    case FRAME_WELCOME:
        if (frame_read(f, &u.welcome, sizeof u.welcome, NULL) == 0) l->ops->welcome(l->user, &u.welcome);
        break;
    case FRAME_RESIZED:
        if (frame_read(f, &u.size, sizeof u.size, NULL) == 0) l->ops->resized(l->user, &u.size);
        break;
    case FRAME_GAP:
        if (frame_read(f, &u.gap, sizeof u.gap, NULL) == 0) l->ops->gap(l->user, &u.gap);
        break;
    case FRAME_EXITED:
        if (frame_read(f, &u.exit, sizeof u.exit, NULL) == 0) l->ops->exited(l->user, &u.exit);
        break;
    case FRAME_GUESTS:
        if (frame_read(f, &u.guests, sizeof u.guests, NULL) == 0) l->ops->guests(l->user, u.guests.count);
        break;
    case FRAME_TAKEN:
        if (frame_read(f, &u.taken, sizeof u.taken, NULL) == 0) on_taken(l, u.taken.bytes);
        break;
    case FRAME_REFUSED: on_refused(l, f->payload); break;
    default: break; /* a newer keeper's */
    }
}

static const struct frame_feed_ops feed_ops = {.output = on_output, .frame = on_frame};

static void read_some(struct link *l) {
    static char bytes[READ_BYTES]; /* the loop thread's */
    ssize_t n = recv(l->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) {
        lose(l, "its keeper is gone");
        return;
    }
    if (frame_feed(&l->feed, span_of(bytes, (size_t)n), &feed_ops, l, &l->closed) < 0)
        lose(l, "what listens on its socket is no keeper");
}

/* Writing */

static void write_unsent(struct link *l) {
    ssize_t n = send(l->fd, l->unsent.p, l->unsent.n, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n > 0) buf_consume(&l->unsent, (size_t)n);
    if (l->unsent.n) return; /* a keeper that is gone shows when it is read */
    buf_fini(&l->unsent);
    l->unsent = BUF_INIT(UNSENT_MAX + FRAME_PAYLOAD_MAX);
    l->writing = false;
    watch(l);
}

static void on_poll(uv_poll_t *poll, int status, int events) {
    struct link *l = poll->data;
    doing("what a terminal printed");
    if (status < 0) {
        lose(l, "its keeper is gone");
        return;
    }
    if (events & UV_WRITABLE) write_unsent(l);
    if (!l->closed && (events & UV_READABLE)) read_some(l);
}

static int send_frame(struct link *l, enum frame_type type, const void *fixed, size_t n, struct span data) {
    if (l->closed) return -EPIPE;
    if (l->unsent.n + data.n > UNSENT_MAX) return -ENOBUFS;
    char head[FRAME_HEAD_BYTES + 128];
    size_t head_bytes = frame_encode(head, type, fixed, n, data.n), sent = 0;
    if (!l->writing) {
        struct iovec parts[] = {{head, head_bytes}, {(void *)data.p, data.n}};
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = data.n ? 2 : 1};
        ssize_t r = sendmsg(l->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (r < 0 && errno != EAGAIN && errno != EINTR) return -EPIPE;
        sent = r < 0 ? 0 : (size_t)r;
    }
    if (sent == head_bytes + data.n) return 0;
    size_t of_head = MIN(sent, head_bytes);
    (void)buf_append(&l->unsent, head + of_head, head_bytes - of_head);
    (void)buf_append_span(&l->unsent, span_skip(data, sent - of_head));
    if (!l->writing) {
        l->writing = true;
        watch(l);
    }
    return 0;
}

int link_send(struct link *l, enum frame_type type, const void *fixed, size_t n) {
    return send_frame(l, type, fixed, n, SPAN_NONE);
}

/* Sends as much as the window takes; returns how much that was. */
static size_t send_input(struct link *l, uint64_t answers, struct span bytes) {
    size_t done = 0;
    for (uint64_t room; (room = FRAME_INPUT_WINDOW - (l->input_sent - l->input_taken)) && done < bytes.n;) {
        struct span piece = span_take(span_skip(bytes, done), (size_t)MIN(room, (uint64_t)FRAME_DATA_MAX));
        const struct frame_input head = {.answers = done + piece.n == bytes.n ? answers : 0};
        if (send_frame(l, FRAME_INPUT, &head, sizeof head, piece) < 0) break;
        l->input_sent += piece.n;
        done += piece.n;
    }
    return done;
}

static void on_taken(struct link *l, uint64_t bytes) {
    if (bytes <= l->input_taken || bytes > l->input_sent) return;
    l->input_taken = bytes;
    if (l->input.n) buf_consume(&l->input, send_input(l, 0, buf_span(&l->input)));
}

int link_input(struct link *l, uint64_t answers, struct span bytes) {
    if (l->closed) return -EPIPE;
    if (l->input.n + bytes.n > LINK_INPUT_MAX) return -ENOBUFS;
    size_t sent = l->input.n ? 0 : send_input(l, answers, bytes);
    return sent == bytes.n ? 0 : buf_append_span(&l->input, span_skip(bytes, sent));
}

bool link_error_is_passing(int error) {
    return error == -EMFILE || error == -ENFILE || error == -ENOMEM || error == -ENOBUFS || error == -EAGAIN;
}

bool link_answers(const char *socket, int64_t *ret_pid) {
    *ret_pid = 0;
    int fd = unixsock_connect(socket);
    if (fd < 0) return link_error_is_passing(fd);
    struct unixsock_peer peer;
    if (unixsock_peer(fd, &peer) == 0 && peer.pid > 1) *ret_pid = peer.pid;
    (void)close(fd);
    return true;
}

int link_open(uv_loop_t *loop, const char *socket, const struct frame_hello *hello,
              const struct link_ops *ops, void *user, struct link **ret, struct err *err) {
    int fd = unixsock_connect(socket);
    if (fd < 0) return err_sys(err, fd, "its keeper does not answer");
    struct link *l = xcalloc(1, sizeof *l);
    *l = (struct link){.fd = fd,
                       .ops = ops,
                       .user = user,
                       .unsent = BUF_INIT(UNSENT_MAX + FRAME_PAYLOAD_MAX),
                       .input = BUF_INIT(LINK_INPUT_MAX)};
    int r = uv_poll_init(loop, &l->poll, fd);
    if (r < 0) {
        (void)close(fd);
        free(l);
        return err_sys(err, r, "cannot watch its keeper");
    }
    l->poll.data = l;
    watch(l);
    r = link_send(l, FRAME_HELLO, hello, sizeof *hello);
    if (r < 0) {
        link_close(l);
        return err_sys(err, r, "its keeper does not answer");
    }
    *ret = l;
    return 0;
}
