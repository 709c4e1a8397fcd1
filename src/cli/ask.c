#include "cli/ask.h"

#include "base/cleanup.h"
#include "cli/masked.h"
#include "cli/screen.h"
#include "cli/tty.h"
#include "crypto/password.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CANCELED_STATUS = 130, SIGNAL_STATUS = 128, ECHO_BYTES = 4 * ASK_PASSWORD_BYTES, TRIES = 3 };

_Static_assert(ASK_PASSWORD_BYTES == PASSWORD_MAX + 1, "what can be typed can be checked");

bool ask_has_person(void) {
    return isatty(STDIN_FILENO);
}

static void show(struct span text) {
    while (text.n) {
        ssize_t n = write(STDERR_FILENO, text.p, text.n);
        if (n < 0 && errno != EINTR) return;
        text = span_skip(text, n < 0 ? 0 : (size_t)n);
    }
}

/* One line without its end, byte by byte: the next question, or another program, gets the next line. -ENODATA at the end of the
 * input. */
static int read_line(char *ret, size_t room, struct err *err) {
    size_t n = 0;
    for (bool any = false;; any = true) {
        char c;
        ssize_t r = read(STDIN_FILENO, &c, 1);
        if (r < 0 && errno == EINTR) continue;
        if (r < 0) return err_sys(err, -errno, "cannot read the answer");
        if (r == 0 && !any) return err_set(err, -ENODATA, "there is no answer on standard input");
        if (r == 0 || c == '\n') break;
        if (n + 1 < room) ret[n] = c;
        n++;
    }
    if (n >= room) return err_set(err, -EMSGSIZE, "the answer is too long (max %zu bytes)", room - 1);
    if (n && ret[n - 1] == '\r') n--;
    ret[n] = '\0';
    return 0;
}

/* What came of a question in the terminal's own line mode, where Ctrl-D is the end of the input. */
static int read_answer(char *ret, size_t room, struct err *err) {
    int r = read_line(ret, room, err);
    if (r != -ENODATA || !ask_has_person()) return r;
    show(SPAN("\n"));
    return err_set(err, -ECANCELED, "given up");
}

int ask_line(const char *prompt, const char *preset, char *ret, size_t room, struct err *err) {
    if (ask_has_person()) {
        (void)fflush(stdout);
        screen_print_to(stderr, preset && *preset ? "%s [%s]: " : "%s: ", prompt, preset);
    }
    int r = read_answer(ret, room, err);
    if (r < 0 && r != -ENODATA) return r;
    if (r == 0 && *ret) return 0;
    if (preset && strlen(preset) >= room) return err_set(err, -EMSGSIZE, "the answer is too long");
    if (r < 0 && !preset) return r;
    (void)snprintf(ret, room, "%s", preset ? preset : "");
    return 0;
}

int ask_yes_no(const char *prompt, bool preset, bool *ret, struct err *err) {
    for (;;) {
        char answer[16];
        if (ask_has_person()) {
            (void)fflush(stdout);
            screen_print_to(stderr, "%s [%s] ", prompt, preset ? "Y/n" : "y/N");
        }
        int r = read_answer(answer, sizeof answer, err);
        if (r < 0 && r != -ENODATA && r != -EMSGSIZE) return r;
        struct span word = r == 0 ? span_trim(span_str(answer)) : SPAN_NONE;
        bool yes = span_ieq(word, SPAN("y")) || span_ieq(word, SPAN("yes"));
        bool no = span_ieq(word, SPAN("n")) || span_ieq(word, SPAN("no"));
        if (r != -EMSGSIZE && (yes || no || word.n == 0)) {
            *ret = yes || (!no && preset);
            return 0;
        }
        if (!ask_has_person()) return err_set(err, -EINVAL, "the answer is neither yes nor no");
        show(SPAN("Please answer y or n.\n"));
    }
}

/* ---- passwords ------------------------------------------------------------------------------------------------------ */

struct typing {
    const char *prompt;
    char *text;
    int to; /* the pipe to the process that asked */
};

static void show_prompt(const struct typing *t, size_t stars) {
    show(span_str(t->prompt));
    show(SPAN(": "));
    while (stars--)
        show(SPAN("*"));
}

static size_t characters(struct span s) {
    size_t count = 0;
    for (size_t i = 0; i < s.n; i++)
        count += ((unsigned char)s.p[i] & 0xc0) != 0x80;
    return count;
}

