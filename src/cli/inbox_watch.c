#include "cli/inbox_watch.h"

#include "base/cleanup.h"
#include "cli/ask.h"
#include "cli/attach.h"
#include "cli/client.h"
#include "cli/inbox_edit.h"
#include "cli/inbox_follow.h"
#include "cli/inbox_pick.h"
#include "cli/inbox_view.h"
#include "cli/roster.h"
#include "cli/screen.h"
#include "cli/text_diff.h"
#include "cli/tty.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { KEYS_BYTES = 4096, TICK_MS = 1000, FRAME_BYTES_MAX = 64 << 20, STATE_BYTES = 16, SIGNAL_STATUS = 128 };

#define ENTER "\x1b[?1049h\x1b[H\x1b[2J"
#define LEAVE "\x1b[0m\x1b[?25h\x1b[?1049l"

/* What the process at the terminal leaves for its parent to do, and hears when it comes back. Both see this memory. */
struct handover {
    enum inbox_action action; /* INBOX_QUIT, INBOX_OPEN or INBOX_EDIT */
    struct inbox_mark at;     /* the request that was on the screen */
    char note[INBOX_NOTE_BYTES];
};

struct watch {
    const struct cmd *command;
    struct handover *handover;
    struct tty *tty;
    struct inbox_view view;
    struct inbox_follow *follow; /* NULL: no daemon */
    int status;                  /* when it is over; -1: it goes on */
};

static usec_t now(void) {
    return clock_mono(&clock_system);
}

/* The connection */

static void on_opened(void *user) {
    struct watch *w = user;
    inbox_view_connected(&w->view, true);
}

static void on_message(void *user, struct span json) {
    struct watch *w = user;
    inbox_view_hear(&w->view, json);
}

static const struct inbox_follow_events follow_events = {.opened = on_opened, .message = on_message};

static void connect_again(struct watch *w) {
    struct daemon_info daemon;
    struct err err = {0};
    if (w->follow || client_find(&daemon, &err) < 0) return;
    (void)inbox_follow_open(&daemon, &follow_events, w, &w->follow, &err);
}

static void on_follow(struct watch *w, short events) {
    struct err err = {0};
    if (inbox_follow_ready(w->follow, events, &err) == 0) return;
    inbox_follow_close(TAKE(w->follow));
    inbox_view_connected(&w->view, false);
}

static void send_answer(struct watch *w, const struct inbox_wish *wish) {
    AUTO(buf) struct buf json = BUF_INIT(INBOX_ANSWER_BYTES_MAX);
    struct jwrite out = JWRITE_INIT(&json);
    const struct inbox_request *r = inbox_view_request(&w->view);
    if (!r) return;
    jwrite_object(&out);
    jwrite_kcstr(&out, "type", "answer");
    jwrite_kstr(&out, "id", r->id);
    jwrite_kstr(&out, "ref", r->id);
    inbox_answer_write(&out, r, wish);
    jwrite_object_end(&out);
    if (json.failed || !w->follow || inbox_follow_send(w->follow, buf_span(&json)) < 0) {
        w->view.answering[0] = '\0';
        inbox_view_note(&w->view, "The answer could not be sent: nothing was answered.");
    }
}

/* Keys */

/* Has its session a terminal of ours? Then the parent shows it. */
static void leave_to_open(struct watch *w) {
    AUTO(roster) struct roster roster = {0};
    struct err err = {0};
    const struct inbox_request *r = inbox_view_request(&w->view);
    if (!r) return;
    if (roster_load(&roster, &err) < 0)
        inbox_view_note(&w->view, "%s", err.msg);
    else if (!roster_of_card(&roster, r->session))
        inbox_view_note(&w->view, "It runs in a terminal that is not ostler's: look for it there.");
    else {
        w->handover->action = INBOX_OPEN;
        w->status = CMD_OK;
    }
}

