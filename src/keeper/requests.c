/* What peers ask for: one function a frame type. Types that are not known are skipped: they are a newer peer's. */
#include "keeper/keeper.h"

#include <errno.h>

static int hello_daemon(struct keeper *k, struct peer *p, usec_t now) {
    struct peer *former = keeper_daemon(k);
    if (former) peer_refuse(former, "Another daemon has taken this terminal over.");
    p->role = PEER_DAEMON;
    hold_attach(&k->hold, now);
    return 0;
}

static const char *reason_to_refuse(const struct keeper *k, const struct frame_hello *h) {
    if (h->version < FRAME_OLDEST_VERSION || h->version > FRAME_VERSION)
        return "This keeper speaks version 1 of its protocol: please use an ostler that does as well.";
    if (h->role != FRAME_ROLE_DAEMON && h->role != FRAME_ROLE_GUEST)
        return "This keeper knows daemons and guests only.";
    if (h->epoch && h->epoch != k->epoch)
        return "This terminal has been started anew: its epoch is another one.";
    if (h->offset > k->ring.newest && h->offset != UINT64_MAX)
        return "This terminal has not printed as much as that offset says.";
    if (h->role == FRAME_ROLE_GUEST && keeper_guests(k) >= KEEPER_GUESTS_MAX)
        return "Too many are looking at this terminal past the daemon: please detach one.";
    return NULL;
}

static int on_hello(struct keeper *k, struct peer *p, const struct frame *f, usec_t now) {
    struct frame_hello h;
    if (frame_read(f, &h, sizeof h, NULL) < 0) return -EBADMSG;
    const char *no = reason_to_refuse(k, &h);
    if (no) {
        peer_refuse(p, no);
        return 0;
    }
    p->cursor = MIN(h.offset, k->ring.newest);
    p->limit = h.limit;
    p->resize = resizes_at(&k->resizes, p->cursor) - 1;
    if (h.role == FRAME_ROLE_DAEMON) return hello_daemon(k, p, now);
    p->role = PEER_GUEST;
    return 0;
}

static int on_flow(struct keeper *k, struct peer *p, const struct frame *f, usec_t now) {
    struct frame_flow flow;
    if (frame_read(f, &flow, sizeof flow, NULL) < 0) return -EBADMSG;
    if (p->role == PEER_DAEMON) hold_acknowledge(&k->hold, flow.acknowledged, p->cursor, now);
    p->limit = flow.limit;
    return 0;
}

/* 1 when it has to wait. */
static int on_input(struct keeper *k, struct peer *p, const struct frame *f) {
    struct frame_input head;
    struct span bytes;
    if (frame_read(f, &head, sizeof head, &bytes) < 0 || bytes.n > FRAME_DATA_MAX) return -EBADMSG;
    bool guest = p->role == PEER_GUEST, fits = input_fits(k->input, bytes.n, guest);
    /* The program does not read, and may well wait for us to read: then what stands behind this input, an
     * acknowledgement above all, is worth more than the input. */
    bool stalled = !guest && hold_is_full(&k->hold, &k->ring);
    if (!fits && !stalled && !k->exited) return 1;
    p->input += bytes.n;
    if (!fits || k->exited) return 0;
    input_put(k->input, bytes);
    k->answered = MAX(k->answered, head.answers);
    return 0;
}

static int on_resize(struct keeper *k, const struct frame *f) {
    struct frame_size size;
    if (frame_read(f, &size, sizeof size, NULL) < 0) return -EBADMSG;
    if (!size.cols || !size.rows || size.cols > KEEPER_SIZE_MAX || size.rows > KEEPER_SIZE_MAX || k->exited)
        return 0;
    k->program.drain(k->program.user);
    size.offset = k->ring.newest;
    if (k->program.resize(k->program.user, &size) == 0) (void)resizes_add(&k->resizes, &size);
    return 0;
}

static int on_signal(struct keeper *k, const struct frame *f) {
    struct frame_signal s;
    if (frame_read(f, &s, sizeof s, NULL) < 0) return -EBADMSG;
    if (s.number >= 1 && s.number <= 64 && !k->exited) k->program.signal(k->program.user, (int)s.number);
    return 0;
}

static int dispatch(struct keeper *k, struct peer *p, const struct frame *f, usec_t now) {
    if (p->role == PEER_STRANGER) return f->type == FRAME_HELLO ? on_hello(k, p, f, now) : -EBADMSG;
    switch (f->type) {
    case FRAME_HELLO: return -EBADMSG;
    case FRAME_FLOW: return on_flow(k, p, f, now);
    case FRAME_INPUT: return on_input(k, p, f);
    case FRAME_RESIZE: return on_resize(k, f);
    case FRAME_SIGNAL: return on_signal(k, f);
    case FRAME_END:
        if (!k->exited) k->program.end(k->program.user);
        return 0;
    case FRAME_RELEASE:
        if (k->drained && p->role == PEER_DAEMON) k->released = true;
        return 0;
    default: return 0;
    }
}

int keeper_requests(struct keeper *k, struct peer *p, usec_t now) {
    struct span rest = span_of(p->memory->in, p->in_n);
    int r = 0;
    p->full = false;
    while (p->role != PEER_LEAVING) {
        struct frame f;
        struct span before = rest;
        r = frame_next(&rest, &f);
        if (r <= 0) break;
        r = dispatch(k, p, &f, now);
        if (r < 0) break;
        if (r > 0) {
            p->full = true;
            rest = before;
            break;
        }
    }
    if (rest.n && rest.p != p->memory->in) memmove(p->memory->in, rest.p, rest.n);
    p->in_n = rest.n;
    return r < 0 ? r : 0;
}
