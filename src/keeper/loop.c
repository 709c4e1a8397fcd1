#include "keeper/loop.h"

#include "keeper/polls.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    TURN_BYTES = 64 << 10, /* of output in one turn, so that peers are heard in between */
    SHORT_READ = 2 << 10,  /* the terminal hands out 4 KiB at most: a read that got less emptied it */
    DRAIN_BYTES =
        256 << 10, /* more than a terminal holds: what comes later is no output of the program that ended */
    KILL_MS = 3000,
    GO_MS = 5000,
    DEAF_MS = 500,
};

static volatile sig_atomic_t child_signal, term_signal;

static void on_child(int number UNUSED) {
    child_signal = 1;
}

static void on_term(int number UNUSED) {
    term_signal = 1;
}

static void handle(int number, void (*handler)(int)) {
    const struct sigaction act = {.sa_handler = handler};
    (void)sigaction(number, &act, NULL);
}

void loop_signals(void) {
    static const int ignored[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGTSTP,
                                  SIGTTIN, SIGTTOU, SIGUSR1, SIGUSR2};
    sigset_t minded;
    (void)sigemptyset(&minded);
    (void)sigaddset(&minded, SIGCHLD);
    (void)sigaddset(&minded, SIGTERM);
    (void)sigprocmask(SIG_SETMASK, &minded, NULL);
    for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
        handle(ignored[i], SIG_IGN);
    handle(SIGCHLD, on_child);
    handle(SIGTERM, on_term);
}

static usec_t now(void) {
    return clock_mono(&clock_system);
}

static int64_t wall_ms(void) {
    return usec_to_msec(clock_wall(&clock_system));
}

/* The program */

/* Reads what the terminal has, within a turn's share and the room there is. True when it has no more. */
static bool read_output(struct loop *l) {
    struct keeper *k = &l->keeper;
    struct iovec space[2];
    for (size_t total = 0; total < TURN_BYTES;) {
        int pieces = keeper_space(k, TURN_BYTES - total, now(), space);
        if (!pieces) return false;
        ssize_t n = readv(l->pty.master, space, pieces);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return true;
        keeper_printed(k, (size_t)n, now(), wall_ms());
        total += (size_t)n;
        if (k->exited) {
            l->drain_budget -= MIN((size_t)n, l->drain_budget);
            if (!l->drain_budget) return true;
        } else if (n < SHORT_READ) {
            return false;
        }
    }
    return false;
}

static void write_input(struct loop *l) {
    struct input *in = l->keeper.input;
    for (struct span s; (s = input_next(in)).n;) {
        ssize_t n = write(l->pty.master, s.p, s.n);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        input_written(in, (size_t)n);
    }
}

static void program_drain(void *user) {
    (void)read_output(user);
}

static int program_resize(void *user, const struct frame_size *size) {
    struct loop *l = user;
    return pty_resize(
        &l->pty, &(struct pty_size){
                     .cols = size->cols, .rows = size->rows, .xpixel = size->xpixel, .ypixel = size->ypixel});
}

static void program_signal(void *user, int number) {
    struct loop *l = user;
    (void)pty_signal(&l->pty, l->child, number);
}

/* Its own group and the one in the foreground: a shell passes a hangup on, other programs need not. */
static void signal_all(struct loop *l, int number) {
    (void)kill(-l->child, number);
    (void)pty_signal(&l->pty, l->child, number);
}

static void program_end(void *user) {
    struct loop *l = user;
    if (l->kill_at != USEC_NEVER || l->keeper.exited) return;
    signal_all(l, SIGHUP);
    signal_all(l, SIGCONT); /* one that is stopped would not notice */
    l->kill_at = now() + KILL_MS * USEC_PER_MSEC;
}

struct keeper_program loop_program(struct loop *l) {
    return (struct keeper_program){.drain = program_drain,
                                   .resize = program_resize,
                                   .signal = program_signal,
                                   .end = program_end,
                                   .user = l};
}

static void reap(struct loop *l) {
    int status;
    if (l->keeper.exited || waitpid(l->child, &status, WNOHANG) != l->child) return;
    const struct frame_exit exit = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                                    .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                                    .at_ms = wall_ms()};
    keeper_exited(&l->keeper, &exit);
    l->kill_at = USEC_NEVER;
    l->drain_budget = DRAIN_BYTES;
}

/* Whatever it left behind in the terminal is read; processes that it left behind are not waited for. */
static void finish(struct loop *l) {
    if (!l->keeper.exited || l->keeper.drained || !read_output(l)) return;
    pty_close(&l->pty);
    keeper_drained(&l->keeper);
    if (l->leaving) l->go_at = now() + GO_MS * USEC_PER_MSEC;
}

/* The peers */

static void close_peer(struct loop *l, struct peer *p) {
    (void)close(p->fd);
    keeper_leave(&l->keeper, p, now());
}

static usec_t listen_at(struct loop *l) {
    return MAX(l->listen_at, keeper_place_at(&l->keeper));
}

