#include "cli/inbox_pick.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "cli/client.h"
#include "cli/screen.h"
#include "cli/tty.h"

#include <unistd.h>

enum { LIST_BYTES_MAX = 64 << 20, STATE_BYTES = 16, CHOICES_MAX = 20 };

struct inbox_look inbox_look(void) {
    struct inbox_look look = {
        .width = SIZE_MAX, .colour = screen_has_colour(), .now_ms = usec_to_msec(clock_wall(&clock_system))};
    unsigned cols, rows;
    if (!isatty(STDOUT_FILENO)) return look;
    tty_size(&cols, &rows);
    look.width = cols;
    return look;
}

/* cli/cells has seen to what is in it. */
void inbox_print(const struct buf *text) {
    if (text->n) screen_literal(text->p);
}

/* Says which there are, for whoever has to choose. */
static void print_choices(const struct inbox_list *l) {
    AUTO(buf) struct buf out = BUF_INIT(LIST_BYTES_MAX);
    struct inbox_look look = inbox_look();
    for (size_t i = 0; i < MIN(l->open, (size_t)CHOICES_MAX); i++) {
        inbox_text_line(&out, l->v[i], &look);
        (void)buf_append_char(&out, '\n');
    }
    inbox_print(&out);
    if (l->open > CHOICES_MAX) screen_print("and %zu more: ostler inbox shows them\n", l->open - CHOICES_MAX);
}

static int pick_only(const struct cmd *c, struct inbox_pick *p) {
    const struct inbox_list *l = &p->list;
    if (l->open == 0) return cmd_fail(c, CMD_FAILED, "nothing is asked: the inbox is empty");
    if (l->open == 1) {
        p->v[p->n++] = l->v[0];
        return CMD_OK;
    }
    int status = cmd_fail(c, CMD_USAGE, "which one? %zu requests are open; name one by its id:", l->open);
    print_choices(l);
    return status;
}

static int pick_one(const struct cmd *c, const char *word, struct inbox_pick *p) {
    const struct inbox_request *r = inbox_list_find(&p->list, span_str(word));
    if (!r)
        return cmd_fail(c, CMD_FAILED,
                        "there is no request \"%s\", or it ended long ago: ostler inbox lists them", word);
    if (!inbox_request_is_open(r))
        return cmd_fail(c, CMD_FAILED, "%s: too late, it has ended (%s)", word, inbox_state_words(r));
    if (p->n && !span_eq(p->v[0]->same, r->same))
        return cmd_fail(c, CMD_USAGE, "%.*s and %s do not ask for the same: answer them one by one",
                        SPAN_ARG(p->v[0]->id), word);
    for (size_t i = 0; i < p->n; i++)
        if (p->v[i] == r) return CMD_OK; /* named twice */
    p->v[p->n++] = r;
    return CMD_OK;
}

int inbox_pick(const struct cmd *c, char *const *words, size_t count, struct inbox_pick *ret) {
    struct err err = {0};
    *ret = (struct inbox_pick){.list = INBOX_LIST_INIT, .named = count > 0};
    if (count > INBOX_PICK_MAX) return cmd_fail(c, CMD_USAGE, "no more than %d at once", INBOX_PICK_MAX);
    int r = client_find(&ret->daemon, &err);
    if (r == 0) r = inbox_load(&ret->daemon, &ret->list, &err);
    if (r < 0) return cmd_fail(c, CMD_FAILED, "%s", err.msg);
    if (!count) return pick_only(c, ret);
    int status = CMD_OK;
    for (size_t i = 0; status == CMD_OK && i < count; i++)
        status = pick_one(c, words[i], ret);
    return status;
}

void inbox_pick_fini(struct inbox_pick *p) {
    inbox_list_fini(&p->list);
}

static void print_outcome(struct span id, const char *state, const char *wrong, int status) {
    AUTO(buf) struct buf line = BUF_INIT(LIST_BYTES_MAX);
    struct jwrite w = JWRITE_INIT(&line);
    jwrite_object(&w);
    jwrite_kstr(&w, "id", id);
    if (state[0]) jwrite_kcstr(&w, "state", state);
    if (wrong) jwrite_kcstr(&w, "error", wrong);
    if (status) jwrite_ki64(&w, "status", status);
    jwrite_object_end(&w);
    screen_json(buf_span(&line));
}

int inbox_answer_all(const struct cmd *c, const struct inbox_pick *p, const struct inbox_wish *wish,
                     bool json) {
    int result = CMD_OK;
    for (size_t i = 0; i < p->n; i++) {
        const struct inbox_request *r = p->v[i];
        struct err err = {0};
        char state[STATE_BYTES];
        int status, failed = inbox_post(&p->daemon, r, wish, state, &status, &err);
        if (json)
            print_outcome(r->id, state, failed < 0 ? err.msg : NULL, status);
        else if (failed < 0)
            (void)cmd_fail(c, CMD_FAILED, "%.*s: %s", SPAN_ARG(r->id), err.msg);
        else
            screen_print("%.*s is %s.\n", SPAN_ARG(r->id), state);
        if (failed < 0) result = CMD_FAILED;
    }
    return result;
}
