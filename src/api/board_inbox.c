#include "api/board_inbox.h"

#include "api/board_int.h"
#include "base/jscan.h"
#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>

/* An answer that a client gave, and waits for the outcome of. */
struct waiting_answer {
    struct list link;
    struct client *client;
    char *id, *ref; /* `ref` is raw JSON */
};

static void waiting_free(struct waiting_answer *a) {
    list_remove(&a->link);
    free(a->id);
    free(a->ref);
    free(a);
}

void client_inbox_init(struct client_inbox *inbox) {
    list_init(&inbox->waiting);
}

void client_inbox_fini(struct client *c) {
    const struct board *b = c->board;
    list_for_each_safe(pos, &c->inbox.waiting) {
        struct waiting_answer *a = list_entry(pos, struct waiting_answer, link);
        b->ops->inbox->forget(b->user, a);
        waiting_free(a);
    }
    free(c->inbox.by);
}

void client_set_name(void *client, const char *by, bool only_looks) {
    struct client *c = client;
    (void)str_set(&c->inbox.by, span_str(by));
    c->inbox.only_looks = only_looks;
}

void client_inbox_want(struct client *c, bool on) {
    if (!c->board->ops->inbox) return;
    c->inbox.on = c->inbox.needs_all = on;
    ws_want_write(c->ws);
}

bool client_inbox_next(struct client *c) {
    if (!c->inbox.needs_all) return false;
    c->inbox.needs_all = false;
    struct jwrite w = JWRITE_INIT(&c->board->scratch);
    jwrite_object(&w);
    jwrite_kcstr(&w, "type", "inbox");
    c->board->ops->inbox->write_all(c->board->user, &w);
    jwrite_object_end(&w);
    return true;
}

bool board_has_inbox(const struct board *b) {
    list_for_each(pos, &b->clients)
        if (list_entry(pos, struct client, in_board)->inbox.on) return true;
    return false;
}

void board_publish_inbox(struct board *b, struct span json) {
    struct ws_frame *f = ws_frame_text(json);
    list_for_each(pos, &b->clients) {
        struct client *c = list_entry(pos, struct client, in_board);
        if (c->inbox.on && !c->inbox.needs_all) client_push(c, f);
    }
    ws_frame_unref(f);
}

/* {"type":"answered","id":…,"ref":…,"ok":…} and what the answer's body says besides. */
static void on_outcome(void *user, int status, struct span json) {
    struct waiting_answer *a = user;
    struct client *c = a->client;
    struct jwrite w = JWRITE_INIT(&c->board->scratch);
    struct jmember m[] = {JMEMBER("error"), JMEMBER("state")};
    (void)jscan_object(json, m, ARRAY_LEN(m));
    jwrite_object(&w);
    jwrite_kcstr(&w, "type", "answered");
    jwrite_kcstr(&w, "id", a->id);
    if (a->ref) {
        jwrite_key(&w, "ref");
        jwrite_raw(&w, span_str(a->ref));
    }
    jwrite_kbool(&w, "ok", status == 200);
    jwrite_ki64(&w, "status", status);
    for (size_t i = 0; i < ARRAY_LEN(m); i++) {
        if (!m[i].value.n) continue;
        jwrite_key_span(&w, m[i].name);
        jwrite_raw(&w, m[i].value);
    }
    jwrite_object_end(&w);
    client_push_scratch(c);
    waiting_free(a);
}

void client_inbox_answer(struct client *c, const struct board_request *req, struct span message) {
    const struct board *b = c->board;
    if (!b->ops->inbox) return;
    struct jmember ref = JMEMBER("ref");
    (void)jscan_object(message, &ref, 1);
    struct waiting_answer *a = xcalloc(1, sizeof *a);
    a->client = c;
    a->id = str_dup(req->id);
    if (ref.value.n && ref.value.n <= BOARD_NAME_MAX) a->ref = str_dup(ref.value);
    list_append(&c->inbox.waiting, &a->link);
    if (c->inbox.only_looks)
        on_outcome(a, 403, SPAN("{\"error\":\"this login may only look\",\"state\":\"open\"}"));
    else
        b->ops->inbox->answer(b->user, req->id, message, c->inbox.by ? c->inbox.by : "a board", on_outcome,
                              a);
}
