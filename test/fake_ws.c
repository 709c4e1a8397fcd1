#include "fake_ws.h"

#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>

struct ws_frame {
    unsigned refs;
    size_t n;
    char text[];
};

static struct ws_frame *encode(struct span head, struct span rest) {
    struct ws_frame *f = xmalloc(sizeof *f + head.n + rest.n + 1);
    *f = (struct ws_frame){.refs = 1, .n = head.n + rest.n};
    if (head.n) memcpy(f->text, head.p, head.n);
    if (rest.n) memcpy(f->text + head.n, rest.p, rest.n);
    f->text[f->n] = '\0';
    return f;
}

struct ws_frame *ws_frame_text(struct span text) {
    return encode(SPAN_NONE, text);
}

struct ws_frame *ws_frame_binary(struct span head, struct span bytes) {
    return encode(head, bytes);
}

struct ws_frame *ws_frame_ref(struct ws_frame *f) {
    f->refs++;
    return f;
}

void ws_frame_unref(struct ws_frame *f) {
    if (f && --f->refs == 0) free(f);
}

size_t ws_frame_bytes(const struct ws_frame *f) {
    return f->n;
}

void ws_want_write(struct ws *ws) {
    ws->wants_write = true;
}

void fake_open(struct ws *ws, const struct ws_channel *channel, void *user) {
    *ws = (struct ws){.channel = channel, .user = user};
    channel->opened(user, ws);
}

void fake_deliver(struct ws *ws, const char *text) {
    ws->channel->message(ws->user, span_str(text), false);
}

bool ws_is_look_only(const struct ws *ws) {
    return ws->look_only;
}

void ws_close(struct ws *ws, uint16_t code, struct span reason UNUSED) {
    ws->close_code = code;
}

void fake_deliver_bytes(struct ws *ws, struct span bytes) {
    ws->channel->message(ws->user, bytes, true);
}

char *fake_take_bytes(struct ws *ws, size_t *ret_n) {
    struct ws_frame *f = ws->channel->next(ws->user);
    if (!f) {
        ws->wants_write = false;
        return NULL;
    }
    char *text = str_dup(span_of(f->text, f->n));
    *ret_n = f->n;
    ws_frame_unref(f);
    return text;
}

char *fake_take(struct ws *ws) {
    size_t n;
    return fake_take_bytes(ws, &n);
}

void fake_drop(struct ws *ws) {
    ws->channel->closed(ws->user);
}