static void accept_peers(struct loop *l) {
    struct keeper *k = &l->keeper;
    while (now() >= listen_at(l)) {
        int fd = unixsock_accept(&l->listener);
        if (fd == -EINTR || fd == -ECONNABORTED) continue;
        if (fd < 0) {
            if (fd != -EAGAIN) l->listen_at = now() + DEAF_MS * USEC_PER_MSEC;
            return;
        }
        struct peer *p = keeper_place(k);
        if (p->fd >= 0) close_peer(l, p);
        keeper_arrive(p, fd, now());
        struct unixsock_peer who;
        if (unixsock_peer(fd, &who) < 0 || (who.uid != geteuid() && who.uid != 0))
            peer_refuse(p, "This terminal belongs to another user.");
    }
}

/* Takes what it sent, once. False when there was nothing, or it is gone. */
static bool read_peer(struct loop *l, struct peer *p) {
    if (p->full || p->role == PEER_LEAVING) return false;
    ssize_t n = recv(p->fd, p->memory->in + p->in_n, sizeof p->memory->in - p->in_n, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (n > 0) {
        p->in_n += (size_t)n;
        if (keeper_requests(&l->keeper, p, now()) == 0) return true;
    }
    close_peer(l, p);
    return false;
}

/* A daemon that was killed may have left words behind: they are heard before another takes its place. */
static void hear(struct loop *l, struct peer *p) {
    struct peer *daemon = p->role == PEER_STRANGER ? keeper_daemon(&l->keeper) : NULL;
    while (daemon && read_peer(l, daemon)) {}
    (void)read_peer(l, p);
}

static void serve_peer(struct loop *l, struct peer *p) {
    struct iovec pieces[3];
    while (!p->blocked && (peer_busy(p) || peer_next(p, &l->keeper))) {
        struct msghdr message = {.msg_iov = pieces, .msg_iovlen = (size_t)peer_pieces(p, &l->keeper, pieces)};
        ssize_t n = sendmsg(p->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n >= 0)
            peer_sent(p, (size_t)n);
        else if (errno == EAGAIN)
            p->blocked = true;
        else if (errno != EINTR)
            break;
    }
    bool broken = !p->blocked && peer_busy(p);
    if (broken || p->role == PEER_LEAVING) close_peer(l, p);
}

/* The turn */

static_assert(POLLS_MAX >= KEEPER_PEERS_MAX + 2, "the peers, the terminal, and whoever else comes");

static usec_t deadline(struct loop *l) {
    struct keeper *k = &l->keeper;
    usec_t first = MIN(l->kill_at, l->go_at), listen = listen_at(l);
    if (listen > now()) first = MIN(first, listen);
    return k->drained ? first : MIN(first, hold_deadline(&k->hold, &k->ring, now()));
}

static void mind_signals(struct loop *l) {
    if (term_signal) {
        term_signal = 0;
        l->leaving = true;
        program_end(l);
        if (l->keeper.drained && l->go_at == USEC_NEVER) l->go_at = now() + GO_MS * USEC_PER_MSEC;
    }
    if (child_signal) {
        child_signal = 0;
        reap(l);
    }
    if (now() >= l->kill_at) {
        signal_all(l, SIGKILL);
        l->kill_at = USEC_NEVER;
    }
}

static void turn(struct loop *l) {
    struct keeper *k = &l->keeper;
    struct polls polls = {.count = 0};
    int peers[KEEPER_PEERS_MAX];
    bool room = hold_room(&k->hold, &k->ring, now()) > 0;
    int listener = polls_add(&polls, l->listener.fd, now() >= listen_at(l), false);
    int terminal = polls_add(&polls, l->pty.master, room, input_waiting(k->input) > 0);
    for (size_t i = 0; i < KEEPER_PEERS_MAX; i++)
        peers[i] = polls_add(&polls, k->peers[i].fd, !k->peers[i].full, k->peers[i].blocked);
    polls_wait(&polls, deadline(l), now());

    mind_signals(l);
    for (size_t i = 0; i < KEEPER_PEERS_MAX; i++) {
        struct peer *p = &k->peers[i];
        if (polls_out(&polls, peers[i])) p->blocked = false;
        if (polls_in(&polls, peers[i]) && p->role != PEER_NONE) hear(l, p);
    }
    if (l->pty.master >= 0) {
        write_input(l);
        if (polls_in(&polls, terminal) && !k->exited) (void)read_output(l);
        finish(l);
    }
    /* Not before: a place must not change hands while there is something to be heard from who had it. */
    if (polls_in(&polls, listener)) accept_peers(l);
    for (size_t i = 0; i < KEEPER_PEERS_MAX; i++) {
        struct peer *p = &k->peers[i];
        if (p->full && keeper_requests(k, p, now()) < 0) close_peer(l, p);
        if (p->role != PEER_NONE) serve_peer(l, p);
    }
}

void loop_run(struct loop *l) {
    l->kill_at = l->go_at = USEC_NEVER;
    reap(l); /* it may have ended before its end could be signalled */
    while (!l->keeper.released && now() < l->go_at)
        turn(l);
}
