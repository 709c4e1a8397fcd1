#include "keeper/peer.h"

#include "keeper/keeper.h"

/* Every key that is typed need not be confirmed, only often enough for the window never to close. */
enum { TAKEN_STEP = FRAME_INPUT_WINDOW / 4 };

static bool tell(struct peer *p, enum frame_type type, const void *fixed, size_t n, size_t more) {
    p->head_n = frame_encode(p->head, type, fixed, n, more);
    p->head_sent = 0;
    return true;
}

static bool tell_welcome(struct peer *p, const struct keeper *k) {
    const struct frame_size *size = resizes_now(&k->resizes);
    const struct frame_welcome w = {.version = FRAME_VERSION,
                                    .keeper_pid = k->pid,
                                    .child_pid = k->child,
                                    .exited = k->exited,
                                    .child_start = k->child_start,
                                    .epoch = k->epoch,
                                    .oldest = k->ring.oldest,
                                    .newest = k->ring.newest,
                                    .acknowledged = k->hold.acknowledged,
                                    .answered = k->answered,
                                    .output_ms = k->output_ms,
                                    .cols = size->cols,
                                    .rows = size->rows};
    p->welcomed = true;
    return tell(p, FRAME_WELCOME, &w, sizeof w, 0);
}

static bool tell_guests(struct peer *p, const struct keeper *k) {
    p->guests = keeper_guests(k);
    return tell(p, FRAME_GUESTS, &(struct frame_guests){.count = p->guests}, sizeof(struct frame_guests), 0);
}

/* Behind a gap only the size that holds there counts. */
static bool tell_gap(struct peer *p, const struct keeper *k) {
    const struct frame_gap gap = {.from = p->cursor, .to = k->ring.oldest};
    p->cursor = gap.to;
    uint32_t size = resizes_at(&k->resizes, p->cursor);
    if (size > p->resize) p->resize = size - 1;
    return tell(p, FRAME_GAP, &gap, sizeof gap, 0);
}

static bool tell_size(struct peer *p, const struct resize *r) {
    struct frame_size size = r->size;
    size.offset = p->cursor; /* one that began earlier still holds here */
    p->resize = r->serial;
    return tell(p, FRAME_RESIZED, &size, sizeof size, 0);
}

static bool tell_output(struct peer *p, size_t n) {
    const struct frame_output output = {.offset = p->cursor};
    p->body = p->cursor;
    p->body_n = n;
    p->rescued = false;
    p->cursor += n;
    return tell(p, FRAME_OUTPUT, &output, sizeof output, n);
}

/* What waits may be others' as well: the least that is certain. */
static uint64_t input_taken(const struct peer *p, const struct keeper *k) {
    size_t waiting = input_waiting(k->input);
    return p->input > waiting ? p->input - waiting : 0;
}

static bool tell_taken(struct peer *p, uint64_t bytes) {
    p->taken = bytes;
    return tell(p, FRAME_TAKEN, &(struct frame_taken){.bytes = bytes}, sizeof(struct frame_taken), 0);
}

static bool tell_exit(struct peer *p, const struct keeper *k) {
    p->told_exit = true;
    return tell(p, FRAME_EXITED, &k->exit, sizeof k->exit, 0);
}

bool peer_next(struct peer *p, const struct keeper *k) {
    assert(!peer_busy(p));
    if (p->role != PEER_DAEMON && p->role != PEER_GUEST) return false;
    if (!p->welcomed) return tell_welcome(p, k);
    if (p->role == PEER_DAEMON && p->guests != keeper_guests(k)) return tell_guests(p, k);
    uint64_t taken = input_taken(p, k);
    if (taken >= p->taken + TAKEN_STEP) return tell_taken(p, taken);
    if (p->cursor < k->ring.oldest && p->cursor < p->limit) return tell_gap(p, k);
    const struct resize *r = resizes_after(&k->resizes, p->resize);
    if (r && r->size.offset <= p->cursor) return tell_size(p, r);
    uint64_t end = MIN(k->ring.newest, p->limit);
    if (r) end = MIN(end, r->size.offset);
    if (p->cursor < end) return tell_output(p, (size_t)MIN(end - p->cursor, FRAME_DATA_MAX));
    if (k->drained && !p->told_exit && p->cursor == k->ring.newest) return tell_exit(p, k);
    return false;
}

bool peer_busy(const struct peer *p) {
    return p->head_sent < p->head_n || p->body_n;
}

int peer_pieces(const struct peer *p, const struct keeper *k, struct iovec ret[3]) {
    int n = 0;
    if (p->head_sent < p->head_n)
        ret[n++] = (struct iovec){(char *)p->head + p->head_sent, p->head_n - p->head_sent};
    if (!p->body_n) return n;
    if (!p->rescued) return n + ring_slice(&k->ring, p->body, p->body_n, ret + n);
    ret[n++] = (struct iovec){p->memory->rescued + p->rescued_at, p->body_n};
    return n;
}

void peer_sent(struct peer *p, size_t n) {
    size_t of_head = MIN(n, p->head_n - p->head_sent), of_body = n - of_head;
    assert(of_body <= p->body_n);
    p->head_sent += of_head;
    p->body += of_body;
    p->body_n -= of_body;
    p->rescued_at += of_body;
}

void peer_rescue(struct peer *p, const struct keeper *k, uint64_t offset) {
    if (!p->body_n || p->rescued || p->body >= offset) return;
    struct iovec pieces[2];
    int count = ring_slice(&k->ring, p->body, p->body_n, pieces);
    char *to = p->memory->rescued;
    for (int i = 0; i < count; i++)
        to = mempcpy(to, pieces[i].iov_base, pieces[i].iov_len);
    p->rescued = true;
    p->rescued_at = 0;
}

void peer_refuse(struct peer *p, const char *sentence) {
    p->role = PEER_LEAVING;
    if (!peer_busy(p)) tell(p, FRAME_REFUSED, sentence, MIN(strlen(sentence), 128), 0);
}
