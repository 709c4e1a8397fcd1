/* ostler pair: a picture for a phone's camera, by which it is let in. */
#include "base/cleanup.h"
#include "base/jscan.h"
#include "base/jwrite.h"
#include "base/qr.h"
#include "cli/client.h"
#include "cli/cmd.h"
#include "cli/screen.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>

enum { ANSWER_BYTES_MAX = 1 << 20, MARGIN = 2, MINUTE = 60 };

struct pairing {
    struct buf body;
    struct arena arena;
    struct span url;
    int64_t expires_s;
    bool secure;
    int size; /* 0: there is no picture */
    struct span rows[QR_SIZE_MAX];
};

static void pairing_fini(struct pairing *p) {
    buf_fini(&p->body);
    arena_fini(&p->arena);
}

static void read_picture(struct pairing *p, struct span json) {
    struct span rest = json, row;
    int n = 0;
    while (n < QR_SIZE_MAX && jscan_kind(json) == JKIND_ARRAY && jscan_array_next(&rest, &row) == 1 &&
           jscan_string(row, &p->arena, &p->rows[n]) == 0)
        n++;
    for (int i = 0; i < n; i++)
        if (p->rows[i].n != (size_t)n) return;
    p->size = n;
}

static int ask(struct pairing *p, struct span json, struct err *err) {
    struct daemon_info daemon;
    *p = (struct pairing){.body = BUF_INIT(ANSWER_BYTES_MAX), .arena = ARENA_INIT(ANSWER_BYTES_MAX)};
    int r = client_find(&daemon, err);
    if (r == 0) r = client_call(&daemon, "POST", "/api/auth/pair", json, &p->body, NULL, err);
    if (r < 0) return r;
    struct jmember m[] = {JMEMBER("url"), JMEMBER("expiresIn"), JMEMBER("secure"), JMEMBER("qr")};
    if (jscan_object(span_trim(buf_span(&p->body)), m, ARRAY_LEN(m)) < 3 ||
        jscan_string(m[0].value, &p->arena, &p->url) < 0 || !jscan_i64(m[1].value, &p->expires_s) ||
        !jscan_bool(m[2].value, &p->secure))
        return err_set(err, -EPROTO, "the daemon's answer is not understood: is it another version?");
    read_picture(p, m[3].value);
    return 0;
}

static bool is_dark(const struct pairing *p, int row, int col) {
    return row >= 0 && col >= 0 && row < p->size && col < p->size && p->rows[row].p[col] == '1';
}

/* Two rows in one line of text. Black on white whatever the terminal's colours are; where there are none, what is light is drawn, as
 * most terminals are dark. */
static void draw(const struct pairing *p) {
    static const char *const halves[] = {" ", "▀", "▄", "█"};
    bool colour = screen_has_colour();
    for (int row = -MARGIN; row < p->size + MARGIN; row += 2) {
        if (colour) screen_literal("\033[38;5;16;48;5;231m");
        for (int col = -MARGIN; col < p->size + MARGIN; col++) {
            int which = is_dark(p, row, col) + 2 * is_dark(p, row + 1, col);
            screen_literal(halves[colour ? which : 3 - which]);
        }
        screen_literal(colour ? "\033[0m\n" : "\n");
    }
}

static void show(const struct pairing *p, bool look_only) {
    size_t width = (size_t)p->size + 2 * MARGIN;
    if (p->size && width <= screen_width()) draw(p);
    screen_print("Open this with the phone within %lld minutes, once%s:\n\n  ",
                 (long long)(p->expires_s / MINUTE), look_only ? "; it may only look" : "");
    screen_text(p->url);
    screen_print("\n\n");
    if (p->size && width > screen_width())
        screen_print("(The terminal is too narrow for the picture: it takes %zu columns.)\n", width);
    if (!p->secure)
        screen_print(
            "Without TLS the phone shows the board, but browsers take no notifications from it: see operations.md.\n");
    screen_print("ostler logins lists it, and takes it back.\n");
}

static int run(int argc, char **argv) {
    const char *name = NULL, *url = NULL;
    bool look_only = false, json = false;
    int option, status;
    while ((option = cmd_option(&cmd_pair, argc, argv, &status)) != -1) {
        if (option == 'n') name = optarg;
        if (option == 'u') url = optarg;
        look_only |= option == 'l';
        json |= option == 'j';
    }
    if (status >= 0) return status;
    if (optind < argc)
        return cmd_fail(&cmd_pair, CMD_USAGE, "it takes no words: a name is given with --name");
    AUTO(buf) struct buf body = BUF_INIT(4096);
    struct jwrite w = JWRITE_INIT(&body);
    jwrite_object(&w);
    if (name) jwrite_kcstr(&w, "name", name);
    if (url) jwrite_kcstr(&w, "url", url);
    jwrite_kbool(&w, "lookOnly", look_only);
    jwrite_object_end(&w);
    struct pairing p;
    struct err err = {0};
    status = CMD_OK;
    if (ask(&p, buf_span(&body), &err) < 0)
        status = cmd_fail(&cmd_pair, CMD_FAILED, "%s", err.msg);
    else if (json)
        screen_json(span_trim(buf_span(&p.body)));
    else
        show(&p, look_only);
    pairing_fini(&p);
    return status;
}

static const struct cmd_opt options[] = {
    {"name", 'n', .value = "NAME", .help = "what it is called in ostler logins"},
    {"look-only", 'l', .help = "it may look at everything and change nothing"},
    {"url", 'u', .value = "URL", .help = "the address at which the phone reaches the board"},
    {"json", 'j', .help = "for programs: what POST /api/auth/pair answers"},
    {0},
};

const struct cmd cmd_pair = {
    .name = "pair",
    .group = CMD_SETUP,
    .summary = "let a phone in, by a picture for its camera",
    .about =
        "Shows a QR code that a phone opens the board with, once and within five minutes. The phone stays logged in for as long as "
        "it is used every 90 days, without the password; ostler logins lists it under its name and revokes it.\n\n"
        "There must be a password, an address that the phone can reach, and a certificate that it trusts, or it gets no "
        "notifications: operations.md says how to come by one.",
    .options = options,
    .examples = "ostler pair --name phone\n"
                "ostler pair --look-only --name tablet\n"
                "ostler pair --url https://barn.tail1234.ts.net",
    .run = run,
};
