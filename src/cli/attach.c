#include "cli/attach.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/str.h"
#include "cli/client.h"
#include "cli/paint.h"
#include "cli/tap.h"
#include "cli/tty.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { KEYS_BYTES = 16 << 10, TYPED_MAX = 256 << 10 };

#define NOTE_US (3 * USEC_PER_SEC) /* so long after the beginning the chord is shown */
#define PATIENCE_US (5 * USEC_PER_SEC)
#define HELP_US (10 * USEC_PER_SEC)
#define NOTE_QUIET_US (100 * USEC_PER_MSEC) /* when the program has painted nothing for so long */

enum end { GOES_ON, DETACHED, EXITED, LOST, SIGNALLED };

struct attach {
    const struct cmd *command;
    struct tap_target target;
    const char *name;     /* what it is left as: "ostler attach NAME" */
    struct err no_daemon; /* its code is 0 when there is one */
    struct tty *tty;
    struct tap *tap;
    bool on_keeper;
    bool heard;       /* something came since the last change of taps */
    usec_t heard_by;  /* it must have by then */
    struct buf typed; /* what waits for a connection that takes it */
    struct tap_from at;
    struct paint paint;
    struct chord chord;
    unsigned cols, rows; /* the terminal's */
    char note[PAINT_NOTE_BYTES];
    usec_t note_at, note_until; /* USEC_NEVER: no note; until the question is answered */
    bool asking;
    enum end end;
    struct ending ending;
    int signal;     /* that ends us */
    unsigned stops; /* how many such came */
    bool orphan;
    struct err why;
};

static usec_t now(void) {
    return clock_mono(&clock_system);
}

static void leave(struct attach *a, enum end end) {
    if (a->end == GOES_ON) a->end = end;
}

/* Notes of our own: drawn in a quiet moment, taken away by whatever the program paints. */

static void set_note(struct attach *a, usec_t until, const char *text) {
    paint_clear_note(&a->paint);
    (void)snprintf(a->note, sizeof a->note, "%.*s", (int)sizeof a->note - 1, text);
    a->note_at = now();
    a->note_until = until;
}

static void end_note(struct attach *a) {
    a->note[0] = '\0';
    a->asking = false;
    paint_clear_note(&a->paint);
}

static void note_chord(struct attach *a) {
    struct chord_name key = chord_name(a->chord.prefix);
    char text[PAINT_NOTE_BYTES];
    (void)snprintf(text, sizeof text, "%s d detaches, %s ? helps", key.text, key.text);
    set_note(a, now() + NOTE_US, text);
}

static void note_help(struct attach *a) {
    struct chord_name key = chord_name(a->chord.prefix);
    char text[PAINT_NOTE_BYTES];
    (void)snprintf(text, sizeof text, "%s, then d: detach, k: kill, %s: send it, another key: both", key.text,
                   key.text);
    set_note(a, now() + HELP_US, text);
}

static void note_painted(struct attach *a) {
    if (a->note[0]) a->note_at = now() + NOTE_QUIET_US;
}

/* Returns how long poll() may wait, in milliseconds; -1 for ever. */
static int tend_note(struct attach *a) {
    if (!a->note[0]) return -1;
    usec_t t = now();
    if (t >= a->note_until) {
        end_note(a);
        return -1;
    }
    if (!a->paint.noted && t >= a->note_at) paint_note(&a->paint, a->note);
    usec_t next = a->paint.noted ? a->note_until : MIN(a->note_at, a->note_until);
    return next == USEC_NEVER ? -1 : (int)usec_to_msec(next - t) + 1;
}

/* What the tap tells */

static void on_screen(void *user, const struct tap_screen *s) {
    struct attach *a = user;
    bool first = !a->paint.begun;
    a->heard = true;
    a->at = (struct tap_from){.epoch = s->epoch, .offset = s->offset};
    a->cols = s->cols;
    a->rows = s->rows;
    paint_screen(&a->paint, s);
    if (first) note_chord(a);
}

static void on_output(void *user, uint64_t epoch, uint64_t offset, struct span bytes) {
    struct attach *a = user;
    a->heard = true;
    a->at = (struct tap_from){.epoch = epoch, .offset = offset + bytes.n};
    paint_output(&a->paint, bytes);
    note_painted(a);
}

static void on_resized(void *user, unsigned cols, unsigned rows) {
    struct attach *a = user;
    a->cols = cols;
    a->rows = rows;
}

static void on_gap(void *user) {
    paint_gap(&((struct attach *)user)->paint);
}

static void on_exited(void *user, struct ending e) {
    struct attach *a = user;
    a->ending = e;
    leave(a, EXITED);
}

static const struct tap_events tap_events = {
    .screen = on_screen, .output = on_output, .resized = on_resized, .gap = on_gap, .exited = on_exited};

/* The program asks its terminal something: our screen knows the answer, if nobody else gives it. */
static void on_reply(void *user, struct span bytes) {
    struct attach *a = user;
    if (a->tap) tap_answer(a->tap, a->at.offset, bytes);
}

