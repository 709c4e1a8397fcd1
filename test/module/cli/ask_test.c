/* Questions to a person at a real terminal, and to a pipe. */
#include "cli/ask.h"

#include "base/cleanup.h"
#include "test.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

struct person {
    int screen; /* the terminal's other side */
    pid_t pid;
    char seen[4096];
    size_t n;
};

/* Runs `body` at a terminal; its answer is the exit status. */
static struct person sit_down(int (*body)(void)) {
    struct person p = {0};
    p.pid = forkpty(&p.screen, NULL, NULL, NULL);
    CHECK(p.pid >= 0);
    if (p.pid == 0) _exit(body());
    return p;
}

static void sees(struct person *p, const char *text) {
    while (!strstr(p->seen, text)) {
        ssize_t n = read(p->screen, p->seen + p->n, sizeof p->seen - 1 - p->n);
        if (n <= 0) fail_msg("\"%s\" is not in \"%s\"", text, p->seen);
        p->n += (size_t)n;
    }
    memset(p->seen, 0, p->n);
    p->n = 0;
}

static void types(struct person *p, const char *keys) {
    CHECK_INT(write(p->screen, keys, strlen(keys)), strlen(keys));
}

/* The rest of what is shown; the status. */
static int leaves(struct person *p) {
    ssize_t n;
    while ((n = read(p->screen, p->seen + p->n, sizeof p->seen - 1 - p->n)) > 0)
        p->n += (size_t)n;
    int status;
    CHECK_INT(waitpid(p->pid, &status, 0), p->pid);
    (void)close(p->screen);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool is_line_mode(struct person *p) {
    struct termios modes;
    return tcgetattr(p->screen, &modes) == 0 && (modes.c_lflag & (ICANON | ECHO)) == (ICANON | ECHO);
}

/* What the terminal is like is only for as long as somebody has it open: the process waits for a last line. */
static int wait_for_enter(int status) {
    (void)!write(STDOUT_FILENO, "bye", 3);
    char c;
    (void)!read(STDIN_FILENO, &c, 1);
    return status;
}

static int set_password(void) {
    char password[ASK_PASSWORD_BYTES];
    int r = ask_new_password(password, NULL);
    bool right = r == 0 && strcmp(password, "héllo") == 0;
    return wait_for_enter(right ? 0 : r == -ECANCELED ? 130 : 1);
}

TEST(a_new_password_is_asked_for_twice) {
    struct person p = sit_down(set_password);
    sees(&p, "New password: ");
    CHECK(!is_line_mode(&p));
    types(&p, "abc\r");
    sees(&p, "***\r\nNo: a password has at least 4 characters.\r\nNew password: ");
    types(&p, "héllo\r");
    sees(&p, "*****\r\nThe same again: ");
    types(&p, "hello\r");
    sees(&p, "*****\r\nNo: these are two different ones.\r\nNew password: ");
    types(&p, "hex\x7fllo\x15héllo\r");
    sees(&p, "The same again: ");
    types(&p, "héllo\r");
    sees(&p, "*****\r\nbye");
    CHECK(is_line_mode(&p));
    types(&p, "\r");
    CHECK_INT(leaves(&p), 0);
}

TEST(what_is_typed_ahead_is_for_the_next_question) {
    struct person p = sit_down(set_password);
    sees(&p, "New password: ");
    types(&p, "héllo\rhéllo\r");
    sees(&p, "The same again: *****\r\nbye");
    types(&p, "\r");
    CHECK_INT(leaves(&p), 0);
}

TEST(giving_up_gives_the_terminal_back) {
    struct person p = sit_down(set_password);
    sees(&p, "New password: ");
    types(&p, "secret\x03");
    sees(&p, "******\r\nbye");
    CHECK(is_line_mode(&p));
    types(&p, "\r");
    CHECK_INT(leaves(&p), 130);
}

TEST(being_ended_gives_the_terminal_back) {
    struct person p = sit_down(set_password);
    sees(&p, "New password: ");
    CHECK_INT(kill(p.pid, SIGTERM), 0);
    sees(&p, "bye");
    CHECK(is_line_mode(&p));
    types(&p, "\r");
    CHECK_INT(leaves(&p), 130);
}

static int ask_some(void) {
    char port[8];
    bool first, second;
    if (ask_line("Port", "3333", port, sizeof port, NULL) < 0 || strcmp(port, "3333") != 0) return 1;
    if (ask_line("Port", "3333", port, sizeof port, NULL) < 0 || strcmp(port, "80") != 0) return 2;
    if (ask_yes_no("Really?", true, &first, NULL) < 0 || !first) return 3;
    if (ask_yes_no("Really?", true, &second, NULL) < 0 || second) return 4;
    return ask_line("Name", NULL, port, sizeof port, NULL) == -ECANCELED ? 0 : 5;
}

TEST(lines_and_yes_or_no) {
    struct person p = sit_down(ask_some);
    sees(&p, "Port [3333]: ");
    types(&p, "\r");
    sees(&p, "Port [3333]: ");
    types(&p, "80\r");
    sees(&p, "Really? [Y/n] ");
    types(&p, "\r");
    sees(&p, "Really? [Y/n] ");
    types(&p, "what is this question\r");
    sees(&p, "Please answer y or n.\r\nReally? [Y/n] ");
    types(&p, "NO\r");
    sees(&p, "Name: ");
    types(&p, "\x04");
    CHECK_INT(leaves(&p), 0);
}

/* Standard input is a pipe with this in it. */
static void pipe_in(const char *text) {
    int ends[2];
    CHECK_INT(pipe(ends), 0);
    CHECK_INT(write(ends[1], text, strlen(text)), strlen(text));
    CHECK_INT(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

TEST(a_pipe_answers_line_by_line) {
    char text[ASK_PASSWORD_BYTES], small[4];
    bool yes;
    struct err err = {0};
    pipe_in("geheim\r\n\nno\nperhaps\n12345\nabc\nlast");
    CHECK(!ask_has_person());
    CHECK_INT(ask_new_password(text, &err), 0);
    CHECK_STR(text, "geheim");
    CHECK_INT(ask_line("Port", "3333", text, sizeof text, &err), 0);
    CHECK_STR(text, "3333");
    CHECK_INT(ask_yes_no("Really?", true, &yes, &err), 0);
    CHECK(!yes);
    CHECK_INT(ask_yes_no("Really?", true, &yes, &err), -EINVAL);
    CHECK_INT(ask_line("Port", NULL, small, sizeof small, &err), -EMSGSIZE);
    CHECK_INT(ask_new_password(text, &err), -EINVAL);
    CHECK_STR(err.msg, "a password has at least 4 characters");
    CHECK_INT(ask_password("Password", text, &err), 0);
    CHECK_STR(text, "last");
    CHECK_INT(ask_password("Password", text, &err), -ENODATA);
    CHECK_INT(ask_yes_no("Really?", true, &yes, &err), 0);
    CHECK(yes);
    CHECK_INT(ask_line("Port", "3333", text, sizeof text, &err), 0);
    CHECK_STR(text, "3333");
    CHECK_INT(ask_line("Name", NULL, text, sizeof text, &err), -ENODATA);
}

TESTS(RUN(a_new_password_is_asked_for_twice), RUN(what_is_typed_ahead_is_for_the_next_question),
      RUN(giving_up_gives_the_terminal_back), RUN(being_ended_gives_the_terminal_back),
      RUN(lines_and_yes_or_no), RUN(a_pipe_answers_line_by_line))