static void on_action(struct watch *w, enum inbox_action action, const struct inbox_wish *wish) {
    switch (action) {
    case INBOX_NOTHING: break;
    case INBOX_QUIT: w->status = CMD_OK; break;
    case INBOX_ANSWER: send_answer(w, wish); break;
    case INBOX_OPEN: leave_to_open(w); break;
    case INBOX_EDIT:
        w->handover->action = INBOX_EDIT;
        w->status = CMD_OK;
        break;
    }
}

static void on_keys(struct watch *w) {
    char bytes[KEYS_BYTES];
    ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n <= 0) {
        w->status = SIGNAL_STATUS + SIGHUP;
        return;
    }
    struct span rest = span_of(bytes, (size_t)n);
    struct keypress key;
    for (bool first = true; w->status < 0 && keypress_next(&rest, &key); first = false) {
        struct inbox_wish wish;
        enum inbox_action action = inbox_view_key(&w->view, &key, first && rest.n == 0, now(), &wish);
        on_action(w, action, &wish);
    }
}

/* The terminal */

static void on_signals(struct watch *w) {
    for (int number; (number = tty_signal(w->tty)) != 0;) {
        if (number == SIGCONT) { /* a shell had the terminal meanwhile */
            size_t written;
            tty_make_raw();
            (void)tty_write(ENTER, sizeof ENTER - 1, &written);
            inbox_view_hidden(&w->view);
        } else if (number != SIGWINCH) {
            w->status = SIGNAL_STATUS + number;
        }
        tty_size(&w->view.cols, &w->view.rows);
    }
}

static void show(struct watch *w) {
    AUTO(buf) struct buf frame = BUF_INIT(FRAME_BYTES_MAX);
    struct span rest;
    inbox_view_draw(&w->view, now(), usec_to_msec(clock_wall(&clock_system)), &frame);
    for (rest = buf_span(&frame); rest.n && w->status < 0;) {
        size_t written = 0;
        int r = tty_write(rest.p, rest.n, &written);
        rest = span_skip(rest, written);
        if (r == -EINTR)
            on_signals(w);
        else if (r < 0)
            w->status = SIGNAL_STATUS + SIGHUP;
    }
    inbox_view_shown(&w->view, now());
}

static void turn(struct watch *w) {
    connect_again(w);
    show(w);
    struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                           {.fd = w->tty->signals, .events = POLLIN},
                           {.fd = w->tty->guard, .events = POLLIN},
                           {.fd = w->follow ? inbox_follow_fd(w->follow) : -1,
                            .events = w->follow ? inbox_follow_wants(w->follow) : (short)0}};
    usec_t soon = inbox_view_wait(&w->view, now());
    int timeout = soon ? (int)usec_to_msec(soon) + 1 : TICK_MS; /* ages are told in seconds */
    if (w->status >= 0 || poll(fds, ARRAY_LEN(fds), timeout) < 0) return;
    if (fds[1].revents) on_signals(w);
    if (fds[2].revents) w->status = SIGNAL_STATUS + SIGHUP; /* nobody is left to put the terminal in order */
    if (fds[0].revents && w->status < 0) on_keys(w);
    if (fds[3].revents && w->follow) on_follow(w, fds[3].revents);
}

/* In the child, in raw mode. */
static int body(struct tty *tty, void *user) {
    struct watch *w = user;
    size_t written;
    unsigned cols, rows;
    w->tty = tty;
    w->status = -1;
    tty_size(&cols, &rows);
    inbox_view_init(&w->view, cols, rows, screen_has_colour());
    w->view.at = w->handover->at;
    if (w->handover->note[0]) inbox_view_note(&w->view, "%s", w->handover->note);
    w->handover->note[0] = '\0';
    w->handover->action = INBOX_QUIT;
    (void)tty_write(ENTER, sizeof ENTER - 1, &written);
    while (w->status < 0)
        turn(w);
    w->handover->at = w->view.at;
    (void)tty_write(LEAVE, sizeof LEAVE - 1, &written);
    inbox_follow_close(TAKE(w->follow));
    inbox_view_fini(&w->view);
    return w->status;
}