static const struct vt_ops vt_ops = {.reply = on_reply};

/* Connections */

static int open_daemon(struct attach *a, const struct tap_from *from, struct err *err) {
    struct daemon_info daemon;
    int r = client_find(&daemon, err);
    if (r < 0) return r;
    r = tap_open_daemon(&daemon, &a->target, from, &tap_events, a, &a->tap, err);
    if (r == 0) a->on_keeper = false;
    a->heard_by = now() + PATIENCE_US;
    return r;
}

static int open_keeper(struct attach *a, const struct tap_from *from, struct err *err) {
    int r = tap_open_keeper(&a->target, from, &tap_events, a, &a->tap, err);
    if (r == 0) a->on_keeper = true;
    return r;
}

static int open_first(struct attach *a, struct err *err) {
    struct err no_daemon = a->no_daemon;
    int r = no_daemon.code ? -ENOENT : open_daemon(a, NULL, &no_daemon);
    if (r == 0) return 0;
    r = open_keeper(a, NULL, err);
    /* Its keeper is gone: only a daemon can say what became of it. */
    if (r == -ENOENT || r == -ECONNREFUSED)
        return err_set(err, r, "it does not run any more, and %s", no_daemon.msg);
    return r;
}

/* The daemon went: the keeper has the program, and goes on where we were. The keeper went: the daemon knows what became of it. */
static void change_taps(struct attach *a, const struct err *why) {
    struct err err = *why;
    int r = -EPIPE;
    bool was_on_keeper = a->on_keeper, worth_it = a->heard;
    tap_close(TAKE(a->tap));
    a->heard = false;
    if (worth_it || !was_on_keeper)
        r = was_on_keeper ? open_daemon(a, NULL, &err) : open_keeper(a, a->paint.begun ? &a->at : NULL, &err);
    if (r == 0) return;
    a->why = *why;
    leave(a, LOST);
}

static void on_tap(struct attach *a, short events) {
    struct err err = {0};
    int r = tap_ready(a->tap, events, &err);
    if (r == 0 || a->end != GOES_ON) return;
    if (r == -EPIPE) {
        change_taps(a, &err);
        return;
    }
    a->why = err;
    leave(a, LOST);
}

/* Keys */

static void answer_question(struct attach *a, char key) {
    end_note(a);
    if (key != 'y' && key != 'Y') return;
    struct err err = {0};
    if (tap_end(a->tap, &err) < 0) set_note(a, now() + HELP_US, err.msg);
}

static void on_chord(struct attach *a, enum chord_action action) {
    switch (action) {
    case CHORD_NONE: break;
    case CHORD_DETACH: leave(a, DETACHED); break;
    case CHORD_HELP: note_help(a); break;
    case CHORD_KILL:
        set_note(a, USEC_NEVER, "End this program? y or n");
        a->asking = true;
        break;
    }
}

/* The size follows who types. */
static void type(struct attach *a) {
    if (a->typed.n == 0 || !tap_takes(a->tap)) return;
    if (a->cols && (a->cols != a->paint.cols || a->rows != a->paint.rows))
        (void)tap_resize(a->tap, a->paint.cols, a->paint.rows);
    if (tap_input(a->tap, buf_span(&a->typed)) == 0) buf_clear(&a->typed);
}

static void on_keys(struct attach *a) {
    char bytes[KEYS_BYTES];
    ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (n <= 0) { /* the terminal is gone */
        a->signal = SIGHUP;
        leave(a, SIGNALLED);
        return;
    }
    struct span rest = span_of(bytes, (size_t)n);
    if (a->note[0] && !a->asking) end_note(a);
    while (rest.n && a->end == GOES_ON) {
        if (a->asking) {
            answer_question(a, rest.p[0]);
            rest = span_skip(rest, 1);
            continue;
        }
        on_chord(a, chord_feed(&a->chord, &rest, &a->typed));
    }
}

/* Signals */

static void fit(struct attach *a) {
    unsigned cols, rows;
    tty_size(&cols, &rows);
    if (cols != a->paint.cols || rows != a->paint.rows) paint_resize(&a->paint, cols, rows);
    note_painted(a);
    (void)tap_resize(a->tap, cols, rows);
}

static void on_signals(struct attach *a) {
    int number;
    while ((number = tty_signal(a->tty)) != 0) {
        if (number == SIGWINCH) {
            fit(a);
        } else if (number == SIGCONT) { /* a shell had the terminal meanwhile */
            tty_make_raw();
            fit(a);
            paint_again(&a->paint);
        } else {
            a->signal = number;
            a->stops++;
            leave(a, SIGNALLED);
        }
    }
}

/* What is painted goes out before anything else is read: a slow terminal slows us, and the daemon skips us ahead. */
static void show(struct attach *a) {
    struct buf *out = &a->paint.out;
    unsigned stops = a->stops;
    while (out->n) {
        size_t written = 0;
        int r = tty_write(out->p, out->n, &written);
        buf_consume(out, written);
        if (r == -EINTR) on_signals(a);
        if (r == 0 || (r == -EINTR && a->stops == stops)) continue;
        buf_clear(out); /* it is gone, or stuck and we are told to go */
        a->signal = a->signal ? a->signal : SIGHUP;
        leave(a, SIGNALLED);
    }
    if (a->tap) tap_shown(a->tap, a->at.offset);
}

