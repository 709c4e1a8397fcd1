/*
 * A terminal behind a keeper, beside the same terminal read without anything between, behind dtach and behind tmux.
 *
 *     keeper_bench flood bare|keeper|dtach|tmux DIR KEEPER MIB cooked|raw    MB/s that the reader gets
 *     keeper_bench echo  bare|keeper|dtach|tmux DIR KEEPER RUNS             a key until it is back, µs: min p50 p95 p99
 *     keeper_bench print MIB cooked|raw · keeper_bench repeat               what runs in the terminal
 *
 * DIR is a directory for sockets. dtach is read at its socket, tmux through its own client in another terminal: each as near
 * as it lets a reader come.
 */
#include "base/compiler.h"
#include "platform/pty.h"
#include "platform/unixsock.h"
#include "term/frame.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { LINE_BYTES = 77, READ_BYTES = 64 << 10, ACK_BYTES = 128 << 10, RUNS_MAX = 100000, WAIT_MS = 20000 };

/* Behind all lines, and where the terminal is ready. */
#define MARK "~ready~"
#define LAST_KEY '\x04'

static NORETURN void die(const char *what) {
    (void)fprintf(stderr, "keeper_bench: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now_us(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* In the terminal */

static void put(const char *p, size_t n) {
    while (n) {
        ssize_t written = write(STDOUT_FILENO, p, n);
        if (written <= 0) exit(1);
        p += written;
        n -= (size_t)written;
    }
}

static void make_raw(void) {
    struct termios t;
    if (tcgetattr(STDIN_FILENO, &t) < 0) die("tcgetattr");
    cfmakeraw(&t);
    if (tcsetattr(STDIN_FILENO, TCSANOW, &t) < 0) die("tcsetattr");
}

/* Says the mark when somebody looks: dtach shows nothing of what was there before. */
static void answer_key(void) {
    char key;
    if (read(STDIN_FILENO, &key, 1) != 1) exit(1);
    put(MARK, strlen(MARK));
}

static int print_lines(size_t mib, bool raw) {
    static char lines[LINE_BYTES * 512];
    for (size_t i = 0; i < sizeof lines; i++)
        lines[i] = (char)(i % LINE_BYTES == LINE_BYTES - 1 ? '\n' : 'a' + i % 26);
    if (raw) make_raw();
    answer_key();
    char go;
    if (read(STDIN_FILENO, &go, 1) != 1) return 1;
    for (size_t left = mib << 20; left > sizeof lines; left -= sizeof lines)
        put(lines, sizeof lines);
    put(MARK, strlen(MARK));
    return read(STDIN_FILENO, &go, 1) == 1 ? 0 : 1;
}

static int repeat_keys(void) {
    make_raw();
    answer_key();
    char key;
    while (read(STDIN_FILENO, &key, 1) == 1 && key != LAST_KEY)
        put(&key, 1);
    return 0;
}

/* The ways to read one */

struct way {
    int fd;
    bool keeper, dtach;
    struct pty pty; /* bare, or tmux's client */
    char in[READ_BYTES + FRAME_HEAD_BYTES + FRAME_PAYLOAD_MAX];
    size_t in_n;
    uint64_t offset, acknowledged;
    char tail[sizeof MARK - 1]; /* the newest bytes, for a mark that comes in pieces */
    bool marked;
    char key; /* that is waited for */
    bool key_seen;
    pid_t ended_with_it;
};

static struct way way;

/* The program's wait status. */
static int run(const char *const *argv) {
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);
        (void)dup2(null, STDOUT_FILENO);
        (void)dup2(null, STDERR_FILENO);
        (void)execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    int status;
    if (pid < 0 || waitpid(pid, &status, 0) < 0) die(argv[0]);
    return status;
}

static int connect_to(const char *path) {
    for (double until = now_us() + 5e6;;) {
        int fd = unixsock_connect(path);
        if (fd >= 0) return fd;
        if (now_us() > until) die(path);
        (void)poll(NULL, 0, 1);
    }
}

static void send_all(const void *p, size_t n) {
    for (const char *at = p; n;) {
        ssize_t sent = write(way.fd, at, n);
        if (sent < 0 && errno != EAGAIN) die("write");
        if (sent < 0) {
            struct pollfd until = {.fd = way.fd, .events = POLLOUT};
            (void)poll(&until, 1, WAIT_MS);
            continue;
        }
        at += sent;
        n -= (size_t)sent;
    }
}

static void send_frame(enum frame_type type, const void *fixed, size_t n, struct span data) {
    char bytes[FRAME_HEAD_BYTES + 128 + 16];
    size_t head = frame_encode(bytes, type, fixed, n, data.n);
    if (data.n) memcpy(bytes + head, data.p, data.n);
    send_all(bytes, head + data.n);
}

static void open_bare(const char *const *argv) {
    enum pty_step failed;
    if (pty_open(&way.pty, &(struct pty_size){.cols = 80, .rows = 24}) < 0) die("pty_open");
    const struct pty_program program = {.argv = argv, .mask = 022};
    if (pty_spawn(&way.pty, &program, &way.ended_with_it, &failed) < 0) die(argv[0]);
    way.fd = way.pty.master;
}

static void open_keeper(const char *keeper, const char *dir, const char *const *argv) {
    char socket[PATH_BYTES];
    (void)snprintf(socket, sizeof socket, "%s/keeper.sock", dir);
    const char *words[32] = {keeper,   "--socket", socket,   "--epoch", "1",
                             "--cols", "80",       "--rows", "24",      "--"};
    for (size_t i = 0; argv[i]; i++)
        words[10 + i] = argv[i];
    if (run(words) != 0) die(words[0]);
    way.fd = connect_to(socket);
    way.keeper = true;
    const struct frame_hello hello = {
        .version = FRAME_VERSION, .role = FRAME_ROLE_DAEMON, .limit = UINT64_MAX};
    send_frame(FRAME_HELLO, &hello, sizeof hello, SPAN_NONE);
}

/* dtach's packets: a type, a length, eight bytes. */
static void send_dtach(char type, const char *bytes, size_t n) {
    char packet[10] = {type, (char)n};
    memcpy(packet + 2, bytes, n);
    send_all(packet, sizeof packet);
}

static void open_dtach(const char *dir, const char *const *argv) {
    enum { ATTACH = 1 };
    char socket[PATH_BYTES];
    (void)snprintf(socket, sizeof socket, "%s/dtach.sock", dir);
    const char *words[32] = {"dtach", "-n", socket, "-E", "-z"};
    for (size_t i = 0; argv[i]; i++)
        words[5 + i] = argv[i];
    if (run(words) != 0) die(words[0]);
    way.fd = connect_to(socket);
    way.dtach = true;
    send_dtach(ATTACH, "", 0);
}

static void open_tmux(const char *dir, const char *const *argv) {
    static char socket[PATH_BYTES], config[PATH_BYTES];
    (void)snprintf(socket, sizeof socket, "%s/tmux.sock", dir);
    (void)snprintf(config, sizeof config, "%s/tmux.conf", dir);
    FILE *f = fopen(config, "we");
    if (!f || fputs("set -g status off\nset -g escape-time 0\nset -g default-terminal screen\n", f) < 0 ||
        fclose(f) != 0)
        die(config);
    const char *words[32] = {"tmux", "-S", socket, "-f", config, "new-session", "-d", "-x", "80", "-y", "24"};
    for (size_t i = 0; argv[i]; i++)
        words[11 + i] = argv[i];
    if (run(words) != 0) die(words[0]);
    (void)setenv("TERM", "xterm", 1);
    static const char *const attach[] = {"tmux", "-S", socket, "attach", NULL};
    open_bare(attach);
    /* What is typed before it has drawn its screen may be lost. */
    char drawn[READ_BYTES];
    struct pollfd more = {.fd = way.fd, .events = POLLIN};
    for (int wait_ms = WAIT_MS; poll(&more, 1, wait_ms) > 0; wait_ms = 200)
        if (read(way.fd, drawn, sizeof drawn) <= 0) break;
}

static void open_way(const char *name, const char *dir, const char *keeper, const char *const *argv) {
    if (strcmp(name, "bare") == 0)
        open_bare(argv);
    else if (strcmp(name, "keeper") == 0)
        open_keeper(keeper, dir, argv);
    else if (strcmp(name, "dtach") == 0)
        open_dtach(dir, argv);
    else if (strcmp(name, "tmux") == 0)
        open_tmux(dir, argv);
    else
        die("no such way");
}

static void type_key(char key) {
    enum { PUSH = 0 };
    if (way.keeper)
        send_frame(FRAME_INPUT, &(struct frame_input){0}, sizeof(struct frame_input), span_of(&key, 1));
    else if (way.dtach)
        send_dtach(PUSH, &key, 1);
    else
        send_all(&key, 1);
}

static void look(struct span s) {
    enum { KEEP = sizeof way.tail };
    char joint[2 * KEEP];
    memcpy(joint, way.tail, KEEP);
    size_t n = MIN(s.n, (size_t)KEEP);
    memcpy(joint + KEEP, s.p, n);
    way.marked = way.marked || memmem(joint, KEEP + n, MARK, KEEP) || memmem(s.p, s.n, MARK, KEEP);
    way.key_seen = way.key_seen || memchr(s.p, way.key, s.n);
    memcpy(way.tail, s.n >= KEEP ? s.p + s.n - KEEP : joint + n, KEEP);
}

static size_t take_frames(void) {
    struct span rest = span_of(way.in, way.in_n);
    struct frame f;
    size_t bytes = 0;
    while (frame_next(&rest, &f) == 1) {
        struct frame_output output;
        struct span data;
        if (f.type != FRAME_OUTPUT || frame_read(&f, &output, sizeof output, &data) < 0) continue;
        if (output.offset != way.offset) die("a byte is missing");
        look(data);
        way.offset += data.n;
        bytes += data.n;
    }
    memmove(way.in, rest.p, rest.n);
    way.in_n = rest.n;
    if (way.offset - way.acknowledged >= ACK_BYTES) {
        way.acknowledged = way.offset;
        const struct frame_flow flow = {.acknowledged = way.offset, .limit = UINT64_MAX};
        send_frame(FRAME_FLOW, &flow, sizeof flow, SPAN_NONE);
    }
    return bytes;
}

/* Waits for more; returns the bytes that the terminal printed. */
static size_t read_more(void) {
    ssize_t n;
    while ((n = read(way.fd, way.in + way.in_n, READ_BYTES)) < 0) {
        if (errno != EAGAIN && errno != EINTR) die("read");
        struct pollfd until = {.fd = way.fd, .events = POLLIN};
        if (poll(&until, 1, WAIT_MS) == 0) die("nothing comes any more");
    }
    if (n == 0) die("it ended");
    if (way.keeper) {
        way.in_n += (size_t)n;
        return take_frames();
    }
    look(span_of(way.in, (size_t)n));
    return (size_t)n;
}

static void wait_for_mark(void) {
    while (!way.marked)
        (void)read_more();
    way.marked = false;
    memset(way.tail, 0, sizeof way.tail);
}

static void wait_for_key(char key) {
    way.key = key;
    way.key_seen = false;
    while (!way.key_seen)
        (void)read_more();
}

static void measure_flood(const char *mib) {
    type_key('\n');
    wait_for_mark();
    double begun = now_us();
    type_key('\n');
    wait_for_mark();
    (void)printf("%.2f MB/s\n", (double)strtoul(mib, NULL, 10) * (1 << 20) / (now_us() - begun));
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure_echo(size_t runs) {
    static double took[RUNS_MAX];
    type_key('\n');
    wait_for_mark();
    for (size_t i = 0; i < runs; i++) {
        char key = "!#%&*+=@^_|"[i % 11]; /* none that a cursor's movement has in it, for tmux */
        double begun = now_us();
        type_key(key);
        wait_for_key(key);
        took[i] = now_us() - begun;
    }
    qsort(took, runs, sizeof took[0], by_value);
    (void)printf("min %.1f us  p50 %.1f us  p95 %.1f us  p99 %.1f us\n", took[0], took[runs / 2],
                 took[runs * 95 / 100], took[runs * 99 / 100]);
}

/* Everything that was started ends with its terminal. */
static void finish(const char *dir) {
    if (way.keeper) {
        send_frame(FRAME_END, NULL, 0, SPAN_NONE);
        struct frame f = {0};
        struct span rest = SPAN_NONE;
        while (f.type != FRAME_EXITED) {
            ssize_t n = read(way.fd, way.in + way.in_n, READ_BYTES);
            if (n == 0) return;
            if (n < 0) {
                struct pollfd until = {.fd = way.fd, .events = POLLIN};
                (void)poll(&until, 1, WAIT_MS);
                continue;
            }
            way.in_n += (size_t)n;
            rest = span_of(way.in, way.in_n);
            while (f.type != FRAME_EXITED && frame_next(&rest, &f) == 1) {}
            memmove(way.in, rest.p, rest.n);
            way.in_n = rest.n;
        }
        send_frame(FRAME_RELEASE, NULL, 0, SPAN_NONE);
    } else
        type_key(LAST_KEY);
    if (way.ended_with_it) {
        (void)kill(-way.ended_with_it, SIGHUP);
        pty_close(&way.pty);
        (void)waitpid(way.ended_with_it, NULL, 0);
    }
    char socket[PATH_BYTES];
    (void)snprintf(socket, sizeof socket, "%s/tmux.sock", dir);
    /* It may be on its way out already, and then says so. */
    if (access(socket, F_OK) == 0)
        (void)run((const char *const[]){"tmux", "-S", socket, "kill-server", NULL});
}

int main(int argc, char **argv) {
    (void)signal(SIGPIPE, SIG_IGN);
    if (argc == 4 && strcmp(argv[1], "print") == 0)
        return print_lines(strtoul(argv[2], NULL, 10), strcmp(argv[3], "raw") == 0);
    if (argc == 2 && strcmp(argv[1], "repeat") == 0) return repeat_keys();
    bool flood = argc == 7 && strcmp(argv[1], "flood") == 0;
    if (!flood && !(argc == 6 && strcmp(argv[1], "echo") == 0)) {
        (void)fprintf(stderr, "usage: see the head of keeper_bench.c\n");
        return 2;
    }
    static char self[PATH_BYTES];
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) die("/proc/self/exe");
    const char *const printer[] = {self, "print", argv[5], flood ? argv[6] : NULL, NULL};
    const char *const repeater[] = {self, "repeat", NULL};
    open_way(argv[2], argv[3], argv[4], flood ? printer : repeater);
    if (flood)
        measure_flood(argv[5]);
    else
        measure_echo(MIN(strtoul(argv[5], NULL, 10), RUNS_MAX));
    finish(argv[3]);
    return 0;
}