/* What the parent does */

static void say(struct handover *h, const char *text) {
    (void)snprintf(h->note, sizeof h->note, "%s", text);
}

static void open_terminal(struct watch *w) {
    AUTO(roster) struct roster roster = {0};
    AUTO(inbox_list) struct inbox_list list = INBOX_LIST_INIT;
    struct err err = {0};
    int failed = roster_load(&roster, &err);
    if (failed == 0 && roster.has_daemon) failed = inbox_load(&roster.daemon, &list, &err);
    const struct inbox_request *r = failed < 0 ? NULL : inbox_list_find(&list, span_str(w->handover->at.id));
    const struct roster_entry *e = r ? roster_of_card(&roster, r->session) : NULL;
    if (e)
        (void)attach_terminal(w->command, &roster, e, CHORD_PREFIX);
    else
        say(w->handover, failed < 0 ? err.msg : "Its terminal is gone.");
}

static int send_edited(const struct daemon_info *daemon, const struct inbox_request *r, struct span input,
                       struct err *err) {
    char state[STATE_BYTES];
    int status;
    bool yes = false;
    const struct inbox_wish wish = {.decision = "allow", .input = input};
    AUTO(buf) struct buf before = BUF_INIT(FRAME_BYTES_MAX), after = BUF_INIT(FRAME_BYTES_MAX);
    inbox_edit_spread(r->input, &before);
    inbox_edit_spread(input, &after);
    text_diff_print(buf_span(&before), buf_span(&after));
    int failed = ask_yes_no("Allow it with this change?", false, &yes, err);
    if (failed == 0 && !yes) failed = err_set(err, -ECANCELED, "Nothing was answered.");
    return failed < 0 ? failed : inbox_post(daemon, r, &wish, state, &status, err);
}

static void edit(struct watch *w) {
    AUTO(inbox_list) struct inbox_list list = INBOX_LIST_INIT;
    AUTO(buf) struct buf input = BUF_INIT(INBOX_ANSWER_BYTES_MAX);
    struct daemon_info daemon;
    struct err err = {0};
    int failed = client_find(&daemon, &err);
    if (failed == 0) failed = inbox_load(&daemon, &list, &err);
    const struct inbox_request *r = failed < 0 ? NULL : inbox_list_find(&list, span_str(w->handover->at.id));
    if (failed < 0) {
        say(w->handover, err.msg);
        return;
    }
    if (!r || !inbox_request_is_open(r) || !span_eq_str(r->digest, w->handover->at.digest)) {
        say(w->handover, "It has changed, or has ended: look at it again.");
        return;
    }
    failed = inbox_edit(r, &input, &err);
    if (failed == 0) failed = send_edited(&daemon, r, span_trim(buf_span(&input)), &err);
    say(w->handover, failed < 0 ? err.msg : "It is allowed, as you changed it.");
}

int inbox_watch(const struct cmd *c) {
    struct handover *h = mmap(NULL, sizeof *h, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (h == MAP_FAILED) return cmd_fail(c, CMD_FAILED, "there is no memory left");
    int status;
    do {
        static struct watch w;
        struct err err = {0};
        w = (struct watch){.command = c, .handover = h};
        h->action = INBOX_QUIT;
        status = tty_run_raw(body, &w, LEAVE, &err);
        if (status < 0) status = cmd_fail(c, CMD_FAILED, "%s", err.msg);
        if (status == CMD_OK && h->action == INBOX_OPEN) open_terminal(&w);
        if (status == CMD_OK && h->action == INBOX_EDIT) edit(&w);
    } while (status == CMD_OK && h->action != INBOX_QUIT);
    (void)munmap(h, sizeof *h);
    return status;
}
