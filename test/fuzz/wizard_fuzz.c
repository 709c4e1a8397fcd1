/* Any lines as answers: the wizard never takes one that makes no sense, what it proposes is always an answer, and every line that it writes
 * fits the terminal. The first byte is the terminal's width and what is set now. */
#include "base/cleanup.h"
#include "cli/wizard.h"
#include "cli/wrap.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition) abort();
}

static bool port_trouble(void *user UNUSED, uint16_t port, char ret[WIZARD_WHO_BYTES]) {
    (void)snprintf(ret, WIZARD_WHO_BYTES, "is taken by node (pid 42) at the moment");
    return port % 2;
}

static void check_answers(const struct wizard *w) {
    const struct wizard_answers *a = &w->answers;
    require(a->port > 0 && a->clis < 1U << CLI_N_ && a->density < DENSITY_N_ && a->history_hours <= 87600);
    require(a->password <= PASSWORD_REMOVE && (w->has_password || a->password != PASSWORD_REMOVE));
    size_t n = strlen(a->new_password);
    require(n <= PASSWORD_MAX && (a->password != PASSWORD_SET || n >= PASSWORD_MIN));
}

static void check_text(const struct wizard *w, struct buf *text) {
    for (struct span rest = buf_span(text); rest.n;)
        require(wrap_count(span_split(&rest, '\n')) <= w->width);
    buf_clear(text);
}

/* Enter, as often as it takes, leads to the end: everything that is proposed is taken. */
static void check_enter(struct wizard *w, struct buf *text) {
    if (w->step == WIZARD_NEW_PASSWORD || w->step == WIZARD_SAME_AGAIN) w->step = WIZARD_PASSWORD;
    if (w->answers.password == PASSWORD_SET) w->answers.password = PASSWORD_KEEP; /* would be typed again */
    for (int i = 0; i < 20 && w->step < WIZARD_DONE; i++) {
        wizard_ask(w, text);
        require(w->preset[0] && !w->is_secret);
        wizard_take(w, SPAN_NONE, text);
    }
    require(w->step == WIZARD_DONE || w->step == WIZARD_LEFT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    const struct wizard_facts facts = {.file = "x",
                                       .labels = {"a", "b", "c", "d", "e"},
                                       .events = {14, 12, 5},
                                       .installed = {data[0] & 1},
                                       .port_trouble = port_trouble};
    char hash[] = "x";
    struct config now = {.exists = data[0] & 2,
                         .port = 3333,
                         .clis = data[0] % (1U << CLI_N_),
                         .history_hours = data[0],
                         .password_hash = data[0] & 4 ? hash : NULL};
    struct wizard w;
    AUTO(buf) struct buf text = BUF_INIT(WIZARD_TEXT_MAX);
    wizard_init(&w, &facts, &now, 40 + (data[0] >> 3), false);
    for (struct span rest = span_of((const char *)data + 1, size - 1); rest.n && w.step < WIZARD_DONE;) {
        wizard_ask(&w, &text);
        wizard_take(&w, span_split(&rest, '\n'), &text);
        require(!text.failed);
        check_text(&w, &text);
        check_answers(&w);
    }
    check_enter(&w, &text);
    check_answers(&w);
    wizard_fini(&w);
    return 0;
}