/* Whoever was to put the terminal in order is gone, and a shell may have it already. */
static void on_orphaned(struct attach *a) {
    a->orphan = true;
    a->signal = SIGHUP;
    leave(a, SIGNALLED);
}

/* A daemon that hangs is as good as none. Returns how long it may take, like tend_note(). */
static int tend_tap(struct attach *a) {
    if (a->heard || a->on_keeper) return -1;
    usec_t left = a->heard_by - now();
    if (left > 0) return (int)usec_to_msec(left) + 1;
    struct err why;
    (void)err_set(&why, -ETIMEDOUT, "the daemon does not answer");
    change_taps(a, &why);
    return -1;
}

static void turn(struct attach *a) {
    int tap_wait = tend_tap(a), note_wait = tend_note(a);
    if (a->end != GOES_ON) return;
    int timeout = tap_wait < 0 ? note_wait : note_wait < 0 ? tap_wait : MIN(tap_wait, note_wait);
    type(a);
    show(a);
    struct pollfd fds[] = {{.fd = a->tap->fd, .events = tap_wants(a->tap)},
                           {.fd = a->tty->signals, .events = POLLIN},
                           {.fd = a->tty->guard, .events = POLLIN},
                           {.fd = a->typed.n < TYPED_MAX - KEYS_BYTES ? STDIN_FILENO : -1, .events = POLLIN}};
    if (poll(fds, ARRAY_LEN(fds), timeout) < 0) return;
    if (fds[1].revents) on_signals(a);
    if (fds[2].revents) on_orphaned(a);
    if (fds[3].revents && a->end == GOES_ON) on_keys(a);
    if (fds[0].revents && a->end == GOES_ON) on_tap(a, fds[0].revents);
}

/* What is said when the terminal is our shell's again. */
static int say_goodbye(struct attach *a) {
    struct buf *out = &a->paint.out;
    switch (a->end) {
    case DETACHED:
        (void)buf_printf(out, "[detached: ostler attach %s brings it back]\r\n", a->name);
        return 0;
    case EXITED:
        (void)buf_printf(out, "[%s]\r\n", ending_text(a->ending).text);
        return ending_status(a->ending);
    case LOST:
        if (a->paint.begun)
            (void)buf_printf(out, "[lost: %s]\r\n", a->why.msg);
        else
            (void)buf_printf(out, "ostler %s: %s\r\n", a->command->name, a->why.msg);
        return CMD_FAILED;
    case GOES_ON:
    case SIGNALLED: break;
    }
    return 128 + a->signal;
}

/* In the child: the connection is its own. */
static int body(struct tty *tty, void *user) {
    struct attach *a = user;
    a->tty = tty;
    if (open_first(a, &a->why) < 0) leave(a, LOST);
    while (a->end == GOES_ON)
        turn(a);
    tap_close(TAKE(a->tap));
    paint_leave(&a->paint, a->orphan);
    int status = say_goodbye(a);
    show(a);
    paint_fini(&a->paint);
    buf_fini(&a->typed);
    return status;
}

bool attach_chord(const struct cmd *c, const char *text, char *ret_prefix) {
    if (chord_parse(text, ret_prefix)) return true;
    (void)cmd_fail(c, CMD_USAGE, "--chord takes a key with Ctrl, like ^A or Ctrl-\\, not \"%s\"", text);
    return false;
}

int attach_terminal(const struct cmd *c, const struct roster *r, const struct roster_entry *e, char prefix) {
    char dir[PATH_BYTES];
    struct err err = {0};
    if (!tty_is_one())
        return cmd_fail(c, CMD_FAILED,
                        "standard input and output are no terminal; ostler logs -f %.*s shows it",
                        SPAN_ARG(roster_short(e->id)));
    if (roster_dir(r, e, dir) < 0) return cmd_fail(c, CMD_FAILED, "the terminal's id makes no sense");
    AUTO(free) char *id = str_dup(e->id);
    AUTO(free) char *session = str_dup(e->card.n ? e->card : e->id);
    AUTO(free) char *name = str_dup(roster_short(e->id));
    struct attach a = {.command = c,
                       .target = {.terminal = id, .session = session, .dir = dir},
                       .name = name,
                       .no_daemon = r->no_daemon,
                       .typed = BUF_INIT(TYPED_MAX),
                       .chord = {.prefix = prefix}};
    tty_size(&a.target.cols, &a.target.rows);
    paint_init(&a.paint, a.target.cols, a.target.rows, &vt_ops, &a);
    int status = tty_run_raw(body, &a, PAINT_UNDO, &err);
    return status < 0 ? cmd_fail(c, CMD_FAILED, "%s", err.msg) : status;
}