/* The exit status, or -1 to go on. */
static int take_signals(struct tty *tty, const struct typing *t, const struct masked *m) {
    for (int number; (number = tty_signal(tty)) != 0;) {
        if (number == SIGCONT) {
            tty_make_raw();
            show(SPAN("\r"));
            show_prompt(t, characters(span_of(m->text, m->n)));
        } else if (number != SIGWINCH) {
            return SIGNAL_STATUS + number;
        }
    }
    return -1;
}

/* One at a time: what was typed ahead is for the next question. */
static int take_key(const struct typing *t, struct masked *m) {
    char key;
    AUTO(buf) struct buf echo = BUF_INIT(ECHO_BYTES);
    ssize_t n = read(STDIN_FILENO, &key, 1);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return -1;
    enum masked_state state = n > 0 ? masked_feed(m, key, &echo) : MASKED_CANCELED;
    show(buf_span(&echo));
    if (state == MASKED_MORE) return -1;
    if (state == MASKED_CANCELED) return CANCELED_STATUS;
    return write(t->to, m->text, m->n) == (ssize_t)m->n ? 0 : 1;
}

/* In the child, in raw mode. */
static int type(struct tty *tty, void *user) {
    const struct typing *t = user;
    struct masked m = {.text = t->text, .room = ASK_PASSWORD_BYTES - 1};
    show_prompt(t, 0);
    int status = -1;
    while (status < 0) {
        struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                               {.fd = tty->signals, .events = POLLIN},
                               {.fd = tty->guard, .events = POLLIN}};
        if (poll(fds, ARRAY_LEN(fds), -1) < 0 && errno != EINTR) return 1;
        status = take_signals(tty, t, &m);
        if (status < 0 && fds[2].revents) status = 1;
        if (status < 0 && fds[0].revents) status = take_key(t, &m);
    }
    show(SPAN("\r\n"));
    return status;
}

static int ask_person(const char *prompt, char ret[ASK_PASSWORD_BYTES], struct err *err) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return err_sys(err, -errno, "cannot make a pipe");
    AUTO(fd) int from = ends[0];
    AUTO(fd) int to = ends[1];
    struct typing t = {.prompt = prompt, .text = ret, .to = to};
    int status = tty_run_raw(type, &t, "", err);
    if (status < 0) return status;
    if (status > 0) return err_set(err, -ECANCELED, "given up");
    ssize_t n = read(from, ret, ASK_PASSWORD_BYTES - 1);
    ret[MAX(n, 0)] = '\0';
    return 0;
}

int ask_password(const char *prompt, char ret[ASK_PASSWORD_BYTES], struct err *err) {
    return ask_has_person() ? ask_person(prompt, ret, err) : read_line(ret, ASK_PASSWORD_BYTES, err);
}

static const char *check_new(const char *password) {
    static const char too_short[] = "a password has at least 4 characters";
    _Static_assert(PASSWORD_MIN == 4, "as the sentence says");
    return characters(span_str(password)) < PASSWORD_MIN ? too_short : NULL;
}

/* 0: that is it. -EAGAIN: it is not, and they were told why. */
static int try_new(char ret[ASK_PASSWORD_BYTES], struct err *err) {
    char again[ASK_PASSWORD_BYTES];
    int r = ask_password("New password", ret, err);
    if (r < 0) return r;
    const char *wrong = check_new(ret);
    if (wrong) {
        screen_print_to(stderr, "No: %s.\n", wrong);
        return err_set(err, -EAGAIN, "%s", wrong);
    }
    r = ask_password("The same again", again, err);
    bool same = r == 0 && strcmp(ret, again) == 0;
    explicit_bzero(again, sizeof again);
    if (r < 0 || same) return r;
    show(SPAN("No: these are two different ones.\n"));
    return err_set(err, -EAGAIN, "the two passwords are not the same");
}

int ask_new_password(char ret[ASK_PASSWORD_BYTES], struct err *err) {
    if (!ask_has_person()) {
        int r = ask_password("", ret, err);
        const char *wrong = r == 0 ? check_new(ret) : NULL;
        return wrong ? err_set(err, -EINVAL, "%s", wrong) : r;
    }
    int r = -EAGAIN;
    for (int i = 0; i < TRIES && r == -EAGAIN; i++)
        r = try_new(ret, err);
    return r;
}
